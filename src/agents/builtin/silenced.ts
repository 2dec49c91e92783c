import { issueAt } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import { languageOf } from './rule.ts';
import type { SubjectFile } from './subject-files.ts';

const WORDS = /\bast-grep-ignore\b|\b(?:ox|es)lint-disable\b/;
const RULE = { id: 'silenced-review', severity: 'low', category: 'architecture' } as const;

const SETTINGS = { id: 'review-settings', severity: 'low', category: 'architecture' } as const;
const SETTINGS_FILE = /^(?:volley\.yaml|\.volley\/(?:standards\.md|prompts\/.*|rules\/.*))$/;

/** Tells of files by which later changes are reviewed; this one is not, but whoever lets them in should know. */
export function findReviewSettings(files: readonly SubjectFile[]): Analysis {
  const issues = files
    .filter(({ path }) => SETTINGS_FILE.test(path))
    .map(({ path }) =>
      issueAt({ file: path, line: null }, SETTINGS, {
        description: 'This file says how changes are reviewed.',
        impact: 'It has no effect in this review, but in every later one.',
        suggestion: 'Let somebody who is responsible for it look at it.',
      }),
    );
  return { issues, tool: 'settings of reviews', result: `${issues.length} changed` };
}

/** Finds comments by which a change keeps analysers from looking at it: allowed, but never unseen. */
export function findSilenced(files: readonly SubjectFile[]): Analysis {
  const issues = files
    .filter(({ path }) => languageOf(path) !== null)
    .flatMap(({ path, text, addedLines }) =>
      text.split('\n').flatMap((content, index) =>
        addedLines.has(index + 1) && WORDS.test(content)
          ? [
              issueAt({ file: path, line: index + 1 }, RULE, {
                description: 'This comment switches the analysis of lines off.',
                impact: 'It has no effect in this review, but in every later one.',
                suggestion: 'Keep it only if the reason stands beside it.',
              }),
            ]
          : [],
      ),
    );
  return { issues, tool: 'comments that switch analysers off', result: `${issues.length} on changed lines` };
}
