import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import { Role, Settings } from '../core/settings.ts';
import type { Programs } from './agent-specs.ts';
import type { Layer } from './layer.ts';
import { loadConfig } from './load.ts';
import { toSettings } from './settings.ts';
import type { Purpose } from './settings.ts';
import { flagsLayer } from './value-layers.ts';

const FILES = ['/project/review.sh', '/project/bin/tool', '/home/review.sh'];
const programs: Programs = {
  resolveFile: (dir, element) => FILES.find((file) => file === `${dir}/${element}`) ?? null,
  resolvePath: (dir, path) => `${dir ?? ''}/${path}`,
  findProgram: (name) => (name === 'bash' ? '/usr/bin/bash' : null),
};

const rolesOf = (driver: string): readonly Role[] => (driver === 'builtin' ? ['reviewer', 'fixer'] : Role.options);

const AGENTS = `agents:
  writer: { run: [bash, write.sh] }
  critic: { run: [bash, review.sh, --strict], env: [KEY], trustText: true, sessionUsd: 1.5 }
`;
const COMPLETE = `${AGENTS}roles: { author: writer, reviewer: critic }\n`;

function settings(text: string, purpose: Partial<Purpose> = {}, ...layers: Layer[]): Settings {
  const file: Layer = { origin: 'project', label: 'volley.yaml', dir: '/project', text };
  const loaded = loadConfig({ layers: [file, ...layers], drivers: ['command', 'claude', 'codex'] });
  return toSettings(loaded, { kind: 'implement', autoReview: true, detected: [], programs, rolesOf, ...purpose });
}

function refusal(text: string, purpose: Partial<Purpose> = {}): VolleyError {
  try {
    settings(text, purpose);
  } catch (error) {
    assert.ok(error instanceof VolleyError);
    return error;
  }
  throw new Error('it was accepted');
}

test('the settings without limits of their own are the defaults of the core', () => {
  const made = settings(COMPLETE);
  assert.deepEqual(made.policy, DEFAULT_POLICY);
  assert.deepEqual(Settings.parse(made), made);
});

test('files that run names become absolute, the program is found in PATH, the rest stays', () => {
  const { agents } = settings(COMPLETE);
  assert.deepEqual(agents['critic'], {
    name: 'critic',
    driver: 'command',
    run: ['/usr/bin/bash', '/project/review.sh', '--strict'],
    env: ['KEY'],
    trustText: true,
    model: null,
    sessionUsd: 1.5,
    sarif: [],
    ignore: [],
    maxPromptChars: null,
    billing: null,
    price: null,
    hosts: [],
  });
  assert.deepEqual(agents['writer']?.run, ['/usr/bin/bash', 'write.sh']);
  assert.deepEqual(settings(COMPLETE.replace('[bash, write.sh]', '[bin/tool]')).agents['writer']?.run, ['/project/bin/tool']);
  assert.deepEqual(settings(COMPLETE.replace('[bash, write.sh]', '[nowhere]')).agents['writer']?.run, ['nowhere']);
});

test('the files of a user’s agent lie beside the user’s file', () => {
  const user: Layer = { origin: 'user', label: 'config.yaml', dir: '/home', text: 'agents: { mine: { run: [bash, review.sh] } }' };
  assert.deepEqual(settings(COMPLETE, {}, user).agents['mine']?.run, ['/usr/bin/bash', '/home/review.sh']);
});

test('the author fixes where nobody else is named', () => {
  assert.equal(settings(COMPLETE).roles.fixer, 'writer');
  assert.equal(settings(`${AGENTS}roles: { author: writer, reviewer: critic, fixer: critic }`).roles.fixer, 'critic');
  assert.equal(settings(COMPLETE, { kind: 'review', fix: true }).roles.fixer, 'writer');
});

test('the built-in agent reviews and fixes where nobody is named, but somebody must be the author', () => {
  assert.deepEqual(settings('', { kind: 'review', fix: true }).roles, {
    author: null,
    reviewer: ['builtin'],
    fixer: 'builtin',
    arbiter: null,
    fallback: [],
  });
  const error = refusal(AGENTS);
  assert.equal(error.message, 'There is no author.');
  assert.equal(error.remedy, 'Name one of writer, critic with --author, or in volley.yaml: roles: { author: writer }');
});

test('without any agent the remedy is an entry to copy', () => {
  const error = refusal('');
  assert.deepEqual([error.code, error.message], ['bad-config', 'There is no author.']);
  const [, entry = ''] = error.remedy.split('for example:\n');
  assert.equal(settings(entry.replaceAll(/^ {2}/gm, '')).roles.author, 'my-author');
});

test('the built-in agent is refused in a role that it cannot play', () => {
  const error = refusal('roles: { author: builtin }');
  assert.equal(error.message, 'builtin cannot be the author; it can be reviewer and fixer.');
});

test('reviews can be switched off', () => {
  assert.equal(settings(`${AGENTS}roles: { author: writer }\nreview: { enabled: false }`).review.enabled, false);
});

test('a review that was asked for takes place although reviews are off', () => {
  assert.equal(settings(`${COMPLETE}review: { enabled: false }`, { kind: 'review' }).review.enabled, true);
});

test('unknown agents are named all at once, with the nearest and the known ones', () => {
  const error = refusal(`${AGENTS}roles: { author: writr, reviewer: zorro, fallback: [constructor] }`);
  assert.equal(error.code, 'unknown-agent');
  assert.deepEqual(error.message.split('\n'), [
    'writr (author) is not an agent; did you mean writer?',
    'zorro (reviewer) is not an agent',
    'constructor (fallback) is not an agent',
  ]);
  assert.equal(error.remedy, 'Known agents: builtin, writer, critic.');
});

test('a detected agent needs no entry', () => {
  const made = settings('roles: { author: claude, reviewer: codex }', { detected: ['claude', 'codex'] });
  assert.equal(made.agents['claude']?.driver, 'claude');
});

test('several reviewers are a panel, in the order in which they are named', () => {
  assert.deepEqual(settings(`${AGENTS}roles: { author: writer, reviewer: [critic, writer] }`).roles.reviewer, ['critic', 'writer']);
});

test('the same reviewer twice is refused clearly', () => {
  const error = refusal(`${AGENTS}roles: { author: writer, reviewer: [critic, writer, critic] }`);
  assert.equal(error.message, 'roles.reviewer names critic twice; every member of a panel has one seat.');
});

test('limits of the task type beat the policy, unless a higher layer set it', () => {
  const text = `${COMPLETE}policy: { maxRounds: 4 }\ntaskTypes: { implement: { maxRounds: 2, timeout: 90s, fixTimeout: 2m }, review: { timeout: 1m } }`;
  const own = settings(text).policy;
  assert.deepEqual([own.maxRounds, own.timeoutsMs.author, own.timeoutsMs.review, own.timeoutsMs.fix], [2, 90_000, 600_000, 120_000]);
  assert.equal(settings(text, {}, flagsLayer({ maxRounds: '7' })).policy.maxRounds, 7);
  const review = settings(text, { kind: 'review' }).policy;
  assert.deepEqual([review.maxRounds, review.timeoutsMs.author, review.timeoutsMs.review], [4, 3_600_000, 60_000]);
});

test('one agent may author with one model and review with another', () => {
  const text = 'roles: { author: claude, reviewer: claude }\ntaskTypes: { implement: { model: opus, reviewModel: vendor/small } }';
  const { roles, agents } = settings(text, { detected: ['claude'] });
  assert.deepEqual([roles.author, roles.fixer, roles.reviewer], ['claude@opus', 'claude@opus', ['claude@vendor-small']]);
  assert.deepEqual([agents['claude@opus']?.model, agents['claude@vendor-small']?.model], ['opus', 'vendor/small']);
});

test('a review that names one model has it reviewed and fixed with that', () => {
  const text = 'roles: { reviewer: claude, fixer: claude }\ntaskTypes: { review: { model: opus } }';
  const { roles } = settings(text, { kind: 'review', fix: true, detected: ['claude'] });
  assert.deepEqual([roles.reviewer, roles.fixer], [['claude@opus'], 'claude@opus']);
  const both = settings(text.replace('opus', 'opus, reviewModel: small'), { kind: 'review', fix: true, detected: ['claude'] }).roles;
  assert.deepEqual([both.reviewer, both.fixer], [['claude@small'], 'claude@opus']);
});

test('fixes that a person may order later have a model and a limit of their own', () => {
  const text = 'roles: { author: claude }\ntaskTypes: { implement: { model: opus }, improve: { model: small, timeout: 90s } }';
  const { improve, roles, agents } = settings(text, { detected: ['claude'] });
  assert.deepEqual([roles.fixer, improve], ['claude@opus', { fixer: 'claude@small', timeoutMs: 90_000 }]);
  assert.equal(agents['claude@small']?.model, 'small');
  const own = settings(text.replace('90s', '90s, fixTimeout: 2m'), { detected: ['claude'] }).improve;
  assert.equal(own.timeoutMs, 120_000);
  assert.deepEqual(settings(COMPLETE).improve, { fixer: null, timeoutMs: null });
});

test('a command keeps no model of a task type, so that it stays free', () => {
  const made = settings(`${COMPLETE}taskTypes: { implement: { model: opus } }`);
  assert.deepEqual([made.roles.author, made.agents['writer']?.model], ['writer', null]);
});

test('queued tasks are reviewed without being asked only where the task type says so', () => {
  const asked = settings(`${COMPLETE}taskTypes: { implement: { autoReview: true } }`, { autoReview: undefined });
  const unasked = settings(COMPLETE, { autoReview: undefined });
  assert.deepEqual([asked.autoReview, asked.autoIterate, unasked.autoReview, unasked.autoIterate], [true, true, false, false]);
});

test('gates may be plain commands and get names of their own', () => {
  const { gates } = settings(
    `${COMPLETE}gates: ["npm  test", "npm test", { name: lint, run: "npm run lint", paths: ["src/**"] }, { run: make, cwd: native }]`,
  );
  assert.deepEqual(
    gates.map(({ name, run, cwd, paths }) => ({ name, run, cwd, paths })),
    [
      { name: 'npm test', run: 'npm  test', cwd: '.', paths: [] },
      { name: 'npm test (2)', run: 'npm test', cwd: '.', paths: [] },
      { name: 'lint', run: 'npm run lint', cwd: '.', paths: ['src/**'] },
      { name: 'make', run: 'make', cwd: 'native', paths: [] },
    ],
  );
});

test('what an agent costs, how it is paid for and how much it reads are part of it', () => {
  const text = `agents:
  claude: { price: { input: 3, output: 15, cached: 0.3 }, billing: subscription, maxPromptChars: 200000 }
roles: { author: claude }
policy: { countSubscription: true }`;
  const { agents, policy } = settings(text);
  const { price, billing, maxPromptChars } = agents['claude'] ?? {};
  assert.deepEqual(
    { price, billing, maxPromptChars },
    { price: { input: 3, output: 15, cached: 0.3, cacheWrite: null }, billing: 'subscription', maxPromptChars: 200_000 },
  );
  assert.equal(policy.countSubscription, true);
});

test('a ceiling of none is no ceiling', () => {
  assert.deepEqual(settings(`${COMPLETE}policy: { ceiling: { loop: 2.5, run: none } }`).policy.ceilingUsd, {
    loop: 2.5,
    run: null,
    day: null,
  });
});
