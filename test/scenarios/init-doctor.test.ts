import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { makeRepository } from '../support/repository.ts';
import type { Files } from '../support/repository.ts';
import { runCommand } from '../support/run-command.ts';
import { eventually, makeScenario, turns } from '../support/scenario.ts';
import type { Scenario, VolleyResult } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';
import { assertMistake, commandLines } from '../support/whole-loop.ts';

const NODE_PROJECT: Files = {
  'package.json': JSON.stringify({ name: 'shop', private: true, scripts: { test: 'node --test', lint: 'node lint.js' } }),
  'package-lock.json': JSON.stringify({ name: 'shop', lockfileVersion: 3, requires: true, packages: { '': { name: 'shop' } } }),
  'lint.js': '',
  'price.test.js': "require('node:test').test('a price', () => undefined);\n",
  '.gitignore': 'node_modules/\n.env\n',
  '.github/workflows/ci.yml': 'jobs: { test: { steps: [{ run: npm ci }, { run: npm test }] } }\n',
};

/** A scenario in a repository that nobody has configured yet. */
async function makeProject(files: Files): Promise<Scenario> {
  const scenario = await makeScenario({ files });
  await scenario.repository.remove('volley.yaml');
  await scenario.repository.commit('without a configuration');
  return scenario;
}

/** A folder of programs before all others in PATH. */
async function withPrograms(folder: string, programs: Readonly<Record<string, string>>): Promise<{ readonly PATH: string }> {
  await mkdir(folder, { recursive: true });
  for (const [name, script] of Object.entries(programs)) await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: [folder, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter) };
}

function objectsOf(result: VolleyResult, type: string): readonly Readonly<Record<string, unknown>>[] {
  return result.objects().filter((object) => object['type'] === type);
}

/** The checks of a doctor as `status name: text`, those of the machine aside. */
function checksOf(result: VolleyResult): string[] {
  return objectsOf(result, 'check')
    .filter(({ name }) => !['node', 'git', 'state', 'confinement'].includes(String(name)))
    .map(({ status, name, text }) => `${String(status)} ${String(name)}: ${String(text)}`);
}

/** What trying gates left in Volley's own folder. */
function leftCheckouts(scenario: Scenario): string[] {
  const found = readdirSync(scenario.state, { recursive: true, encoding: 'utf8' });
  return found.filter((path) => /(?:checkouts|worktrees|repo\.git\/volley)\/[^/]+$/.test(path));
}

describe('volley init', { concurrency: 2 }, () => {
  test('writes what a Node project says about itself, and volley doctor --gates finds it right', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    await writeFile(join(scenario.root, '.env'), 'TOKEN=1\n');
    const made = await scenario.volley(['init']);
    assert.deepEqual([made.code, made.stderr], [0, ''], made.stdout);
    assert.match(made.stdout, /^ {2}gate +npm test +package\.json, \.github\/workflows\/ci\.yml$/m);
    assert.match(
      made.stdout,
      /✓ volley\.yaml is written\n\nNext:\n {2}volley doctor --gates .*\n {2}git add volley\.yaml && git commit .*\n/,
    );
    const text = await readFile(join(scenario.root, 'volley.yaml'), 'utf8');
    assert.match(text, /^ {2}- npm run lint +# package\.json\n {2}- npm test +# package\.json, \.github\/workflows\/ci\.yml$/m);
    assert.match(text, /^ {2}setup: npm ci +# package-lock\.json/m);
    assert.match(text, /^ {2}# copy: \[\.env\]/m);
    await scenario.repository.commit('configured');
    const before = await userState(scenario.root);
    const examined = await scenario.volley(['doctor', '--gates']);
    assert.equal(examined.code, 0, examined.stdout + examined.stderr);
    const tried =
      /as in a loop:\n {2}✓ npm ci \(set-up\) … passed in [\d.]+ s\n {2}✓ npm run lint … passed in [\d.]+ s\n {2}✓ npm test … passed/;
    assert.match(examined.stdout, tried);
    assert.deepEqual(await userState(scenario.root), before);
    assert.equal(existsSync(join(scenario.root, '.volley')), false);
    assert.deepEqual(leftCheckouts(scenario), []);
  });

  test('guesses for Python and Go projects what they have settings for', async () => {
    await using scenario = await makeProject({
      'pyproject.toml': '[tool.ruff]\n[tool.pytest.ini_options]\n',
      'uv.lock': '',
      '.gitignore': '.venv\n',
    });
    const python = await scenario.volley(['init', '--json']);
    assert.deepEqual(
      objectsOf(python, 'gate').map(({ run, from, active }) => [run, from, active]),
      [
        ['uv run ruff check .', ['pyproject.toml'], true],
        ['uv run pytest', ['pyproject.toml'], true],
      ],
    );
    await using go = await makeRepository({ files: { 'go.mod': 'module x\n', 'go.sum': '' } });
    const made = await scenario.volley(['init', '--json'], { cwd: go.root });
    const summary = made.objects().at(-1);
    assert.deepEqual(
      objectsOf(made, 'gate').map(({ run }) => run),
      ['go vet ./...', 'go test ./...'],
    );
    assert.deepEqual(
      [summary?.['type'], summary?.['v'], summary?.['outcome'], summary?.['file']],
      ['init', 1, 'written', join(go.root, 'volley.yaml')],
    );
    assert.equal(summary?.['text'], await readFile(join(go.root, 'volley.yaml'), 'utf8'));
    assert.match(summary?.['text'] ?? '', /^ {2}setup: go mod download/m);
  });

  test('works in a repository without commits, and says what comes first', async () => {
    await using scenario = await makeScenario();
    await using empty = await makeRepository({ files: {} });
    const made = await scenario.volley(['init'], { cwd: empty.root });
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /✗ repository .*nothing is committed yet/);
    assert.match(made.stdout, /Next:\n {2}git add \. && git commit /);
    assert.equal(existsSync(join(empty.root, 'volley.yaml')), true);
    const examined = await scenario.volley(['doctor', '--gates'], { cwd: empty.root });
    assert.equal(examined.code, 1);
    assert.match(examined.stdout, /✗ repository .*\n +Commit what you have/);
    assert.match(examined.stdout, /The gates were not tried/);
  });

  test('outside of a repository is one clear mistake that leaves nothing behind', async () => {
    await using scenario = await makeScenario();
    const cwd = join(scenario.repository.beside, 'elsewhere');
    await mkdir(cwd);
    const mistake = {
      code: 'not-a-repository',
      message: `${cwd} is not in a git repository.`,
      remedy: 'Change to your project, or make one with git init.',
    };
    for (const reader of ['person', 'program'] as const) await assertMistake(scenario, ['init'], { ...mistake, cwd, reader });
    assert.deepEqual(readdirSync(cwd), []);
    const examined = await scenario.volley(['doctor', '--json'], { cwd });
    assert.equal(examined.code, 1);
    assert.deepEqual(checksOf(examined), [`problem repository: ${mistake.message}`]);
    assert.deepEqual(examined.objects().at(-1)?.['problems'], 1);
  });

  test('never overwrites: the old file stays, or is kept beside the new one however often', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const file = join(scenario.root, 'volley.yaml');
    await writeFile(file, 'gates: [my own]\n');
    const refused = await scenario.volley(['init']);
    assert.equal(refused.code, 0);
    assert.match(refused.stdout, /volley\.yaml exists and is left as it is\. .*--force/);
    assert.match(refused.stdout, /^ {4}- npm test +# package\.json/m);
    assert.equal(await readFile(file, 'utf8'), 'gates: [my own]\n');
    const forced = await scenario.volley(['init', '--force']);
    assert.match(forced.stdout, /volley\.yaml is written; the old one is volley\.yaml\.bak\n/);
    assert.equal(await readFile(`${file}.bak`, 'utf8'), 'gates: [my own]\n');
    assert.match((await scenario.volley(['init', '--force'])).stdout, /already as it would be written/);
    await writeFile(file, 'gates: [again]\n');
    assert.match((await scenario.volley(['init', '--force'])).stdout, /the old one is volley\.yaml\.bak2\n/);
    assert.deepEqual(await Promise.all([`${file}.bak`, `${file}.bak2`].map(async (path) => await readFile(path, 'utf8'))), [
      'gates: [my own]\n',
      'gates: [again]\n',
    ]);
  });

  test('a volley.yaml that is a link to nowhere is not written through', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const target = join(scenario.repository.beside, 'target');
    await symlink(target, join(scenario.root, 'volley.yaml'));
    assert.match((await scenario.volley(['init'])).stdout, /exists and is left as it is/);
    assert.equal((await scenario.volley(['init', '--force'])).code, 0);
    assert.equal(existsSync(target), false);
  });

  test('says that what the set-up fills would be committed, where git does not ignore it', async () => {
    await using scenario = await makeProject({ ...NODE_PROJECT, '.gitignore': '' });
    assert.match(
      (await scenario.volley(['init'])).stdout,
      /! checkout +Git does not ignore node_modules\/, .*\n +Add the line node_modules\/ to \.gitignore\./,
    );
  });

  test("says nothing of node_modules where yarn's Plug'n'Play makes none", async () => {
    await using scenario = await makeProject({ 'package.json': '{}', 'yarn.lock': '__metadata:\n', '.pnp.cjs': '' });
    const made = await scenario.volley(['init']);
    assert.match(made.stdout, /set-up +yarn install --immutable/);
    assert.doesNotMatch(made.stdout, /node_modules/);
  });

  test('does not switch on what could publish, so that trying the gates cannot', async () => {
    await using scenario = await makeProject({
      'package.json': JSON.stringify({ scripts: { test: 'node --test', build: 'npm run ship', ship: 'git push' } }),
      Makefile: 'lint: deploy\ndeploy:\n\tfalse\n',
    });
    assert.match((await scenario.volley(['init'])).stdout, /\(gate\) +npm run build +package\.json; left as a comment: it could publish/);
    const text = await readFile(join(scenario.root, 'volley.yaml'), 'utf8');
    assert.match(text, /^ {2}# - make lint +# Makefile; it could publish or deploy: "deploy"$/m);
    await scenario.repository.commit('configured');
    const tried = objectsOf(await scenario.volley(['doctor', '--gates', '--json']), 'gate');
    assert.deepEqual(
      tried.map(({ name }) => name),
      ['npm test'],
    );
  });

  test('passes by links that lead to themselves', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    for (const [target, path] of [
      ['b', 'a.json'],
      ['a.json', 'b'],
    ] as const)
      await symlink(target, join(scenario.root, path));
    const made = await scenario.volley(['init']);
    assert.deepEqual([made.code, made.stderr], [0, ''], made.stdout);
    await writeFile(join(scenario.root, 'volley.yaml'), 'gates: [{ run: "true", cwd: b }]\n');
    assert.match((await scenario.volley(['doctor'])).stdout, /✗ gates +There is no folder b\./);
  });

  test('reads files as editors on other systems write them', async () => {
    await using scenario = await makeProject({
      'package.json': `\uFEFF${JSON.stringify({ scripts: { test: 'node --test' } })}`,
      'pyproject.toml': '[tool.mypy]\r\nfiles = "src"\r\n',
    });
    const made = await scenario.volley(['init', '--json']);
    assert.deepEqual(
      objectsOf(made, 'gate').map(({ run }) => run),
      ['mypy', 'npm test'],
    );
  });

  test('says which files it could not read', async (context) => {
    await using scenario = await makeProject({ 'package.json': '{"scripts": {"test": "jest"},}' });
    const broken = await scenario.volley(['init']);
    assert.equal(broken.code, 0);
    assert.match(broken.stdout, /gate +none +no file at the root that can be read says/);
    assert.match(broken.stdout, /! files +package\.json cannot be read: Expected double-quoted property name/);
    // A file that even root cannot read.
    if (!existsSync('/proc/self/mem')) return context.skip('there is no /proc');
    await scenario.repository.remove('package.json');
    await symlink('/proc/self/mem', join(scenario.root, 'package.json'));
    assert.match((await scenario.volley(['init'])).stdout, /! files +package\.json cannot be read: EIO: i\/o error/);
  });

  test('names files as they are reached from where the user is', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const cwd = join(scenario.root, 'a', 'b');
    await mkdir(cwd, { recursive: true });
    const link = join(scenario.repository.beside, 'elsewhere');
    await symlink(cwd, link);
    for (const here of [link, cwd]) {
      const made = await scenario.volley(['init', '--force'], { cwd: here });
      assert.match(made.stdout, /✓ volley\.yaml is written.*\n\nNext:\n.*\n {2}git add \.\.\/\.\.\/volley\.yaml && git commit /);
      await writeFile(join(scenario.root, 'volley.yaml'), '');
    }
    const examined = await scenario.volley(['doctor'], { cwd });
    const remedy = 'git add ../../volley.yaml && git commit -m "Configure Volley" ../../volley.yaml';
    assert.ok(examined.stdout.includes(`Commit it: ${remedy}.`), examined.stdout);
    const typed = async (line: string): Promise<number | null> => (await runCommand('sh', ['-c', line], { cwd })).exitCode;
    assert.equal(await typed(remedy), 0);
    await scenario.repository.commit('a journal', { '.volley/volley.db': 'x' });
    const [, untrack = ''] = /(git rm .*)\.$/m.exec((await scenario.volley(['doctor'], { cwd })).stdout) ?? [];
    assert.deepEqual([untrack, await typed(untrack)], ['git rm -r --cached ../../.volley/volley.db', 0]);
  });

  test('asks coding agents for their version with nothing of the user, and does not wait for one that hangs', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const seen = join(scenario.repository.beside, 'seen');
    const env = await withPrograms(join(scenario.repository.beside, 'bin'), {
      claude: `echo '1.2.3'; sleep 4242 & sleep 4242`,
      codex: `{ env; pwd; ls -A; } > '${seen}'; echo 'codex-cli 0.87.0'`,
      gemini: 'echo broken >&2; exit 1',
    });
    const made = await scenario.volley(['init'], { env: { ...env, MY_SECRET: 'canary' } });
    assert.equal(made.code, 0, made.stderr);
    assert.match(
      made.stdout,
      /agent +Claude Code +found, not logged in: volley login claude; .*claude --version did not answer in 10 s\.$/m,
    );
    assert.match(made.stdout, /agent +Codex \(0\.87\.0\) +found, not logged in: volley login codex$/m);
    assert.match(made.stdout, /agent +Gemini CLI +found; its driver is not in this version yet; .*gemini --version gave no version\.$/m);
    assert.match(
      readFileSync(join(scenario.root, 'volley.yaml'), 'utf8'),
      /^ {2}# codex: .*found here, 0\.87\.0; not logged in: volley login codex$/m,
    );
    const told = readFileSync(seen, 'utf8');
    assert.doesNotMatch(told, /canary/);
    const names = told.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []);
    // The last three are made by some shells.
    const allowed = ['HOME', 'LANG', 'NO_COLOR', 'PATH', 'TERM', 'TMPDIR', 'VOLLEY_SESSION', 'PWD', 'SHLVL', '_'];
    assert.deepEqual(
      names.filter((name) => !allowed.includes(name)),
      [],
    );
    const folder = /^HOME=(.*)$/m.exec(told)?.[1] ?? '';
    assert.equal(told.endsWith(`\n${folder}\n`), true, 'it started in an empty folder, its home');
    assert.equal(existsSync(folder), false);
    await eventually(
      'nothing of it runs any more',
      async () => await Promise.resolve(!commandLines().some((line) => line.includes('sleep 4242'))),
    );
  });

  test('does not start a program that came with the clone', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const ran = join(scenario.repository.beside, 'ran');
    const env = await withPrograms(join(scenario.root, 'node_modules', '.bin'), { codex: `touch '${ran}'; echo 1.0.0` });
    const made = await scenario.volley(['init', '--json'], { env });
    assert.equal(made.code, 0);
    assert.equal(existsSync(ran), false);
  });
});

describe('volley doctor', { concurrency: 2 }, () => {
  test('tells all that is wrong in a broken volley.yaml with its lines', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    await writeFile(join(scenario.root, 'volley.yaml'), 'policy:\n  maxRond: 3\n  blockAt: hihg\n');
    const examined = await scenario.volley(['doctor', '--gates']);
    assert.equal(examined.code, 1);
    assert.match(
      examined.stdout,
      /✗ configuration The configuration has 2 errors:\n +volley\.yaml:2: policy\.maxRond is not a setting.*\n +volley\.yaml:3: /,
    );
    assert.match(examined.stdout, /The gates were not tried/);
    assert.match(examined.stdout, /^1 problem to mend before loops can run/m);
  });

  test('names every agent with its roles, what cannot be started, and variables that are not set', async () => {
    const config = {
      agents: {
        gone: { driver: 'command', run: ['no-such-program'] },
        unread: { driver: 'command', run: ['node', 'tools/nope.js'] },
        reviewer: { env: ['VOLLEY_TEST_UNSET'] },
      },
      roles: { author: 'gone', fixer: 'unread', fallback: ['reviewer'] },
    };
    await using scenario = await makeScenario({ agents: { reviewer: turns() }, config });
    const examined = await scenario.volley(['doctor', '--json']);
    assert.equal(examined.code, 1);
    assert.deepEqual(
      checksOf(examined).filter((line) => line.includes(' agent: ')),
      [
        'problem agent: gone as author cannot be started: no-such-program was not found in PATH.',
        'ok agent: reviewer as reviewer and fallback',
        'warning agent: reviewer as reviewer and fallback is to get VOLLEY_TEST_UNSET, which is not set here.',
        'problem agent: unread as fixer cannot be started: there is no file tools/nope.js beside the configuration that names it.',
      ],
    );
  });

  test('a role that nobody knows does not hide what is wrong with the gates', async () => {
    await using scenario = await makeScenario({
      config: { roles: { reviewer: 'nobody' }, gates: ['no-such-program --all', 'cd . && true'] },
    });
    const examined = await scenario.volley(['doctor', '--json']);
    const told = checksOf(examined).filter((line) => line.startsWith('problem'));
    assert.equal(told.length, 2);
    assert.match(told[0] ?? '', /^problem roles: nobody \(reviewer\) is not an agent/);
    assert.equal(told[1], 'problem gates: no-such-program was not found in PATH. It is needed for: no-such-program --all');
  });

  test('warns of a journal that came with a commit, of hooks that nobody runs, and of a state folder that is none', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    await scenario.repository.commit('a journal', { '.volley/volley.db': 'x', '.volley/standards.md': 'Be kind.\n' });
    await scenario.repository.write('.git/hooks/pre-commit', '#!/bin/sh\n', { executable: true });
    const examined = await scenario.volley(['doctor', '--json'], { env: { XDG_STATE_HOME: join(scenario.root, 'package.json') } });
    assert.equal(examined.code, 1);
    const told = checksOf(examined);
    assert.ok(told.includes("problem journal: Git tracks .volley/volley.db; the journal of a project is nobody else's."), told.join('\n'));
    assert.ok(told.includes('warning commit hooks: .git/hooks/pre-commit is not run: only hooks that are committed are.'), told.join('\n'));
    const state = objectsOf(examined, 'check').find(({ name }) => name === 'state');
    assert.equal(state?.['status'], 'problem');
  });

  test('finds a folder of the journal that cannot be made or written', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const folder = join(scenario.root, '.volley');
    const told = async (): Promise<string[]> =>
      checksOf(await scenario.volley(['doctor', '--json'])).filter((line) => line.includes(' journal: '));
    assert.deepEqual(await told(), []);
    const problem = `problem journal: ${folder} is not a folder that can be written, and the journal of this project is kept in ${folder}.`;
    await writeFile(folder, '');
    assert.deepEqual(await told(), [problem]);
    await rm(folder);
    await symlink('nowhere', folder);
    assert.deepEqual(await told(), [problem]);
    await rm(folder);
    await mkdir(folder);
    assert.deepEqual(await told(), []);
  });

  test('a git that is missing or too old is told with the one that will do', async () => {
    await using scenario = await makeProject(NODE_PROJECT);
    const beside = scenario.repository.beside;
    const gitCheck = async (PATH: string): Promise<unknown[]> => {
      const check = objectsOf(await scenario.volley(['doctor', '--json'], { env: { PATH } }), 'check').find(({ name }) => name === 'git');
      return [check?.['status'], check?.['text'], check?.['remedy']];
    };
    const remedy = 'Install git 2.38 or newer and see that it is in PATH.';
    assert.deepEqual(await gitCheck(join(beside, 'nothing')), ['problem', 'git could not be started.', remedy]);
    const { PATH } = await withPrograms(join(beside, 'old'), { git: 'echo git version 2.9.5' });
    const text = 'git version 2.9.5 is too old: 2.38 is the first that can do what loops need.';
    assert.deepEqual(await gitCheck(PATH), ['problem', text, remedy]);
    const exact = await withPrograms(join(beside, 'exact'), {
      git: `[ "$*" != "\${*% version}" ] && echo git version 2.38.0 || exec /usr/bin/git "$@"`,
    });
    assert.equal((await gitCheck(exact.PATH))[0], 'ok');
  });

  test('finds the commit hooks of the tree and a base that has nothing in common', async () => {
    await using scenario = await makeProject({ ...NODE_PROJECT, '.githooks/pre-commit': '#!/bin/sh\n' });
    await scenario.repository.git('config', 'core.hooksPath', '.githooks');
    assert.ok(checksOf(await scenario.volley(['doctor', '--json'])).includes('ok commit hooks: .githooks/pre-commit; they run as a gate'));
    await scenario.repository.git('checkout', '--quiet', '--orphan', 'other');
    await scenario.repository.commit('another beginning');
    const examined = await scenario.volley(['doctor', '--gates', '--json']);
    assert.equal(examined.code, 1);
    assert.ok(checksOf(examined).includes('problem base: Nothing here is common to main and what is checked out.'));
  });
});

describe('volley doctor --gates', { concurrency: 2 }, () => {
  test('what is red on the base is a warning with its last words, and a gate undoes what it did to the files', async () => {
    const gates = [
      { name: 'formatter', run: 'echo changed > a.txt; echo left > new.txt' },
      { name: 'clean', run: '[ "$(cat a.txt)" = a ] && [ ! -e new.txt ] && [ -n "$VOLLEY_PORT" ] && [ -z "$MY_SECRET" ]' },
      { name: 'red', run: 'seq 100; echo the last word; exit 3' },
    ];
    await using scenario = await makeScenario({ files: { 'a.txt': 'a\n' }, config: { gates } });
    await writeFile(join(scenario.root, 'a.txt'), 'not committed\n');
    const before = await userState(scenario.root);
    const examined = await scenario.volley(['doctor', '--gates'], { env: { MY_SECRET: 'x' } });
    assert.equal(examined.code, 0, examined.stdout + examined.stderr);
    assert.match(
      examined.stdout,
      / {2}✓ formatter … passed in .*\n {2}✓ clean … passed in .*\n {2}! red … red after [\d.]+ s, exit code 3\n {4}│ 87\n/,
    );
    assert.match(examined.stdout, / {4}│ the last word\n {2}What is red before a change does not block it/);
    assert.deepEqual(await userState(scenario.root), before);
    assert.deepEqual(leftCheckouts(scenario), []);
  });

  test('a gate whose program a fresh checkout lacks is a problem, told to programs too', async () => {
    await using scenario = await makeScenario({ config: { gates: [{ name: 'test', run: 'true && no-such-program' }] } });
    const examined = await scenario.volley(['doctor', '--gates', '--json']);
    assert.equal(examined.code, 1);
    const [gate] = objectsOf(examined, 'gate');
    assert.deepEqual([gate?.['v'], gate?.['name'], gate?.['result'], gate?.['exitCode']], [1, 'test', 'unable', 127]);
    const { type, v, problems } = examined.objects().at(-1) ?? {};
    assert.deepEqual([type, v, problems], ['doctor', 1, 1]);
  });

  test('where the set-up fails no gate is tried', async () => {
    await using scenario = await makeScenario({ config: { checkout: { setup: 'echo no luck; false' }, gates: ['true'] } });
    const examined = await scenario.volley(['doctor', '--gates']);
    assert.equal(examined.code, 1);
    assert.match(examined.stdout, /✗ echo no luck; false \(set-up\) … red after .*\n {4}│ no luck\n {4}A loop would stop here\./);
    assert.doesNotMatch(examined.stdout, /✓ true/);
    assert.deepEqual(leftCheckouts(scenario), []);
  });

  test('Ctrl-C ends the gate and takes the checkout away', async () => {
    await using scenario = await makeScenario({ config: { gates: ['sleep 5353 & sleep 5353'] } });
    const before = await userState(scenario.root);
    const running = scenario.start(['doctor', '--gates']);
    await eventually('the gate runs', async () => await Promise.resolve(commandLines().some((line) => line.startsWith('sleep 5353'))));
    running.process.kill('SIGINT');
    const ended = await running.ended;
    assert.equal(ended.code, 130, ended.stderr);
    assert.equal(
      commandLines().some((line) => line.startsWith('sleep 5353')),
      false,
    );
    assert.deepEqual(leftCheckouts(scenario), []);
    assert.deepEqual(await userState(scenario.root), before);
  });
});
