import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { findSkills } from './codex-skills.ts';

let folder: string;
let count = 0;
before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'volley-codex-skills-')));
});
after(async () => await rm(folder, { recursive: true, force: true }));

async function repository(...files: readonly string[]): Promise<string> {
  const root = join(folder, String(count++));
  await mkdir(root);
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '');
  }
  return root;
}

test('a repository without skills has none', async () => {
  const root = await repository('SKILL.md', 'skills/a/SKILL.md', '.agents/skills/a/README.md');
  assert.deepEqual(await findSkills(root), []);
});

test('skills are found at any depth, in both places', async () => {
  const files = ['.agents/skills/a/SKILL.md', '.agents/skills/b/c/d/e/SKILL.md', '.codex/skills/f/skill.md'];
  const root = await repository(...files);
  assert.deepEqual(new Set(await findSkills(root)), new Set(files.map((file) => join(root, file))));
});

test('a linked folder is followed, and named by both of its paths', async () => {
  const root = await repository('.agents/skills/a/SKILL.md', 'elsewhere/SKILL.md');
  await symlink('../../elsewhere', join(root, '.agents/skills/link'));
  const found = new Set(await findSkills(root));
  for (const path of ['.agents/skills/a/SKILL.md', '.agents/skills/link/SKILL.md', 'elsewhere/SKILL.md']) {
    assert.ok(found.has(join(root, path)), path);
  }
});

test('links that lead in a circle come to an end', async () => {
  const root = await repository('.agents/skills/a/SKILL.md');
  await symlink('../..', join(root, '.agents/skills/around'));
  assert.deepEqual(await findSkills(root), [join(root, '.agents/skills/a/SKILL.md')]);
});

test('more skills than can be named are told from none', async () => {
  const root = await repository(...Array.from({ length: 300 }, (_, index) => `.agents/skills/${'long'.repeat(50)}-${index}/SKILL.md`));
  assert.equal(await findSkills(root), null);
});
