import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readReviewLoop, writeReviewLoop } from '../../src/app-settings.ts';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario, VolleyResult } from '../support/scenario.ts';

const FILE = `# Ours.
policy:
  maxRounds: 3   # reviews
gates: [npm test]
`;

describe('volley config', () => {
  let scenario: Scenario;
  let userFile: string;
  const config = async (...words: readonly string[]): Promise<VolleyResult> => await volley(words, {});
  const volley = async (words: readonly string[], env: Readonly<Record<string, string>>, cwd = scenario.root): Promise<VolleyResult> =>
    await scenario.volley(['config', ...words], { env: { XDG_CONFIG_HOME: join(scenario.repository.beside, 'own'), ...env }, cwd });
  const projectText = async (): Promise<string> => await readFile(join(scenario.root, 'volley.yaml'), 'utf8');

  before(async () => {
    scenario = await makeScenario();
    userFile = join(scenario.repository.beside, 'own', 'volley', 'config.yaml');
    await writeFile(join(scenario.root, 'volley.yaml'), FILE);
  });
  after(async () => {
    await scenario[Symbol.asyncDispose]();
  });

  test('a setting is read by its path and by its short name, on one line', async () => {
    const [byPath, byName, unknown] = await Promise.all([
      config('get', 'policy.maxRounds'),
      config('get', 'reviewLoop.maxIterations', '--json'),
      config('get', 'policy.maxRond'),
    ]);
    assert.deepEqual([byPath.code, byPath.stdout], [0, '3\n']);
    assert.deepEqual(byName.objects(), [{ type: 'setting', v: 1, path: 'policy.maxRounds', value: 3, origin: 'volley.yaml:3' }]);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^error: 'policy\.maxRond' is not a setting; did you mean policy\.maxRounds\?\n/);
  });

  test('what would make the configuration wrong is not written', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const refused = await Promise.all([
      config('set', 'maxIterations', '0'),
      config('set', 'roles.reviewer', 'nobody'),
      config('set', 'agents.mine.price.input', '3'),
      config('set', 'checkout.setup', `TOKEN=${token} make`),
      config('set', 'policy.ceiling.day', '-3'),
      config('set', 'policy.blockAt'),
      config('set', 'policy.blockAt', 'high', 'low'),
      config('get', 'policy.blockAt', '--user'),
    ]);
    assert.deepEqual(
      refused.map(({ code, stdout }) => [code, stdout]),
      refused.map(() => [1, '']),
    );
    const said = refused.map(({ stderr }) => stderr.split('\n')[0]);
    assert.deepEqual(said.slice(4), [
      "error: Unknown option '-3'.",
      'error: The VALUE is missing.',
      "error: 'low' is one word too many.",
      'error: --user has no meaning for config get.',
    ]);
    assert.match(refused[4]?.stderr ?? '', / no option stands after --\./);
    assert.match(refused[3]?.stderr ?? '', /looks like a secret .*\n {2}Put it into a variable .* env:NAME/);
    assert.ok(!refused.some(({ stderr }) => stderr.includes(token)));
    assert.equal(await projectText(), FILE);
    assert.ok(!existsSync(userFile));
  });

  test('a setting is written with its line alone, and whoever holds over it is named', async () => {
    const written = await volley(['set', 'maxIterations', '5'], { VOLLEY_MAX_ROUNDS: '7' });
    assert.equal(written.stdout, 'volley.yaml is changed.\n  policy.maxRounds is 7, because VOLLEY_MAX_ROUNDS holds over it\n');
    assert.equal(await projectText(), FILE.replace('3 ', '5 '));
    const own = await volley(['set', '--user', 'policy.maxRounds', '9', '--json'], {});
    const [setting] = Object(own.objects().at(-1)).settings;
    assert.deepEqual(setting, { path: 'policy.maxRounds', value: 5, origin: 'volley.yaml:3', outranked: true });
    const cleared = await config('unset', 'policy.maxRounds');
    assert.match(cleared.stdout, /^volley\.yaml is changed\.\n {2}policy\.maxRounds is 9 \(/);
    assert.equal(await projectText(), FILE.replace(/ {2}maxRounds.*\n/, ''));
  });

  test('the user’s own file is for its user alone, can be written from anywhere, and may be a link', async () => {
    const kept = join(scenario.repository.beside, 'kept.yaml');
    const elsewhere = { XDG_CONFIG_HOME: join(scenario.repository.beside, 'linked') };
    await mkdir(join(elsewhere.XDG_CONFIG_HOME, 'volley'), { recursive: true });
    await writeFile(kept, 'gates: []\n', { mode: 0o640 });
    await symlink(kept, join(elsewhere.XDG_CONFIG_HOME, 'volley', 'config.yaml'));
    const outside = scenario.repository.beside;
    const [made, linked, nowhere] = await Promise.all([
      volley(['set', '--user', 'policy.blockAt', 'high'], { XDG_CONFIG_HOME: join(outside, 'fresh') }, outside),
      volley(['set', '--user', 'policy.blockAt', 'high'], elsewhere, outside),
      volley(['set', 'policy.blockAt', 'high'], {}, outside),
    ]);
    assert.deepEqual([made.code, linked.code, nowhere.code], [0, 0, 1], made.stderr + linked.stderr);
    const fresh = join(outside, 'fresh', 'volley', 'config.yaml');
    assert.equal((await stat(fresh)).mode & 0o777, 0o600);
    const [modeline = '', ...rest] = (await readFile(fresh, 'utf8')).split('\n');
    assert.ok(existsSync(new URL(modeline.replace('# yaml-language-server: $schema=', ''))), modeline);
    assert.deepEqual(rest, ['policy:', '  blockAt: high', '']);
    assert.deepEqual([(await stat(kept)).mode & 0o777, await readFile(kept, 'utf8')], [0o640, 'gates: []\npolicy:\n  blockAt: high\n']);
  });

  test('several at once lose nothing', async () => {
    const edits = [
      ['policy.quorum', 'any'],
      ['notifyOnReady', 'false'],
      ['commit.sign', 'off'],
      ['review.context', 'files'],
    ] as const;
    const all = await Promise.all(edits.map(async ([name, value]) => await config('set', name, value)));
    assert.deepEqual(
      all.map(({ code }) => code),
      [0, 0, 0, 0],
    );
    for (const line of ['  quorum: any', '  onReady: false', '  sign: off', '  context: files']) {
      assert.ok((await projectText()).split('\n').includes(line), line);
    }
  });

  test('the seven names are shown with their origins, and read and written for programs', async () => {
    const shown = await config('show', '--review-loop', '--json');
    const rows = shown.objects().filter(({ type }) => type === 'setting');
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(await readReviewLoop(scenario.root)),
    );
    assert.deepEqual(
      rows.find(({ name }) => name === 'notifyOnReady'),
      {
        type: 'setting',
        v: 1,
        name: 'notifyOnReady',
        path: 'notify.onReady',
        value: false,
        origin: rows.find(({ name }) => name === 'notifyOnReady')?.['origin'],
      },
    );
    const { settings, outranked } = await writeReviewLoop(scenario.root, { maxIterations: 4, severityThreshold: 'high' });
    assert.deepEqual([settings.maxIterations, settings.severityThreshold, outranked], [4, 'high', []]);
    assert.deepEqual(await readReviewLoop(scenario.root), settings);
    const text = await projectText();
    await assert.rejects(writeReviewLoop(scenario.root, { maxIterations: 2, severityThreshold: 'blocker' }), { code: 'bad-config' });
    assert.equal(await projectText(), text);
  });

  test('the schema is printed as it is published', async () => {
    const { stdout } = await config('schema');
    const published = await readFile(new URL('../../schemas/volley.schema.json', import.meta.url), 'utf8');
    assert.deepEqual(JSON.parse(stdout), JSON.parse(published));
  });
});
