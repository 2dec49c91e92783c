import assert from 'node:assert/strict';
import type { Hunk } from '../../src/core/diff.ts';
import type { TestRepository } from './repository.ts';

/** What git's raw output says about one file, with the contents of both sides; null for a submodule's. */
export type Truth = {
  readonly path: string;
  readonly oldPath: string | null;
  /** A, M, D, R, C or T. */
  readonly letter: string;
  readonly modes: readonly [string, string];
  readonly contents: readonly [string, string] | null;
};

const NONE = { id: '0'.repeat(40), mode: '000000' };

/** Asks git, not our reader, how two commits differ; `flags` choose renames and copies. */
export async function readTruth(
  repository: TestRepository,
  commits: readonly [string, string],
  flags: readonly string[],
): Promise<Truth[]> {
  const fields = (await repository.git('diff', '--raw', '-z', '--no-abbrev', '--no-rename-empty', ...flags, ...commits)).split('\0');
  const found: { path: string; oldPath: string | null; letter: string; modes: [string, string]; ids: [string, string] }[] = [];
  while (fields.length > 1) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', score = ''] = (fields.shift() ?? '').slice(1).split(' ');
    const first = fields.shift() ?? '';
    const isPair = /^[RC]/.test(score);
    const path = isPair ? (fields.shift() ?? '') : first;
    found.push({ path, oldPath: isPair ? first : null, letter: score.charAt(0), modes: [oldMode, newMode], ids: [oldId, newId] });
  }
  const blobs = await readBlobs(
    repository,
    found.filter(({ modes }) => !modes.includes('160000')).flatMap(({ ids }) => ids),
  );
  return found.map(({ ids, ...truth }) => {
    const contents = ids.map((id) => blobs.get(id));
    return { ...truth, contents: contents[0] === undefined || contents[1] === undefined ? null : [contents[0], contents[1]] };
  });
}

/** What raw output says once, patch text says twice where a file became a link. */
export function asSections(truth: Truth): Truth[] {
  if (truth.letter !== 'T') return [truth];
  const [before, after] = truth.contents ?? ['', ''];
  return [
    { ...truth, letter: 'D', modes: [truth.modes[0], NONE.mode], contents: [before, ''] },
    { ...truth, letter: 'A', modes: [NONE.mode, truth.modes[1]], contents: ['', after] },
  ];
}

/** Puts hunks on an old text, and checks the number and the text of every line on the way. */
export function applyHunks(old: string, hunks: readonly Hunk[]): string {
  const lines = old.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldCount === 0 ? hunk.oldStart : hunk.oldStart - 1;
    while (at < start) result.push(`${lines[at++]}\n`);
    for (const line of hunk.lines) {
      if (line.oldLine !== null) {
        assert.equal(line.oldLine, at + 1);
        assert.equal(line.text, lines[at++]);
      }
      if (line.newLine !== null) {
        result.push(line.noNewline ? line.text : `${line.text}\n`);
        assert.equal(line.newLine, result.length);
      }
    }
  }
  return result.join('') + lines.slice(at).join('\n');
}

async function readBlobs(repository: TestRepository, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== NONE.id);
  const blobs = new Map([[NONE.id, '']]);
  let rest = await repository.gitBytes(`${wanted.join('\n')}\n`, 'cat-file', '--batch');
  for (const id of wanted) {
    const header = rest.subarray(0, rest.indexOf(10)).toString('utf8');
    const start = header.length + 1;
    const end = start + Number(header.split(' ')[2]);
    blobs.set(id, rest.subarray(start, end).toString('utf8'));
    rest = rest.subarray(end + 1);
  }
  return blobs;
}
