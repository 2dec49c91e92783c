import { issueAt } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import type { SubjectFile } from './subject-files.ts';

const COMMENT = /(?:\/\/|\/\*|#|--)\s*(?:ast-grep-ignore|(?:oxlint|eslint)-disable(?:-next-line|-line)?)\b/;
const RULE = { id: 'silenced-review', severity: 'low', category: 'architecture' } as const;

/** Finds comments by which a change keeps analysers from looking at it: allowed, but never unseen. */
export function findSilenced(files: readonly SubjectFile[]): Analysis {
  const issues = files.flatMap(({ path, text, addedLines }) =>
    text.split('\n').flatMap((content, index) =>
      addedLines.has(index + 1) && COMMENT.test(content)
        ? [
            issueAt({ file: path, line: index + 1 }, RULE, {
              description: 'This comment switches the analysis of the lines after it off.',
              impact: 'Nothing that is wrong there is reported, now or later.',
              suggestion: 'Keep it only if the reason stands beside it.',
            }),
          ]
        : [],
    ),
  );
  return { issues, did: 'comments that switch analysers off', result: `${issues.length} on changed lines` };
}
