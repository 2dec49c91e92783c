import assert from 'node:assert/strict';
import { lstatSync } from 'node:fs';
import { chmod, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { makeRepository } from '../test/support/repository.ts';
import type { TestRepository } from '../test/support/repository.ts';
import { editConfig } from './app-edit-config.ts';
import type { Edited } from './app-edit-config.ts';

const VARIABLES = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'VOLLEY_MAX_ROUNDS'] as const;
const usual = VARIABLES.map((name) => [name, process.env[name]] as const);

let repository: TestRepository;
beforeEach(async () => {
  await repository?.[Symbol.asyncDispose]();
  repository = await makeRepository({ files: {} });
  process.env['XDG_CONFIG_HOME'] = process.env['XDG_STATE_HOME'] = repository.beside;
  delete process.env['VOLLEY_MAX_ROUNDS'];
});
after(async () => {
  await repository[Symbol.asyncDispose]();
  for (const [name, value] of usual) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
});

const fileOf = (): string => join(repository.root, 'volley.yaml');
const text = async (): Promise<string> => await readFile(fileOf(), 'utf8');
const edit = async (path: string, value: unknown, user = false): Promise<Edited> =>
  await editConfig(repository.root, [{ path: path.split('.'), value }], { user });

test('two mistakes are mended one after the other, in either file, and what is left is told with its line', async () => {
  await repository.write('volley.yaml', 'polcy: {}\npolicy:\n  maxRounds: 0\nroles: { reviewer: nobody }\n');
  const rest = ['Still wrong: volley.yaml:3: policy.maxRounds must be a whole number of at least 1'];
  const role = 'Still wrong: nobody (reviewer) is not an agent';
  const own = await edit('policy.maxRounds', 5, true);
  assert.deepEqual(own.notes, ['Still wrong: volley.yaml:1: polcy is not a setting; did you mean policy?', ...rest, role]);
  const first = await edit('polcy', undefined);
  assert.deepEqual(first.notes, [...rest.map((note) => note.replace(':3:', ':2:')), role]);
  assert.deepEqual((await edit('policy.maxRounds', 4)).notes, [role]);
  assert.deepEqual((await edit('roles.reviewer', 'builtin')).notes, []);
  assert.equal(await text(), 'policy:\n  maxRounds: 4\nroles: { reviewer: builtin }\n');
});

test('a mistake beside others is refused, and told without a line that no file has', async () => {
  const written = 'polcy: {}\nagents:\n  mine: { run: [sh, a.sh] }\nroles: { reviewer: mine }\n';
  await repository.write('volley.yaml', written);
  process.env['VOLLEY_MAX_ROUNDS'] = 'many';
  const refused = [
    ['policy.maxRounds', 0, /^volley\.yaml: policy\.maxRounds must be a whole number of at least 1$/],
    ['polcy', 1, /^volley\.yaml: polcy is not a setting/],
    ['agents.other.model', 'x', /^volley\.yaml: agents\.other needs a run/],
    ['agents', undefined, /^mine \(reviewer\) is not an agent$/],
  ] as const;
  for (const [path, value, message] of refused) await assert.rejects(edit(path, value), { code: 'bad-config', message });
  assert.equal(await text(), written);
});

test('a file that is not UTF-8 keeps its bytes', async () => {
  const bytes = Buffer.from('# caf\xe9\npolicy: { maxRounds: 2 }\n', 'latin1');
  await repository.write('volley.yaml', bytes);
  await assert.rejects(edit('policy.maxRounds', 4), { code: 'bad-config', message: 'volley.yaml is not UTF-8.' });
  assert.deepEqual(await readFile(fileOf()), bytes);
});

test('a link that leads nowhere and a protected file stay as they are', async () => {
  await symlink(join(repository.beside, 'gone.yaml'), fileOf());
  await assert.rejects(edit('policy.maxRounds', 4), { code: 'not-accessible', message: /leads nowhere/ });
  assert.equal(lstatSync(fileOf()).isSymbolicLink(), true);
  await repository.remove('volley.yaml');
  await repository.write('volley.yaml', 'gates: []\n');
  await chmod(fileOf(), 0o444);
  await assert.rejects(edit('policy.maxRounds', 4), { code: 'not-accessible', message: /write-protected/ });
  assert.equal((await edit('gates', [])).changed, false);
  assert.equal(await text(), 'gates: []\n');
});

test('nothing holds over what a group does not say', async () => {
  await edit('policy.ceiling.day', 5, true);
  const { settings } = await edit('policy.ceiling', { loop: 2 });
  assert.deepEqual(
    settings.map(({ path, value, outranked }) => [path, value, outranked]),
    [
      ['policy.ceiling.loop', 2, false],
      ['policy.ceiling.run', 'none', false],
      ['policy.ceiling.day', 5, false],
    ],
  );
  const [day] = (await edit('policy.ceiling.day', 9)).settings;
  assert.deepEqual([day?.value, day?.outranked], [5, true]);
});
