import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { artefactExists, ensureVolleyFolder, writeArtefact } from './artefacts.ts';

async function inNewRoot(run: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'volley-artefacts-'));
  try {
    await run(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

test('git sees only what people write by hand in the folder', async () => {
  await inNewRoot(async (root) => {
    await promisify(execFile)('git', ['init', '--quiet', root]);
    await ensureVolleyFolder(root);
    assert.equal(await untracked(root), '');
    for (const path of [
      'standards.md',
      'prompts/reviewer.md',
      'rules/deep/own.yaml',
      'volley.db',
      'reviews/1.md',
      'reviews/prompts/x.md',
    ]) {
      await writeArtefact(root, `.volley/${path}`, 'x');
    }
    assert.equal(await untracked(root), '.volley/prompts/reviewer.md\n.volley/rules/deep/own.yaml\n.volley/standards.md\n');
  });
});

async function untracked(root: string): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', root, 'ls-files', '--others', '--exclude-standard']);
  return stdout;
}

test('the folder is made once, and a .gitignore in it stays as it is', async () => {
  await inNewRoot(async (root) => {
    await Promise.all(Array.from({ length: 8 }, () => ensureVolleyFolder(root)));
    assert.deepEqual(await readdir(join(root, '.volley')), ['.gitignore']);
    await writeFile(join(root, '.volley/.gitignore'), 'mine');
    assert.equal(await ensureVolleyFolder(root), join(root, '.volley'));
    assert.equal(await readFile(join(root, '.volley/.gitignore'), 'utf8'), 'mine');
  });
});

test('an artefact is written with its folders and replaces an older one', async () => {
  await inNewRoot(async (root) => {
    assert.equal(await artefactExists(root, 'docs/a b/ü.md'), false);
    await writeArtefact(root, 'docs/a b/ü.md', 'one');
    await writeArtefact(root, 'docs/a b/ü.md', 'two');
    assert.equal(await artefactExists(root, 'docs/a b/ü.md'), true);
    assert.equal(await readFile(join(root, 'docs/a b/ü.md'), 'utf8'), 'two');
    assert.deepEqual(await readdir(join(root, 'docs/a b')), ['ü.md']);
  });
});

for (const path of ['../out.md', 'a/../../out.md', '/out.md', '', '.', 'a\0b', 'a\\..\\..\\out.md']) {
  test(`the path ${JSON.stringify(path)} is refused`, async () => {
    await inNewRoot(async (root) => {
      await assert.rejects(writeArtefact(root, path, 'x'), { code: 'bad-config' });
      assert.deepEqual(await readdir(root), []);
    });
  });
}

test('nothing is written through a linked folder', async () => {
  await inNewRoot(async (root) => {
    await mkdir(join(root, 'real'));
    await symlink(join(root, 'real'), join(root, '.volley'));
    await assert.rejects(ensureVolleyFolder(root), { code: 'refused' });
    await assert.rejects(writeArtefact(root, '.volley/reviews/1.md', 'x'), { code: 'refused' });
    assert.deepEqual(await readdir(join(root, 'real')), []);
  });
});

test('a link in the place of the artefact is replaced, and what it points at is left alone', async () => {
  await inNewRoot(async (root) => {
    await writeFile(join(root, 'precious'), 'precious');
    await symlink(join(root, 'precious'), join(root, 'report.md'));
    await writeArtefact(root, 'report.md', 'report');
    assert.equal(await readFile(join(root, 'precious'), 'utf8'), 'precious');
    assert.equal(await readFile(join(root, 'report.md'), 'utf8'), 'report');
  });
});

test('a folder in the place of the artefact is refused', async () => {
  await inNewRoot(async (root) => {
    await mkdir(join(root, 'report.md'));
    await assert.rejects(writeArtefact(root, 'report.md', 'x'), { code: 'refused' });
  });
});
