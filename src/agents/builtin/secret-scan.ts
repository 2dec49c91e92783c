import { findRandomLiterals } from '../../core/random-literals.ts';
import { findSecrets } from '../../core/secrets.ts';
import { counted } from '../../core/words.ts';
import { issueAt } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import type { SubjectFile } from './subject-files.ts';

const KNOWN = { id: 'secret', severity: 'critical', category: 'security' } as const;
const LIKELY = { id: 'secret', severity: 'medium', category: 'security' } as const;
/** Where values are made up on purpose. */
const MADE_UP = /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|testdata|mocks?|examples?)\/|[._-](?:test|spec)s?\.\w+$|\.snap$/i;
const IMPACT = 'Whoever can read the repository, now or in its history, can use it.';
const SUGGESTION =
  'Take it out, read it from the environment or a secret store, and replace the value where it is valid: it counts as known.';

/** Looks for secrets on the changed lines; what it says never holds a value. */
export function scanSecrets(files: readonly SubjectFile[]): Analysis {
  const issues = files.flatMap((file) => {
    const { path, text, addedLines } = file;
    const known = findSecrets(text).filter(({ line }) => addedLines.has(line));
    const random = MADE_UP.test(path) ? [] : findRandomLiterals(text);
    const likely = random.filter(({ line }) => addedLines.has(line) && !known.some((secret) => secret.line === line));
    return [
      ...known.map(({ kind, line }) =>
        issueAt({ file: path, line }, KNOWN, {
          description: `${article(kind)} is written into the code.`,
          impact: IMPACT,
          suggestion: SUGGESTION,
        }),
      ),
      ...likely.map(({ line }) =>
        issueAt({ file: path, line }, LIKELY, {
          description: 'A long random value is written into the code; it looks like a key or a token.',
          impact: IMPACT,
          suggestion: `If it is one: ${SUGGESTION.charAt(0).toLowerCase()}${SUGGESTION.slice(1)}`,
        }),
      ),
    ];
  });
  return { issues, tool: 'secrets', result: `${counted(files.length, 'file')}: ${issues.length} on changed lines` };
}

function article(kind: string): string {
  return `${/^[AEIOU]/i.test(kind) ? 'An' : 'A'} ${kind}`;
}
