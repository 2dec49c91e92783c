import { issueAt } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import type { SubjectFile } from './subject-files.ts';

const RULE = { id: 'review-settings', severity: 'low', category: 'architecture' } as const;
const FILE = /^(?:volley\.yaml|\.volley\/(?:standards\.md|prompts\/.*|rules\/.*))$/;

/** Tells of files by which later changes are reviewed; this one is not, but whoever lets them in should know. */
export function findReviewSettings(files: readonly SubjectFile[]): Analysis {
  const issues = files
    .filter(({ path }) => FILE.test(path))
    .map(({ path }) =>
      issueAt({ file: path, line: null }, RULE, {
        description: 'This file says how changes are reviewed.',
        impact: 'It has no effect in this review, but in every later one.',
        suggestion: 'Let somebody who is responsible for it look at it.',
      }),
    );
  return { issues, tool: 'settings of reviews', result: `${issues.length} changed` };
}
