import { readFile } from 'node:fs/promises';
import type { RaisedFinding } from '../core/finding.ts';
import { findSecrets } from '../core/secrets.ts';
import { fewAtOnce } from '../lib/few-at-once.ts';
import { isOutOfFiles } from '../lib/out-of-files.ts';
import type { AddedText } from './added-lines.ts';
import { readAddedLines } from './added-lines.ts';
import { changedPaths } from './change.ts';
import type { Checkout } from './checkout.ts';
import type { Candidate, Staged } from './stage.ts';
import { fromPathBytes, inFolder } from './status.ts';

/** New files above this size are held back: they bloat the history for good. */
const LARGE_FILE_BYTES = 5 * 1024 * 1024;

/** What a look into staged work gave: what must not be committed, and all files that differ. */
export type Inspection = { readonly findings: readonly RaisedFinding[]; readonly files: readonly string[] };

/**
 * Looks for secrets in the added lines and for huge new files of what is staged. Values of secrets are never repeated.
 * Files are read whole first: most hold no secret at all, and then git need not tell which lines are new.
 */
export async function inspectStaged(checkout: Checkout, staged: Staged): Promise<Inspection> {
  const small = staged.candidates.filter((file) => file.size > 0 && file.size <= LARGE_FILE_BYTES);
  const suspects = (await fewAtOnce(small, async (file) => ((await holdsSecret(checkout, file)) ? [file.path] : []))).flat();
  const added = suspects.length === 0 ? [] : await readAddedLines({ place: checkout.place, ...staged, paths: suspects });
  const large = staged.candidates.filter((file) => file.isNew && file.size > LARGE_FILE_BYTES);
  return { findings: [...added.flatMap(secretFindings), ...large.map(largeFileFinding)], files: await changedFiles(checkout, staged) };
}

async function holdsSecret(checkout: Checkout, { path }: Candidate): Promise<boolean> {
  const text = await readFile(inFolder(checkout.dir, path), 'utf8').catch((error: unknown) => {
    if (isOutOfFiles(error)) throw error;
    // A file that cannot be read for another reason could not be staged either.
    return '';
  });
  return findSecrets(text).length > 0;
}

async function changedFiles(checkout: Checkout, { candidates, tree, parentTree }: Staged): Promise<string[]> {
  if (candidates.some((file) => file.mayEqualHead)) return await changedPaths(checkout.place, parentTree, tree);
  return candidates.map((file) => fromPathBytes(file.path)).toSorted();
}

function secretFindings({ file, line, text }: AddedText): RaisedFinding[] {
  return findSecrets(text).map((secret) => ({
    ...ENGINE,
    severity: 'critical',
    category: 'security',
    tag: 'secret',
    file,
    line: line + secret.line - 1,
    lineEnd: line + secret.line - 1,
    place: 'changed',
    description: `This line holds what looks like a secret (${secret.kind}).`,
    impact: 'Whoever can read the repository could use it, and it would stay in the history for good.',
    suggestion: 'Take it out and read it from the environment or a file that is not committed.',
  }));
}

function largeFileFinding({ path, size }: Candidate): RaisedFinding {
  return {
    ...ENGINE,
    severity: 'high',
    category: 'architecture',
    tag: 'large-file',
    file: fromPathBytes(path),
    line: null,
    lineEnd: null,
    place: 'file',
    description: `This new file has ${(size / 1024 / 1024).toFixed(1)} MB; new files may have up to 5 MB.`,
    impact: 'It would make every clone larger for good.',
    suggestion: 'Delete it if it was built or downloaded, or name it in .gitignore.',
  };
}

const ENGINE = {
  source: 'engine',
  patch: null,
  snippet: null,
  flags: [],
  raisedBy: ['engine'],
  codeHash: null,
} satisfies Partial<RaisedFinding>;
