import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadOwnRules } from '../../src/agents/builtin/load-rules.ts';
import { LANGUAGES } from '../../src/agents/builtin/rule.ts';
import type { Language, Rule } from '../../src/agents/builtin/rule.ts';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

const SORTS = 'export function years(byYear) {\n  const keys = Object.keys(byYear);\n  return keys.map(Number).sort();\n}\n';
const EVERY = Object.keys(LANGUAGES).filter((name): name is Language => name in LANGUAGES);

/** A repository without any configuration. */
async function bare(files: Readonly<Record<string, string>>): Promise<Scenario> {
  const scenario = await makeScenario();
  await scenario.repository.remove('volley.yaml');
  await scenario.repository.commit('no configuration', { 'README.md': '# Sample\n' });
  await scenario.repository.git('switch', '--quiet', '-c', 'feature');
  await scenario.repository.commit('a change', files);
  return scenario;
}

describe('the built-in agents', { concurrency: 2 }, () => {
  test('find every planted defect of every rule, and nothing in the clean twin', async () => {
    const rules = await loadOwnRules(EVERY);
    const planted = rules.flatMap((rule) => samplesOf(rule, 'bad'));
    await using scenario = await bare(Object.fromEntries(planted.map(({ path, code }) => [path, code])));
    const found = (await scenario.volley(['review', '--no-record', '--json', '--fail-on', 'suggestion'])).loop().findings;
    const missed = planted.filter(
      ({ path, words }) => !found.some(({ file, description }) => file === path && words.every((part) => description.includes(part))),
    );
    assert.deepEqual(
      missed.map(({ path }) => path),
      [],
    );

    await using twin = await bare(
      Object.fromEntries(rules.flatMap((rule) => samplesOf(rule, 'good')).map(({ path, code }) => [path, code])),
    );
    const clean = await twin.volley(['review', '--no-record', '--json', '--fail-on', 'medium']);
    const sentences = rules.map(({ message }) => wordsOf(message));
    const ours = clean
      .loop()
      .findings.filter(({ description }) => sentences.some((words) => words.every((part) => description.includes(part))));
    assert.deepEqual(
      ours.map(({ file, description }) => `${file}: ${description}`),
      [],
    );
    assert.equal(clean.code, 0);
  });

  test('review and fix a branch until it is approved, without any configuration', async () => {
    await using scenario = await bare({ 'years.js': SORTS });
    const ran = await scenario.volley(['review', '--fix', '--json']);
    const loop = ran.loop();
    assert.deepEqual([ran.code, loop.state, loop.rounds.length, loop.findings.map(({ status }) => status)], [0, 'approved', 2, ['fixed']]);
    assert.equal((await scenario.volley(['land', '1'])).code, 0);
    assert.equal(await readFile(join(scenario.root, 'years.js'), 'utf8'), SORTS.replace('.sort()', '.sort((a, b) => a - b)'));
  });

  test('ask a person about what has no exact fix', async () => {
    await using scenario = await bare({
      'save.js': 'export const save = (items, db) => items.forEach(async (item) => { await db.save(item); });\n',
    });
    const ran = await scenario.volley(['review', '--fix']);
    assert.equal(ran.code, 2);
    assert.match(ran.stdout, /cannot fix it: it has no exact fix/);
  });

  test('fix a checkout whose lines end in another way than the commits', async () => {
    await using scenario = await bare({ 'years.js': SORTS });
    await scenario.repository.git('config', 'core.autocrlf', 'true');
    const loop = (await scenario.volley(['review', '--fix', '--json'])).loop();
    assert.deepEqual([loop.state, loop.findings.map(({ status }) => status)], ['approved', ['fixed']]);
    assert.equal(
      await scenario.repository.git('show', `${loop.branch}:years.js`),
      SORTS.replace('.sort()', '.sort((a, b) => a - b)').trimEnd(),
    );
  });

  test('run tools of the base where the change touches them', async () => {
    const log = (results: string): string =>
      `console.log('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"lint"}},"results":[${results}]}]}');\n`;
    const result =
      '{"level":"error","message":{"text":"bad"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"a.txt"},"region":{"startLine":1}}}]}';
    await using scenario = await makeScenario({
      files: { 'tools/lint.mjs': log(result) },
      config: { agents: { builtin: { sarif: ['node tools/lint.mjs'] } } },
    });
    await scenario.repository.git('switch', '--quiet', '-c', 'feature');
    await scenario.repository.commit('no results', { 'a.txt': 'bad\n', 'tools/lint.mjs': log('') });
    const loop = (await scenario.volley(['review', '--json'])).loop();
    assert.deepEqual(
      loop.findings.map(({ file, description }) => [file, description]),
      [['a.txt', 'bad']],
    );
  });

  test('read what is committed, in whatever encoding the change wants it to be checked out', async () => {
    await using scenario = await bare({ 'README.md': '# Sample\n' });
    const bytes = await scenario.repository.gitBytes(
      'import yaml\n\n\ndef f(x):\n    return yaml.load(x)\n',
      'hash-object',
      '-w',
      '--stdin',
    );
    await scenario.repository.write('.gitattributes', '*.py working-tree-encoding=UTF-32\n');
    await scenario.repository.git('add', '.gitattributes');
    await scenario.repository.git('update-index', '--add', '--cacheinfo', `100644,${bytes.toString('utf8').trim()},x.py`);
    await scenario.repository.git('commit', '--quiet', '-m', 'odd');
    const loop = (await scenario.volley(['review', '--no-record', '--json'])).loop();
    assert.deepEqual(
      loop.findings.map(({ file, line }) => [file, line]),
      [['x.py', 5]],
    );
  });

  test('take rules of the base branch, never those of the change', async () => {
    await using scenario = await makeScenario({
      files: {
        '.volley/rules/house.yml':
          'id: house-rule\nlanguages: [js]\nseverity: high\nmessage: No $F here.\nrule: { pattern: $F($A) }\nconstraints: { F: { regex: ^legacy$ } }\n',
      },
    });
    await scenario.repository.git('switch', '--quiet', '-c', 'feature');
    await scenario.repository.remove('.volley/rules/house.yml');
    await scenario.repository.commit('no rule', { 'a.js': 'legacy(1);\n' });
    const ran = await scenario.volley(['review', '--json']);
    assert.deepEqual(
      ran.loop().findings.map(({ description }) => description),
      ['No legacy here.'],
    );
  });
});

describe('a one-shot review', { concurrency: 2 }, () => {
  test('shows the line, why it matters and the fix', async () => {
    await using scenario = await bare({ 'years.js': SORTS });
    const { code, stdout } = await scenario.volley(['review']);
    assert.equal(code, 3);
    assert.match(stdout, /^years\.js/m);
    assert.match(stdout, /medium {2}Numbers are sorted as text\./);
    assert.match(stdout, /3 │ - +return keys\.map\(Number\)\.sort\(\);/);
    assert.match(stdout, /fix │ \+ +return keys\.map\(Number\)\.sort\(\(a, b\) => a - b\);/);
  });

  test('says which files no rule looked at', async () => {
    await using scenario = await bare({ 'a.php': '<?php\n', 'b.js': 'export {};\n' });
    const { code, stdout } = await scenario.volley(['review', '--no-record']);
    assert.equal(code, 0);
    assert.match(stdout, /nothing found; rules looked at 1 file; only secrets were looked for in a\.php\./);
  });

  test('asks for a base where there is none', async () => {
    await using scenario = await bare({ 'b.js': 'export {};\n' });
    await scenario.repository.git('branch', '--quiet', '-m', 'main', 'trunk');
    const { code, stderr } = await scenario.volley(['review']);
    assert.deepEqual([code, /There is nothing to compare with/.test(stderr), /--base REF/.test(stderr)], [1, true, true]);
  });

  test('leaves no trace where it is not recorded', async () => {
    await using scenario = await bare({ 'years.js': SORTS });
    const { code, stdout } = await scenario.volley(['review', '--no-record']);
    assert.equal(code, 3);
    assert.match(stdout, /✗ CHANGES_REQUESTED/);
    assert.doesNotMatch(stdout, /Task 1|volley decide/);
    assert.equal(existsSync(join(scenario.root, '.volley')), false);
  });

  test('of a working tree keeps no copy of it where it is not recorded', async () => {
    await using scenario = await bare({});
    await scenario.repository.write('years.js', SORTS);
    assert.equal((await scenario.volley(['review', '--working-tree', '--no-record'])).code, 3);
    const [project = ''] = await readdir(join(scenario.state, 'volley'));
    const home = join(scenario.state, 'volley', project);
    const refs = await scenario.repository.git('--git-dir', join(home, 'repo.git'), 'for-each-ref', '--format=%(objectname)');
    const head = await scenario.repository.git('rev-parse', 'HEAD');
    assert.deepEqual(refs.split('\n'), [head]);
    assert.deepEqual(await readdir(join(home, 'reviews')), []);
  });

  test('fails from the severity on that is asked for', async () => {
    await using scenario = await bare({ 'years.js': SORTS });
    assert.equal((await scenario.volley(['review', '--no-record', '--fail-on', 'high'])).code, 0);
    assert.equal((await scenario.volley(['review', '--no-record', '--fail-on', 'medium'])).code, 3);
    const wrong = await scenario.volley(['review', '--fail-on', 'terrible']);
    assert.deepEqual([wrong.code, /--fail-on must be/.test(wrong.stderr)], [1, true]);
  });

  test('prints SARIF or Markdown and nothing else, also where there is nothing to review', async () => {
    await using scenario = await bare({ 'years.js': SORTS });
    const sarif = JSON.parse((await scenario.volley(['review', '--sarif'])).stdout) as { runs: { results: { ruleId: string }[] }[] };
    assert.deepEqual(
      sarif.runs[0]?.results.map(({ ruleId }) => ruleId),
      ['js-sort-numbers'],
    );
    const markdown = await scenario.volley(['review', '--markdown']);
    assert.match(markdown.stdout, /^## Changes requested\n/);
    assert.match(markdown.stdout, /```diff\n/);
    const nothing = JSON.parse((await scenario.volley(['review', '--working-tree', '--sarif'])).stdout) as {
      runs: { results: unknown[] }[];
    };
    assert.deepEqual(nothing.runs[0]?.results, []);
    assert.equal((await scenario.volley(['review', '--working-tree', '--markdown'])).stdout, '## Nothing to review\n');
    const both = await scenario.volley(['review', '--sarif', '--markdown']);
    assert.deepEqual([both.code, /More than one format/.test(both.stderr)], [1, true]);
  });

  test('never prints the value of a secret, in any format', async () => {
    const value = ['ghp', 'R4nd0mV4lu3Th4tN0b0dyKn0ws12345678Ab'].join('_');
    const random = ['k9Qz3vT7', 'Lm2XcR8b', 'WnJ5yHd4', 'PfGs6uEa'].join('');
    await using scenario = await bare({
      'a.py': `TOKEN = "${value}"\n`,
      'b.js': `export const signer = "${random}"; if (signer === NaN) throw 'x';\n`,
    });
    for (const args of [[], ['--json'], ['--sarif'], ['--markdown'], ['--no-record']]) {
      const { code, stdout, stderr } = await scenario.volley(['review', ...args]);
      assert.equal(code, 3);
      for (const secret of [value, random]) assert.ok(!`${stdout}${stderr}`.includes(secret), `${args.join(' ')} shows it`);
    }
    const document = await readFile(
      join(scenario.root, (await scenario.volley(['show', '1'])).stdout.match(/review +(\S+)/)?.[1] ?? ''),
      'utf8',
    );
    for (const secret of [value, random]) assert.ok(!document.includes(secret));
    const kept = await readdir(join(scenario.root, '.volley'), { recursive: true, withFileTypes: true });
    for (const entry of kept.filter((one) => one.isFile())) {
      const bytes = await readFile(join(entry.parentPath, entry.name));
      for (const secret of [value, random]) assert.ok(!bytes.includes(secret), `${entry.name} holds it`);
    }
  });
});

type Planted = { readonly path: string; readonly code: string; /** What its rule says of it. */ readonly words: readonly string[] };

function samplesOf(rule: Rule, kind: 'bad' | 'good'): Planted[] {
  const [first] = rule.documents;
  const grammar = first !== undefined && 'language' in first ? String(first.language) : '';
  const own = EVERY.find((name) => LANGUAGES[name].grammars.some((word) => word === grammar)) ?? 'js';
  const words = wordsOf(rule.message);
  return (rule.examples?.[kind] ?? []).map((example, index) => {
    const named = 'language' in example ? EVERY.find((name) => name === example.language) : undefined;
    return { path: `${rule.id}/${index + 1}.${LANGUAGES[named ?? own].endings[0]}`, code: example.code, words };
  });
}

/** The sentence of a rule without the placeholders in whose place names of the code stand. */
function wordsOf(message: string): readonly string[] {
  return message.split(/\$+[A-Z_]+/);
}
