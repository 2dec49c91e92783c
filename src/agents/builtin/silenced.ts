import { issueAt } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import { languageOf } from './rule.ts';
import type { SubjectFile } from './subject-files.ts';

/** The words by which analysers are told to look away, in parts. */
const SILENCES = /(ast-grep-)i(gnore)|((?:ox|es)lint-)d(isable)/g;
const RULE = { id: 'silenced-review', severity: 'low', category: 'architecture' } as const;

/** Finds comments by which a change keeps analysers from looking at it: allowed, but never unseen. */
export function findSilenced(files: readonly SubjectFile[]): Analysis {
  const issues = files
    .filter(({ name }) => languageOf(name) !== null)
    .flatMap(({ path, text, addedLines }) =>
      text.split('\n').flatMap((content, index) =>
        addedLines.has(index + 1) && content.search(SILENCES) >= 0
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

/** The text of a file in which comments of the change silence no analyser; every place stays where it is. */
export function heard({ text, addedLines }: SubjectFile): string {
  if (text.search(SILENCES) < 0) return text;
  return text
    .split('\n')
    .map((line, index) => (addedLines.has(index + 1) ? line.replace(SILENCES, '$1$3!$2$4') : line))
    .join('\n');
}
