import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeRepository } from '../test/support/repository.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { readConfig } from './app-config.ts';

const TRUSTED = 'agents: { mine: { run: [sh, review.sh] } }\nroles: { reviewer: mine }\n';
const PROGRAM = 'exit 1\n';

let repository: TestRepository;
const usual = { CI: process.env['CI'], XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'] };

before(async () => {
  repository = await makeRepository({ files: {} });
  delete process.env['CI'];
  process.env['XDG_CONFIG_HOME'] = repository.beside;
});
after(async () => {
  for (const [name, value] of Object.entries(usual)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await repository[Symbol.asyncDispose]();
});

/** Where the reviewer comes from, if git lists nothing of the configuration as changed. */
async function originWith(files: Readonly<Record<string, string>>, { asCommitted }: { readonly asCommitted: boolean }): Promise<string> {
  await Promise.all(['volley.yaml', 'review.sh'].map(async (path) => await repository.remove(path)));
  for (const [path, text] of Object.entries(files)) await repository.write(path, text);
  return await originOf({ 'volley.yaml': TRUSTED, 'review.sh': PROGRAM }, asCommitted);
}

async function originOf(base: Readonly<Record<string, string>>, asCommitted = true): Promise<string> {
  const { origins } = await readConfig({
    root: repository.root,
    drivers: ['command'],
    flags: {},
    change: { base: 'b'.repeat(40), paths: ['src/a.ts'], asCommitted },
    readBase: async (_, path) => await Promise.resolve(base[path] ?? null),
    exportBase: async () => await Promise.resolve('/base'),
  });
  return origins.get('roles.reviewer')?.label ?? '';
}

test('what git is told to ignore is believed where a person asks, and not where an agent could have written it', async () => {
  const mine = TRUSTED.replaceAll('mine', 'other');
  const cases = [
    [{ 'volley.yaml': TRUSTED, 'review.sh': PROGRAM }, 'volley.yaml'],
    [{ 'volley.yaml': mine, 'review.sh': PROGRAM }, 'volley.yaml of the base'],
    [{ 'volley.yaml': TRUSTED, 'review.sh': 'exit 0\n' }, 'volley.yaml of the base'],
    [{}, 'volley.yaml of the base'],
  ] as const;
  for (const [files, expected] of cases) assert.equal(await originWith(files, { asCommitted: true }), expected);
  assert.equal(await originWith({ 'volley.yaml': mine }, { asCommitted: false }), 'volley.yaml');
});

test('a link to what is committed is as good as a file', async () => {
  const base = { 'volley.yaml': 'settings.yaml', 'settings.yaml': TRUSTED, 'review.sh': PROGRAM };
  await repository.remove('volley.yaml');
  await symlink('settings.yaml', join(repository.root, 'volley.yaml'));
  for (const [text, expected] of [
    [TRUSTED, 'volley.yaml'],
    [TRUSTED.replaceAll('mine', 'other'), null],
  ] as const) {
    await repository.write('settings.yaml', text);
    await repository.write('review.sh', PROGRAM);
    const origin = originOf(base);
    // Of the base only the link can be read, which is no configuration.
    await (expected === null ? assert.rejects(origin, { code: 'bad-config' }) : assert.doesNotReject(origin));
  }
});

test('where an agent asks, file and programs are those of the commit, also where the work tree has the same', async () => {
  await repository.remove('volley.yaml');
  for (const [text, notes] of [
    [TRUSTED, 0],
    [TRUSTED.replaceAll('mine', 'other'), 1],
  ] as const) {
    await repository.write('volley.yaml', text);
    const loaded = await readConfig({
      root: repository.root,
      drivers: ['command'],
      flags: {},
      change: { base: 'b'.repeat(40), paths: [], trusted: { ref: 'main', commit: 'c'.repeat(40) } },
      readBase: async (commit) => await Promise.resolve(commit === 'c'.repeat(40) ? TRUSTED : null),
      exportBase: async () => await Promise.resolve('/committed'),
    });
    const { label, dir } = loaded.origins.get('agents.mine.run') ?? {};
    assert.deepEqual([label, dir, loaded.notes.length], ['volley.yaml of main', '/committed', notes]);
  }
});
