import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, copyFile, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../support/run-command.ts';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { filesOf } from '../support/user-state.ts';
import { assertMistake, castFor, commandLines } from '../support/whole-loop.ts';
import type { Mistake } from '../support/whole-loop.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

type Case = Mistake & { readonly typed: readonly string[] };

const READERS = ['person', 'program'] as const;

const TASKS = 'See volley status for the tasks of this project.';
const COMMANDS = 'See volley help for all of them.';
const FINDING = 'Write volley finding ID.N refute|uphold|accept|reopen|apply [--reason T] [--later].';
const FINDING_ID = 'Write it as TASK.N, for example 29.4; volley findings TASK lists them.';
const MEMORY = 'Write volley memory [forget ID.N].';
const NO_WORDS = {
  code: 'bad-usage',
  message: 'A task needs words.',
  remedy: 'Write what is to be done: volley run "Add input validation".',
};
const UNKNOWN = (ref: string, remedy = 'See git branch --all for what there is.'): Mistake => ({
  code: 'unknown-ref',
  message: `There is no commit, branch or tag called '${ref}'.`,
  remedy,
});
const NO_RANGE = (range: string): Mistake => ({
  code: 'bad-usage',
  message: `'${range}' is not a range of commits.`,
  remedy: 'Write it as A..B, for example main..feature.',
});
const NO_ID = (text: string): Mistake => ({ code: 'bad-usage', message: `'${text}' is not the number of a task.`, remedy: TASKS });
const NO_TASK = (id: number): Mistake => ({ code: 'unknown-loop', message: `There is no task ${id}.`, remedy: TASKS });
const MISSING = (usage: string): Mistake => ({
  code: 'bad-usage',
  message: 'The number of a task is missing.',
  remedy: `Write volley ${usage}.`,
});

/** Typed in a repository where everything else is right. */
const IN_A_PROJECT: readonly Case[] = [
  { typed: ['frobnicate'], code: 'bad-usage', message: "There is no command 'frobnicate'.", remedy: COMMANDS },
  { typed: ['constructor'], code: 'bad-usage', message: "There is no command 'constructor'.", remedy: COMMANDS },
  { typed: ['help', 'frobnicate'], code: 'bad-usage', message: "There is no command 'frobnicate'.", remedy: COMMANDS },
  { typed: ['finding', '9', 'refute'], code: 'bad-usage', message: "'9' is not a finding.", remedy: FINDING_ID },
  { typed: ['finding'], code: 'bad-usage', message: 'A finding and one ruling are needed.', remedy: FINDING },
  {
    typed: ['finding', '9.1', 'deny'],
    code: 'bad-usage',
    message: "'deny' is no ruling.",
    remedy:
      'Write one of volley finding 9.1 refute, volley finding 9.1 uphold, volley finding 9.1 accept, volley finding 9.1 reopen, volley finding 9.1 apply.',
  },
  { typed: ['finding', '9.1', 'refute'], code: 'unknown-loop', message: 'There is no task 9.', remedy: TASKS },
  { typed: ['finding', '9.1', 'apply'], code: 'unknown-loop', message: 'There is no task 9.', remedy: TASKS },
  { typed: ['memory', 'forget'], code: 'bad-usage', message: 'The finding to forget is missing.', remedy: MEMORY },
  { typed: ['memory', 'forget', '9.1'], code: 'unknown-loop', message: 'There is no task 9.', remedy: TASKS },
  { typed: ['--frob'], code: 'bad-usage', message: "Unknown option '--frob'.", remedy: 'See volley help status.' },
  { typed: ['run', '--frob', 'x'], code: 'bad-usage', message: "Unknown option '--frob'.", remedy: 'See volley help run.' },
  {
    typed: ['run', 'x', '--base'],
    code: 'bad-usage',
    message: "Option '--base <value>' argument missing.",
    remedy: 'See volley help run.',
  },
  {
    typed: ['review', '--range', '-x..y'],
    code: 'bad-usage',
    message: "Option '--range' argument is ambiguous.",
    remedy: 'See volley help review.',
  },
  {
    typed: ['review', '--fix=yes'],
    code: 'bad-usage',
    message: /^Option '--fix' does not take an argument\.$/,
    remedy: 'See volley help review.',
  },
  { typed: ['status', 'now'], code: 'bad-usage', message: "'now' is not expected here.", remedy: 'Write volley status.' },
  { typed: ['run'], ...NO_WORDS },
  { typed: ['run', ''], ...NO_WORDS },
  { typed: ['run', ' \n\t '], ...NO_WORDS },
  {
    typed: ['run', 'x', '--story', 'nope.md'],
    code: 'bad-usage',
    message: "The document 'nope.md' cannot be read.",
    remedy: 'Check the path after --story.',
  },
  {
    typed: ['run', 'x', '--story', '.'],
    code: 'bad-usage',
    message: "The document '.' cannot be read.",
    remedy: 'Check the path after --story.',
  },
  { typed: ['run', 'x', '--base', 'nope'], ...UNKNOWN('nope') },
  { typed: ['run', 'x', '--base', 'mian'], ...UNKNOWN('mian', 'Did you mean main?') },
  { typed: ['run', 'x', '--base='], ...UNKNOWN('') },
  { typed: ['run', 'x', '--base=--output=pwned'], ...UNKNOWN('--output=pwned') },
  { typed: ['review', '--branch', 'nope'], ...UNKNOWN('nope') },
  { typed: ['review', '--range', 'nonsense'], ...NO_RANGE('nonsense') },
  { typed: ['review', '--range', '..'], ...NO_RANGE('..') },
  { typed: ['review', '--range='], ...NO_RANGE('') },
  { typed: ['review', '--range', 'a..b..c'], ...NO_RANGE('a..b..c') },
  { typed: ['review', '--range', 'main..nope'], ...UNKNOWN('nope') },
  { typed: ['review', '--range', 'nope..main'], ...UNKNOWN('nope') },
  {
    typed: ['review', '--range', 'main..HEAD', '--working-tree'],
    code: 'bad-usage',
    message: 'More than one change is named.',
    remedy: 'Choose one of --working-tree, --branch and --range.',
  },
  {
    typed: ['review', 'main'],
    code: 'bad-usage',
    message: "'main' is not the number of a task.",
    remedy: 'Name a change by --working-tree, --branch B or --range A..B, or a task: volley review 3.',
  },
  {
    typed: ['run', 'x', '--base', 'lonely'],
    code: 'unknown-ref',
    message: /^[0-9a-f]{12} and [0-9a-f]{12} have no common history\.$/,
    remedy: /Choose another base/,
  },
  { typed: ['run', 'x', '--max-rounds', '0'], code: 'bad-config', message: /^--max-rounds must be /, remedy: /docs\/configuration\.md/ },
  { typed: ['run', 'x', '--max-rounds', 'two'], code: 'bad-config', message: /^--max-rounds must be /, remedy: /docs\/configuration\.md/ },
  {
    typed: ['run', 'x', '--effort', 'hihg'],
    code: 'bad-config',
    message: /^--effort must be one of .*; did you mean high\?$/,
    remedy: /./,
  },
  { typed: ['run', 'x', '--ceiling', 'lots'], code: 'bad-config', message: /^--ceiling must be /, remedy: /./ },
  {
    typed: ['review', '--base', 'side', '--fail-on', 'big'],
    code: 'bad-config',
    message: /^--fail-on must be one of critical, high/,
    remedy: /./,
  },
  {
    typed: ['run', 'x', '--reviewer', 'reviwer'],
    code: 'unknown-agent',
    message: 'reviwer (reviewer) is not an agent; did you mean reviewer?',
    remedy: 'Known agents: builtin, author, reviewer, fixer, shut, lost, nowhere.',
  },
  {
    typed: ['run', 'x', '--reviewer', 'reviewer,reviewer'],
    code: 'bad-config',
    message: 'roles.reviewer names reviewer twice; every member of a panel has one seat.',
    remedy: 'Name each reviewer once, or give the same program a second name under agents.',
  },
  {
    typed: ['run', 'x', '--author', 'shut'],
    code: 'agent-not-executable',
    message: /^The agent shut cannot be started: \/.*\/shut\.sh is not executable\.$/,
    remedy: 'Correct its entry in volley.yaml, or choose another agent.',
  },
  {
    typed: ['run', 'x', '--fixer', 'lost'],
    code: 'agent-not-executable',
    message: /lost\.sh does not exist\.$/,
    remedy: /Correct its entry/,
  },
  {
    typed: ['run', 'x', '--author', 'nowhere'],
    code: 'agent-not-executable',
    message: /was not found in PATH\.$/,
    remedy: /Correct its entry/,
  },
  { typed: ['show'], ...MISSING('show ID') },
  { typed: ['show', 'abc'], ...NO_ID('abc') },
  { typed: ['show', '0'], ...NO_ID('0') },
  { typed: ['show', '1e3'], ...NO_ID('1e3') },
  { typed: ['show', '99999999999999999999'], ...NO_ID('99999999999999999999') },
  { typed: ['show', '1', '2'], code: 'bad-usage', message: "'2' is one word too many.", remedy: 'Write volley show ID.' },
  ...['show', 'why', 'log', 'findings', 'diff', 'retry', 'cancel', 'takeover', 'handback', 'land', 'work'].map((name) => ({
    typed: [name, '99'],
    ...NO_TASK(99),
  })),
  { typed: ['decide'], ...MISSING('decide ID CHOICE') },
  { typed: ['decide', 'x'], ...NO_ID('x') },
  { typed: ['decide', '99', 'accept'], ...NO_TASK(99) },
  { typed: ['land'], ...MISSING('land ID…, or volley land --all for every approved task') },
  { typed: ['config'], code: 'bad-usage', message: "'' is not a part of config.", remedy: /^Write volley config show/ },
];

describe('a mistake on the command line', { concurrency: 2 }, () => {
  let scenario: Scenario;
  let untouched: Readonly<Record<string, string>>;

  before(async () => {
    const bad = { shut: { run: ['./shut.sh'] }, lost: { run: ['/nowhere/lost.sh'] }, nowhere: { run: ['no-such-program-anywhere'] } };
    const agents = Object.fromEntries(Object.entries(bad).map(([name, entry]) => [name, { driver: 'command', ...entry }]));
    scenario = await makeScenario({ agents: castFor(['a.txt']), config: { agents }, files: { 'shut.sh': '#!/bin/sh\n' } });
    const { repository } = scenario;
    const lonely = await repository.git('commit-tree', '-m', 'lonely', await repository.git('rev-parse', 'HEAD^{tree}'));
    await repository.git('update-ref', 'refs/heads/lonely', lonely);
    await repository.git('branch', 'side');
    await repository.commit('more', { 'more.txt': 'more\n' });
    untouched = await filesOf(scenario.root);
  });
  after(async () => {
    // Here, because only now all of them are through.
    assert.deepEqual(await filesOf(scenario.root), untouched);
    assert.deepEqual(await leftovers(scenario), []);
    await scenario[Symbol.asyncDispose]();
  });

  for (const [index, { typed, ...mistake }] of IN_A_PROJECT.entries()) {
    // One function tells both; the first of each kind is typed twice.
    const readers = index < 4 ? READERS : READERS.slice(index % 2).slice(0, 1);
    for (const reader of readers) {
      test(`is told to a ${reader} in two sentences: volley ${JSON.stringify(typed)}`, async () =>
        await assertMistake(scenario, typed, { ...mistake, reader }));
    }
  }
});

/** What failed commands could leave in Volley's own folder, and processes that have to do with the scenario. */
async function leftovers({ state, repository }: Scenario): Promise<readonly string[]> {
  const projects = existsSync(join(state, 'volley')) ? readdirSync(join(state, 'volley')) : [];
  const folders = projects.flatMap((project) => readdirSync(join(state, 'volley', project)).filter((name) => name !== 'repo.git'));
  return await Promise.resolve([...folders, ...commandLines().filter((line) => line.includes(repository.beside))]);
}

describe('a place that is no project', { concurrency: 2 }, () => {
  let scenario: Scenario;
  const COMMAND_LINES = [['run', 'x'], ['status'], ['land', '1']];
  const PLACES: readonly (Mistake & { readonly place: string; readonly folder: string })[] = [
    {
      place: 'a folder outside of any repository',
      folder: 'plain',
      code: 'not-a-repository',
      message: /\/plain is not in a git repository\.$/,
      remedy: 'Change to your project, or make one with git init.',
    },
    {
      place: 'the inside of .git',
      folder: 'project/.git',
      code: 'not-a-repository',
      message: /\/project\/\.git is not inside a work tree\.$/,
      remedy: 'Change to a folder of your project and try again.',
    },
    {
      place: 'a folder below .git',
      folder: 'project/.git/objects',
      code: 'not-a-repository',
      message: /objects is not inside a work tree\.$/,
      remedy: /Change to a folder/,
    },
    {
      place: 'a bare repository',
      folder: 'bare.git',
      code: 'unsupported-repository',
      message: /\/bare\.git is a bare repository\.$/,
      remedy: 'Run volley in a work tree of it, such as a clone.',
    },
    {
      place: 'a repository without commits',
      folder: 'empty',
      code: 'no-commits',
      message: 'The current branch has no commits yet.',
      remedy: 'Commit something first: git add . && git commit.',
    },
  ];

  before(async () => {
    scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    await mkdir(join(repository.beside, 'plain'));
    await repository.git('clone', '--quiet', '--bare', repository.root, join(repository.beside, 'bare.git'));
    await repository.git('init', '--quiet', join(repository.beside, 'empty'));
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  for (const { place, folder, ...mistake } of PLACES) {
    test(`is refused by every command, and left as it is: ${place}`, async () => {
      const cwd = join(scenario.repository.beside, folder);
      const untouched = await filesOf(cwd);
      for (const typed of COMMAND_LINES) await assertMistake(scenario, typed, { ...mistake, cwd });
      await assertMistake(scenario, ['review'], { ...mistake, cwd, reader: 'program' });
      assert.deepEqual(await filesOf(cwd), untouched);
      assert.deepEqual(await leftovers(scenario), []);
      assert.equal(existsSync(join(scenario.root, '.volley')), false);
    });
  }
});

const CONFIGS: readonly (Mistake & { readonly what: string; readonly text: string | null; readonly typed?: readonly string[] })[] = [
  {
    what: 'three errors',
    text: 'agnets: {}\npolicy:\n  maxRound: 3\nroles: { reviewer: reviewer }\nagents:\n  reviewer: { run: 7 }\n',
    code: 'bad-config',
    message: [
      'The configuration has 3 errors:',
      '  volley.yaml:1: agnets is not a setting; did you mean agents?',
      '  volley.yaml:3: policy.maxRound is not a setting; did you mean maxRounds?',
      '  volley.yaml:6: agents.reviewer.run must be a list of the program and its arguments, like ["bash", "review.sh"]',
    ].join('\n'),
    remedy: 'Correct what is named above; docs/configuration.md lists every setting.',
  },
  {
    what: 'a line that is no YAML',
    text: 'policy: {\n',
    code: 'bad-config',
    message: /^volley\.yaml:\d: not valid YAML: /,
    remedy: /Correct what is named above/,
  },
  {
    what: 'words instead of settings',
    text: 'please review everything\n',
    code: 'bad-config',
    message: 'volley.yaml:1: the file must be a group of settings, not text',
    remedy: /./,
  },
  { what: 'bytes that are no text', text: '\u0000\u0001\u0002', code: 'bad-config', message: /^volley\.yaml:1: /, remedy: /./ },
  {
    what: 'an unknown agent in roles',
    text: 'roles: { author: nobody, reviewer: nobody }\n',
    code: 'unknown-agent',
    message: 'nobody (author) is not an agent',
    remedy: 'Known agents: builtin.',
  },
  {
    what: 'the built-in agent as author',
    text: 'roles: { author: builtin }\n',
    code: 'bad-config',
    message: 'builtin cannot be the author; it can be reviewer and fixer.',
    remedy: /^Write into volley\.yaml, for example:\n {2}agents:\n {4}my-author: /,
  },
  {
    what: 'nothing at all',
    text: null,
    code: 'bad-config',
    message: 'There is no author.',
    remedy: /^Log an agent in, with volley login claude .* Write into volley\.yaml, for example:\n {2}agents:\n {4}my-author: /,
  },
];

describe('a configuration with', { concurrency: 2 }, () => {
  for (const { what, text, ...mistake } of CONFIGS) {
    test(`${what} is told wholly, and nothing is started`, async () => {
      await using scenario = await makeScenario();
      if (text === null) await rm(join(scenario.root, 'volley.yaml'));
      else await writeFile(join(scenario.root, 'volley.yaml'), text);
      await assertMistake(scenario, ['run', 'x'], mistake);
      await assertMistake(scenario, ['run', 'x', '--dry-run'], { ...mistake, reader: 'program' });
      assert.equal(existsSync(join(scenario.root, '.volley')), false);
      assert.deepEqual(await leftovers(scenario), []);
    });
  }

  test('a folder in its place is refused', async () => {
    await using scenario = await makeScenario();
    await rm(join(scenario.root, 'volley.yaml'));
    await mkdir(join(scenario.root, 'volley.yaml'));
    await assertMistake(scenario, ['run', 'x'], {
      code: 'bad-config',
      message: /^volley\.yaml cannot be read: /,
      remedy: /Make it a file that you may read/,
    });
  });
});

const QUICK = { author: turns({ write: { 'a.txt': 'a\n' } }), reviewer: answers(APPROVED) };

/** Whatever a terminal could obey: controls but line feed and tab, and what turns the direction of text around. */
// oxlint-disable-next-line no-control-regex -- That is what is looked for.
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const EVIL =
  '\u001b]52;c;ZXZpbA==\u0007\u001b[31mred\u001b[0m\u001b]8;;javascript:x\u001b\\link\u0002\u009b5n\u202ertl\u001b]0;title\rback';

async function printed(scenario: Scenario, ...lines: readonly string[]): Promise<string> {
  const results = await Promise.all(lines.map(async (line) => await scenario.volley(line.split(' '))));
  return results.map((result) => result.stdout + result.stderr).join('');
}

describe('a task', { concurrency: 2 }, () => {
  const TITLES: readonly { readonly what: string; readonly text: string; readonly branch: string; readonly subject: string }[] = [
    { what: 'several lines', text: 'First line\r\nsecond line\n\nthird', branch: 'volley/1-first-line', subject: 'First line' },
    {
      what: 'quotes and code',
      text: `Say "it's" \`id\` $(id) 'so'; rm -rf /`,
      branch: 'volley/1-say-it-s-id-id-so-rm-rf',
      subject: `Say "it's" \`id\` $(id) 'so'; rm -rf /`,
    },
    { what: 'emoji alone', text: '🎉🎉', branch: 'volley/1-task', subject: '🎉🎉' },
    { what: '5,000 letters', text: 'z'.repeat(5000), branch: `volley/1-${'z'.repeat(40)}`, subject: `${'z'.repeat(71)}…` },
    { what: 'dashes at its front', text: '--force -x', branch: 'volley/1-force-x', subject: '--force -x' },
  ];

  for (const { what, text, branch, subject } of TITLES) {
    test(`may have ${what}`, async () => {
      await using scenario = await makeScenario({ agents: QUICK });
      const ran = await scenario.volley(['run', '--', text]);
      assert.deepEqual([ran.code, ran.stderr], [0, '']);
      assert.match(ran.stdout, new RegExp(`\n {2}branch  ${branch}\n`));
      assert.equal(await scenario.repository.git('log', '-1', '--format=%s', branch), subject);
      assert.equal((await scenario.loop()).task.text, text);
      assert.ok((await scenario.calls('reviewer'))[0]?.prompt.includes(text));
      assert.equal((await printed(scenario, 'status')).split('\n').length, 2);
    });
  }

  test('cannot reach a terminal raw, whoever wrote what stands in it', async () => {
    const file = `e\u001b[2J${EVIL.replaceAll('/', '')}.txt`;
    const agents = {
      author: turns({ write: { [file]: `${EVIL}\n` }, result: { summary: EVIL } }),
      reviewer: answers({ ...rejected(issue(EVIL, { file, line: 1, impact: EVIL, suggestion: EVIL })), summary: EVIL }),
      fixer: turns({ print: EVIL, result: { summary: EVIL, resolutions: [{ findingId: '1.1', status: 'disputed', note: EVIL }] } }),
    };
    await using scenario = await makeScenario({
      agents,
      config: { gates: [{ name: 'test', run: `printf '%s' '${EVIL}'; test -e passes` }] },
    });
    const ran = await scenario.volley(['run', EVIL]);
    assert.equal(ran.code, 2, ran.stdout + ran.stderr);
    const plain =
      ran.stdout +
      ran.stderr +
      (await printed(scenario, 'status', 'show 1', 'why 1', 'log 1', 'findings 1', 'decide 1 nonsense', 'config show'));
    assert.doesNotMatch(plain, RAW);
    assert.match(plain, /red/);
    const json = await printed(scenario, 'status --json', 'show 1 --json', 'log 1 --json', 'findings 1 --json', 'diff 1 --json');
    assert.doesNotMatch(json, RAW);
    assert.equal((await scenario.loop()).task.text, EVIL);
    for (const typed of [
      ['show', EVIL],
      [EVIL],
      ['run', 'x', '--base', EVIL],
      ['run', 'x', '--reviewer', EVIL],
      ['review', '--range', EVIL],
      ['run', 'x', `--${EVIL}`],
    ]) {
      const { code, stdout, stderr } = await scenario.volley(typed);
      assert.equal(code, 1);
      assert.doesNotMatch(stdout + stderr, RAW);
    }
  });
});

describe('an answer that a task does not ask for', () => {
  test('is refused with the list of those that it takes', async () => {
    const agents = { ...castFor(['a.txt']), reviewer: answers(rejected(issue('Never good.', { file: 'a.txt', line: 1 }))) };
    await using scenario = await makeScenario({ agents });
    assert.equal((await scenario.volley(['run', 'x', '--max-rounds', '1'])).code, 2);
    const remedy =
      /^Choose one of:\n {2}volley decide 1 fix-manually {2,}.*\n {2}volley decide 1 accept .*\n {2}volley decide 1 one-more-round .*\n {2}volley decide 1 cancel /;
    const journal = await scenario.journal();
    await assertMistake(scenario, ['decide', '1'], { code: 'bad-usage', message: 'A choice is missing.', remedy });
    await assertMistake(scenario, ['decide', '1', 'acept'], {
      code: 'bad-usage',
      message: "'acept' is not a choice of task 1 now.",
      remedy,
    });
    await assertMistake(scenario, ['decide', '1', 'refute'], {
      code: 'bad-usage',
      message: "'refute' is not a choice of task 1 now.",
      remedy,
    });
    await assertMistake(scenario, ['land', '1'], {
      code: 'refused',
      message: 'Task 1 is not approved; it is needs_human.',
      remedy: /See volley show 1/,
    });
    assert.deepEqual(await scenario.journal(), journal);
    assert.equal((await scenario.volley(['decide', '1', 'cancel'])).code, 0);
    await assertMistake(scenario, ['decide', '1', 'accept'], {
      code: 'refused',
      message: 'Task 1 asks nothing.',
      remedy: /See volley show 1/,
    });
  });
});

describe('what lies in the way', { concurrency: 2 }, () => {
  test('nothing to review and a dry run leave nothing behind', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const untouched = await filesOf(scenario.root);
    const lines = [
      ['review'],
      ['review', '--range', 'main..main'],
      ['review', '--working-tree'],
      ['run', 'x', '--dry-run'],
      ['status'],
      ['config', 'show'],
    ];
    for (const typed of lines) assert.equal((await scenario.volley(typed)).code, 0, typed.join(' '));
    assert.deepEqual(await filesOf(scenario.root), untouched);
    assert.deepEqual(await leftovers(scenario), []);
  });

  test('a journal that is garbage, empty or from a newer Volley is refused and kept', async () => {
    await using scenario = await makeScenario({ agents: QUICK });
    assert.equal((await scenario.volley(['run', 'x'])).code, 0);
    const file = join(scenario.root, '.volley/volley.db');
    const whole = join(scenario.repository.beside, 'whole.db');
    const asLeft = new DatabaseSync(file);
    asLeft.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    asLeft.close();
    await copyFile(file, whole);
    const newer = new DatabaseSync(whole);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const remedy = /^It was left as it is/;
    const states = [
      { bytes: Buffer.from('garbage'), code: 'store-broken', message: /volley\.db is broken: file is not a database\.$/, remedy },
      { bytes: Buffer.alloc(0), code: 'store-broken', message: /volley\.db is broken: it is empty\.$/, remedy },
      {
        bytes: await readFile(whole),
        code: 'store-newer',
        message: /volley\.db has version 99, and this Volley knows versions up to \d+\.$/,
        remedy: 'Use the newer Volley that wrote it.',
      },
    ];
    for (const { bytes, ...mistake } of states) {
      for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
      await writeFile(file, bytes);
      for (const typed of [['status'], ['run', 'y']]) await assertMistake(scenario, typed, mistake);
      await assertMistake(scenario, ['show', '1'], { ...mistake, reader: 'program' });
      assert.deepEqual(await readFile(file), bytes);
    }
  });

  test('a state folder that is a file or leads elsewhere is refused', async () => {
    await using scenario = await makeScenario({ agents: QUICK });
    const folder = join(scenario.root, '.volley');
    await symlink('/tmp', folder);
    await assertMistake(scenario, ['run', 'x'], {
      code: 'refused',
      message: /\.volley is not a plain folder, so nothing is written through it\.$/,
      remedy: 'Replace it by a folder.',
    });
    await rm(folder);
    await writeFile(folder, 'a file\n');
    await assertMistake(scenario, ['run', 'x'], { code: 'refused', message: /is not a plain folder/, remedy: /./ });
    await assertMistake(scenario, ['status'], {
      code: 'not-accessible',
      message: /a part of its path is not a folder\.$/,
      remedy: /yours to read and write/,
    });
  });

  test('a project that may only be read can be looked at, and starting a task there is a clear error', async () => {
    await using scenario = await makeScenario({ agents: QUICK });
    await chmod(scenario.root, 0o555);
    try {
      const looked = await asMortal(scenario, ['status']);
      assert.deepEqual([looked.exitCode, looked.stderr], [0, '']);
      const ran = await asMortal(scenario, ['run', 'x']);
      assert.equal(ran.exitCode, 1);
      assert.match(
        ran.stderr,
        /^error: \/.*\/\.volley cannot be read or written: permission denied\.\n {2}See that it, and the folder it lies in, are yours to read and write\.\n$/,
      );
      assert.equal(await scenario.repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main');
    } finally {
      await chmod(scenario.root, 0o755);
    }
    assert.equal(existsSync(join(scenario.root, '.volley')), false);
  });
});

/** Runs a command without the power of a superuser to write where nobody may. */
async function asMortal({ repository, root, state }: Scenario, args: readonly string[]): ReturnType<typeof runCommand> {
  const powerless = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env'];
  const env = { HOME: join(repository.beside, 'home'), XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(repository.beside, 'home', '.config') };
  const [program = '', ...how] = powerless;
  return await runCommand(program, [...how, process.execPath, MAIN, ...args], { cwd: root, env: { ...env, CI: '' } });
}

describe('the output', { concurrency: 2 }, () => {
  test('may be closed early, and the task is finished all the same with its true exit code', async () => {
    await using scenario = await makeScenario({
      agents: { ...castFor(['a.txt']), author: turns({ run: 'sleep 0.3', write: { 'a.txt': 'first\nsecond\n' } }) },
    });
    for (const [args, expected] of [
      [['run', 'x'], 0],
      [['run', 'x', '--max-rounds', '1'], 2],
      [['log', '1'], 0],
    ] as const) {
      const running = scenario.start(args);
      const code = new Promise<number | null>((resolve) => running.process.once('exit', resolve));
      running.process.stdout?.once('data', () => running.process.stdout?.destroy());
      // What reads its output here is cut off on purpose.
      running.ended.catch(() => undefined);
      assert.equal(await code, expected, args.join(' '));
    }
    assert.deepEqual([(await scenario.loop(1)).state, (await scenario.loop(2)).state], ['approved', 'needs_human']);
  });

  test('is coloured on a terminal only, and not where NO_COLOR is set', async () => {
    await using scenario = await makeScenario({ agents: QUICK });
    assert.equal((await scenario.volley(['run', `${EVIL.slice(0, 40)} task`])).code, 0);
    const onTerminal = async (variable: string): Promise<string> => {
      const line = `cd '${scenario.root}' && env ${variable} TERM=xterm '${process.execPath}' '${MAIN}' show 1`;
      return (
        await runCommand('script', ['--quiet', '--return', '--command', line, '/dev/null'], { cwd: scenario.root })
      ).stdout.replaceAll('\r\n', '\n');
    };
    assert.doesNotMatch(await onTerminal('NO_COLOR=1'), RAW);
    const colored = await onTerminal('-u NO_COLOR');
    // oxlint-disable-next-line no-control-regex -- That is what is looked for.
    assert.match(colored, /\u001b\[1m/);
    // oxlint-disable-next-line no-control-regex -- That is what is looked for.
    assert.doesNotMatch(colored.replaceAll(/\u001b\[\d{1,2}m/g, ''), RAW);
  });
});
