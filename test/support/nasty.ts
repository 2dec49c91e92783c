import { chmod, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileStatus } from '../../src/core/diff.ts';
import { makeRepository } from './repository.ts';
import type { TestRepository } from './repository.ts';

/** What git must say about one file of the nasty set, without looking for copies. */
export type NastyEntry = {
  readonly path: string;
  readonly oldPath: string | null;
  readonly status: FileStatus;
  readonly binary: boolean;
};

/** A repository whose two commits differ in every way that has broken some reader of diffs. */
export type Nasty = {
  readonly repository: TestRepository;
  readonly base: string;
  readonly head: string;
  readonly entries: readonly NastyEntry[];
};

const LONG = longText('line');
const LOOKS_LIKE_A_DIFF = [
  'diff --git a/evil b/evil',
  'index 0000000..1111111 100644',
  '--- a/evil',
  '+++ b/evil',
  '@@ -1,3 +1,4 @@ evil',
  '-removed',
  '+added',
  '\\ No newline at end of file',
  'Binary files a/evil and b/evil differ',
  'GIT binary patch',
  'rename from evil',
  '',
].join('\n');

/** Forty lines that are like no other text's, lest git takes one for a rename of the other. */
function longText(word: string): string {
  return Array.from({ length: 40 }, (_, index) => `${word} ${index + 1}\n`).join('');
}

type Edit = { readonly path: string; readonly before: string | Buffer | null; readonly after: string | Buffer | null };

/** Plain edits: the same path on both sides, null where there is no file. */
const EDITS: readonly Edit[] = [
  { path: 'binary-added', before: null, after: Buffer.from([0, 1, 2, 255]) },
  { path: 'binary-changed', before: Buffer.from([0, 1]), after: Buffer.from([0, 2]) },
  { path: 'binary-deleted', before: Buffer.from([0, 9, 9]), after: null },
  { path: 'added', before: null, after: 'one\ntwo\n' },
  { path: 'deleted', before: 'only here\n', after: null },
  { path: 'two hunks', before: LONG, after: LONG.replace('line 3\n', 'third\n').replace('line 35\n', '') },
  { path: 'with space', before: 'a\n', after: 'b\n' },
  { path: 'ünïcode-日本-🎉', before: 'a\n', after: 'b\n' },
  { path: 'tab\there', before: 'a\n', after: 'b\n' },
  { path: '\tfirst', before: 'a\n', after: 'b\n' },
  { path: 'quote"d', before: 'a\n', after: 'b\n' },
  { path: 'back\\slash', before: 'a\n', after: 'b\n' },
  { path: 'new\nline', before: 'a\n', after: 'b\n' },
  { path: 'x b/x', before: 'a\n', after: 'b\n' },
  { path: 'a/x b/a/x', before: null, after: '' },
  { path: '-dash', before: 'a\n', after: 'b\n' },
  { path: ':(top)*', before: 'a\n', after: 'b\n' },
  { path: 'empty-added', before: null, after: '' },
  { path: 'empty-deleted', before: '', after: null },
  { path: 'emptied', before: 'a\n', after: '' },
  { path: 'newline-lost', before: 'a\nb\n', after: 'a\nb' },
  { path: 'newline-gained', before: 'a\nb', after: 'a\nb\n' },
  { path: 'newline-never', before: 'a\nb', after: 'a\nc' },
  { path: 'crlf', before: 'a\r\nb\r\nc\r\n', after: 'a\r\nB\r\nc\r\n' },
  { path: 'lf-to-crlf', before: 'a\nb\n', after: 'a\r\nb\r\n' },
  { path: 'lone-cr', before: 'a\rb\nc\n', after: 'a\rb\rd\nc\n' },
  { path: 'separators', before: 'a\u2028b\n', after: 'a\u2028b\u2029c\u0085d\n' },
  { path: 'vt-ff', before: 'a\vb\n', after: 'a\vb\fc\n' },
  { path: 'byte-order-mark', before: '\uFEFFa\n', after: '\uFEFFb\n' },
  { path: 'blank-lines', before: '\n\n\na\n\n\n', after: '\n\n\nb\n\n\n' },
  { path: 'diff-added', before: 'x\n', after: `x\n${LOOKS_LIKE_A_DIFF}` },
  { path: 'diff-removed', before: `${LOOKS_LIKE_A_DIFF}x\n`, after: 'x\n' },
  { path: 'diff-as-context', before: `${LOOKS_LIKE_A_DIFF}x\n${LOOKS_LIKE_A_DIFF}`, after: `${LOOKS_LIKE_A_DIFF}y\n${LOOKS_LIKE_A_DIFF}` },
  { path: 'query.sql', before: '-- old comment\nselect 1;\n', after: '++ new\nselect 1;\n' },
  { path: 'hidden.ts', before: 'const secret = 1;\n', after: 'const secret = 2;\n' },
  { path: '.gitattributes', before: null, after: 'hidden.ts -diff\nadded binary\n*.sql diff=evil\n' },
];

/** Builds the nasty set; dispose of its repository afterwards. */
export async function makeNasty(): Promise<Nasty> {
  const repository = await makeRepository({ files: {} });
  await repository.git('config', 'core.autocrlf', 'false');
  await writeSide(repository, 'before');
  await repository.write('rename-me', longText('moved'));
  await repository.write('rename and edit me', `${longText('edited')}tail\n`);
  await repository.write('copy-me', longText('copy'));
  await repository.write('mode-only', 'x\n');
  await repository.write('mode-and-edit', 'x\n');
  await repository.write('becomes-link', 'x\n');
  await symlink('copy-me', join(repository.root, 'link'));
  const base = await commitWithSubmodule(repository, '1');
  await writeSide(repository, 'after');
  await repository.git('mv', 'rename-me', 'renamed');
  await repository.git('mv', 'rename and edit me', 'renamed and "edited"');
  await repository.write('renamed and "edited"', `${longText('edited')}new tail\n`);
  await repository.write('copied', longText('copy'));
  await chmod(join(repository.root, 'mode-only'), 0o755);
  await repository.write('mode-and-edit', 'y\n', { executable: true });
  for (const path of ['becomes-link', 'link']) {
    await rm(join(repository.root, path));
    await symlink('mode-only', join(repository.root, path));
  }
  const head = await commitWithSubmodule(repository, '2');
  return { repository, base, head, entries: [...EDITS.map(entryOf), ...SPECIAL].toSorted(byPath) };
}

/** Orders paths as git does, by their bytes. */
export function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
}

const SPECIAL: readonly NastyEntry[] = [
  { path: 'renamed', oldPath: 'rename-me', status: 'renamed', binary: false },
  { path: 'renamed and "edited"', oldPath: 'rename and edit me', status: 'renamed', binary: false },
  { path: 'copied', oldPath: null, status: 'added', binary: false },
  { path: 'mode-only', oldPath: null, status: 'modified', binary: false },
  { path: 'mode-and-edit', oldPath: null, status: 'modified', binary: false },
  { path: 'becomes-link', oldPath: null, status: 'typechanged', binary: false },
  { path: 'link', oldPath: null, status: 'modified', binary: false },
  { path: 'submodule', oldPath: null, status: 'modified', binary: false },
];

function entryOf({ path, before, after }: Edit): NastyEntry {
  const status = before === null ? 'added' : after === null ? 'deleted' : 'modified';
  return {
    path,
    oldPath: null,
    status,
    binary: typeof before === 'object' && before !== null ? true : typeof after === 'object' && after !== null,
  };
}

async function writeSide(repository: TestRepository, side: 'before' | 'after'): Promise<void> {
  for (const edit of EDITS) {
    const content = edit[side];
    if (content === null) await repository.remove(edit.path);
    else await repository.write(edit.path, content);
  }
}

/** A submodule is only a commit id in its parent's tree; the commit need not exist. */
async function commitWithSubmodule(repository: TestRepository, digit: string): Promise<string> {
  await repository.git('add', '--all');
  await repository.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},submodule`);
  await repository.git('commit', '--quiet', '--message', `side ${digit}`);
  return await repository.git('rev-parse', 'HEAD');
}
