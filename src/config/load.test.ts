import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VolleyError } from '../core/errors.ts';
import type { FileLayer, Layer } from './layer.ts';
import { loadConfig } from './load.ts';
import type { Loaded } from './load.ts';
import { environmentLayer, flagsLayer } from './value-layers.ts';

const DRIVERS = ['command', 'fake', 'claude'];

function user(text: string): FileLayer {
  return { origin: 'user', label: 'config.yaml', dir: '/home/config', text };
}

function project(text: string): FileLayer {
  return { origin: 'project', label: 'volley.yaml', dir: '/project', text };
}

function load(...layers: Layer[]): Loaded {
  return loadConfig({ layers, drivers: DRIVERS });
}

function errorsOf(...layers: Layer[]): string[] {
  try {
    load(...layers);
  } catch (error) {
    assert.ok(error instanceof VolleyError);
    assert.equal(error.code, 'bad-config');
    return error.message.split('\n').map((line) => line.trim());
  }
  return [];
}

test('nothing at all is a valid configuration', () => {
  const { config, origins } = load();
  assert.equal(config.policy.maxRounds, 3);
  assert.equal(config.policy.timeouts.author, '60m');
  assert.equal(origins.get('policy.maxRounds')?.layer, 'default');
});

test('an empty file, a file of comments and empty sections change nothing', () => {
  const plain = load().config;
  for (const text of ['', '# nothing\n', 'policy:\nagents:\n  # none yet\nroles: {}\n', '\uFEFFpolicy: {}\r\n']) {
    assert.deepEqual(load(project(text)).config, plain);
  }
});

test('the project beats the user, the environment the project, and flags everything', () => {
  const layers = [
    flagsLayer({ author: 'flagged' }),
    environmentLayer({ VOLLEY_AUTHOR: 'env', VOLLEY_FIXER: 'env', VOLLEY_BLOCK_AT: '' }),
    project('roles: { author: project, fixer: project, reviewer: project }'),
    user('roles: { author: user, fixer: user, reviewer: user, arbiter: user }\npolicy: { blockAt: high }'),
  ];
  const { config } = load(...layers);
  assert.deepEqual(config.roles, { author: 'flagged', fixer: 'env', reviewer: 'project', arbiter: 'user', fallback: [] });
  assert.equal(config.policy.blockAt, 'high');
});

test('groups are merged key by key, lists are replaced', () => {
  const { config } = load(
    user('policy: { timeouts: { author: 90s, fix: 5m } }\ngates: [a, b]'),
    project('policy: { timeouts: { fix: 2h } }\ngates: [c]'),
  );
  assert.deepEqual([config.policy.timeouts.author, config.policy.timeouts.fix, config.policy.timeouts.gate], ['90s', '2h', '15m']);
  assert.deepEqual(config.gates, ['c']);
});

test('variables and flags are read as what their setting needs', () => {
  const { config } = load(
    environmentLayer({ VOLLEY_MAX_ROUNDS: '4', VOLLEY_REVIEWER: 'a, b' }),
    flagsLayer({ ceiling: '2.50', gates: ['npm test'] }),
  );
  assert.equal(config.policy.maxRounds, 4);
  assert.deepEqual(config.roles.reviewer, ['a', 'b']);
  assert.equal(config.policy.ceiling.loop, 2.5);
  assert.deepEqual(config.gates, ['npm test']);
});

test('an explicit key beats the effort of its own layer', () => {
  const { policy } = load(project('policy: { maxRounds: 2, effort: high }')).config;
  assert.deepEqual([policy.maxRounds, policy.depth, policy.checkpointEvery], [2, 'deep', 3]);
});

test('an effort of a higher layer beats the keys of lower ones', () => {
  const { config, origins } = load(project('policy: { maxRounds: 9, depth: deep, checkpointEvery: 2 }'), flagsLayer({ effort: 'low' }));
  assert.deepEqual([config.policy.maxRounds, config.policy.depth, config.policy.checkpointEvery], [3, 'shallow', 'none']);
  assert.deepEqual([origins.get('policy.maxRounds')?.label, origins.get('policy.maxRounds')?.effort], ['--effort', 'low']);
});

test('only the user may open the sandbox; a project may close it', () => {
  const opening = 'confine:\n  read: [/srv]\n  write: [/srv]\n  hosts: [localhost:80]\n  network: open\n  required: true';
  const theirs = load(project(opening));
  assert.deepEqual(theirs.config.confine, { read: [], write: [], hosts: [], required: true, projectSettings: 'none' });
  assert.deepEqual(theirs.notes.length, 4);
  assert.ok(theirs.notes.includes('volley.yaml:2: confine.read is not taken, because only your own configuration may open the sandbox'));
  const own = load(user(opening), project('confine: { network: none }'));
  assert.deepEqual([own.config.confine.read, own.config.confine.network, own.notes], [['/srv'], 'none', []]);
});

test('only the user may let agents decide; a project may forbid it', () => {
  const theirs = load(project('mcp: { decide: true }'));
  assert.equal(theirs.config.mcp.decide, false);
  assert.deepEqual(theirs.notes, ['volley.yaml:1: mcp.decide is not taken, because only your own configuration may let agents decide']);
  assert.equal(load(user('mcp: { decide: true }')).config.mcp.decide, true);
  assert.equal(load(user('mcp: { decide: true }'), project('mcp: { decide: false }')).config.mcp.decide, false);
});

test('a project cannot raise the ceiling of its user, and this is said', () => {
  const { config, notes } = load(
    user('policy:\n  countSubscription: true\n  ceiling: { loop: 5, run: 50, day: 100 }'),
    project('policy:\n  countSubscription: false\n  ceiling: { loop: 10, run: none, day: 20 }'),
  );
  assert.deepEqual(config.policy.ceiling, { loop: 5, run: 50, day: 20 });
  assert.equal(config.policy.countSubscription, true);
  assert.ok(notes.includes('volley.yaml:3: policy.ceiling.loop 10 is looser than your own 5 (config.yaml:3), which holds'));
  assert.equal(notes.length, 3);
});

test('a project cannot raise the ceilings of the run and the day, by a number or by none', () => {
  for (const [run, day] of [
    [60, 200],
    ['none', 'none'],
  ]) {
    const { config, notes } = load(
      user('policy: { ceiling: { run: 50, day: 100 } }'),
      project(`policy: { ceiling: { run: ${run}, day: ${day} } }`),
    );
    assert.deepEqual(config.policy.ceiling, { loop: 'none', run: 50, day: 100 });
    assert.ok(notes.includes(`volley.yaml:1: policy.ceiling.day ${day} is looser than your own 100 (config.yaml:1), which holds`));
    assert.equal(notes.length, 2);
  }
});

test('a project cannot replace what its user says an agent costs, and this is said once', () => {
  const { config, notes } = load(
    user('agents:\n  claude:\n    price: { input: 3, output: 15 }\n    billing: api'),
    project(
      'agents:\n  claude:\n    model: opus\n    billing: subscription\n    price:\n      input: 0\n      output: 15\n      cached: 0',
    ),
  );
  assert.deepEqual(config.agents['claude'], { driver: 'claude', model: 'opus', price: { input: 3, output: 15 }, billing: 'api' });
  assert.deepEqual(notes, [
    'volley.yaml:5: agents.claude.price is not taken, because your own (config.yaml:3) holds',
    'volley.yaml:4: agents.claude.billing is not taken, because your own (config.yaml:4) holds',
  ]);
});

test('what the user says an agent costs outlives the project’s own agent of that name', () => {
  const below = user('agents: { a: { run: [one], env: [KEY], price: { input: 3, output: 15 } } }');
  const { config, notes } = load(below, project('agents: { a: { run: [two], price: { input: 0, output: 0 } } }'));
  assert.deepEqual(config.agents['a'], { driver: 'command', run: ['two'], price: { input: 3, output: 15 } });
  assert.equal(notes.length, 1);
});

test('nothing is said where the project repeats what the user says, or says what the user does not', () => {
  const price = 'price: { input: 3, output: 15 }';
  const same = load(user(`agents: { claude: { ${price} } }`), project(`agents: { claude: { ${price} } }`));
  const alone = load(user('agents: { claude: { model: opus } }'), project(`agents: { claude: { ${price}, billing: subscription } }`));
  assert.deepEqual([same.notes, alone.notes], [[], []]);
  assert.deepEqual(alone.config.agents['claude'], {
    driver: 'claude',
    model: 'opus',
    price: { input: 3, output: 15 },
    billing: 'subscription',
  });
});

test('a project cannot loosen the sandbox or the budget of a session that its user set, and this is said', () => {
  const own = user('confine: { required: true, network: none }\nagents: { claude: { sessionUsd: 1 } }');
  const { config, notes } = load(
    own,
    project('confine: { required: false, network: provider }\nagents: { claude: { driver: claude, sessionUsd: 9 } }'),
  );
  assert.deepEqual([config.confine.required, config.confine.network, config.agents['claude']?.sessionUsd], [true, 'none', 1]);
  assert.deepEqual(notes, [
    'volley.yaml:2: agents.claude.sessionUsd 9 is looser than your own 1 (config.yaml:2), which holds',
    'volley.yaml:1: confine.network provider is looser than your own none (config.yaml:1), which holds',
    'volley.yaml:1: confine.required false is looser than your own true (config.yaml:1), which holds',
  ]);
  const tighter = load(
    user('confine: { network: provider }\nagents: { claude: { sessionUsd: 2 } }'),
    project('confine: { required: true, network: none }\nagents: { claude: { sessionUsd: 1 } }'),
  );
  assert.deepEqual([tighter.config.confine.network, tighter.config.agents['claude']?.sessionUsd, tighter.notes], ['none', 1, []]);
});

test('a flag may raise the ceiling, because the user gave it', () => {
  const { config } = load(
    user('policy: { ceiling: { loop: 5 } }'),
    project('policy: { ceiling: { loop: 2 } }'),
    flagsLayer({ ceiling: 'none' }),
  );
  assert.equal(config.policy.ceiling.loop, 'none');
});

test('an agent that names its program is another than the one below, any other refines it', () => {
  const below = user('agents:\n  a: { run: [one], trustText: true }\n  b: { run: [two], trustText: true }');
  const { config, origins } = load(below, project('agents:\n  a: { run: [three] }\n  b: { sessionUsd: 1 }'));
  assert.deepEqual(config.agents, {
    a: { driver: 'command', run: ['three'] },
    b: { driver: 'command', run: ['two'], trustText: true, sessionUsd: 1 },
  });
  assert.equal(origins.get('agents.a.run')?.dir, '/project');
  assert.equal(origins.get('agents.b.run')?.dir, '/home/config');
});

test('an agent with the name of a driver needs no more', () => {
  assert.deepEqual(load(project('agents: { claude: { model: opus } }')).config.agents, { claude: { driver: 'claude', model: 'opus' } });
});

test('all errors of all layers come at once, each with its place', () => {
  const text = `agents:
  mine: { driver: comand, run: [x] }
  other: { trustText: yes please }
policy:
  maxRond: 3
  blockAt: hihg
  timeouts: { author: 60 }
gates:
  - name: test
    runs: npm test
rolls: {}
`;
  assert.deepEqual(
    errorsOf(project(text), user('policy: [1]'), environmentLayer({ VOLLEY_MAX_ROUNDS: 'many' }), flagsLayer({ effort: 'hig' })),
    [
      'The configuration has 11 errors:',
      'config.yaml:1: policy must be a group of settings, not a list',
      'volley.yaml:3: agents.other.trustText must be true or false, not text',
      'volley.yaml:5: policy.maxRond is not a setting; did you mean maxRounds?',
      'volley.yaml:6: policy.blockAt must be one of critical, high, medium, low, suggestion; did you mean high?',
      'volley.yaml:7: policy.timeouts.author must be a duration like 90s, 60m or 2h, at most 500h',
      'volley.yaml:9: gates[0].run is missing',
      'volley.yaml:10: gates[0].runs is not a setting; did you mean run?',
      'volley.yaml:11: rolls is not a setting; did you mean roles?',
      'VOLLEY_MAX_ROUNDS must be a whole number of at least 1',
      '--effort must be one of low, medium, high, max; did you mean high?',
      'volley.yaml:2: agents.mine.driver must be one of command, fake, claude; did you mean command?',
    ],
  );
});

const MISTAKES: readonly (readonly [string, string])[] = [
  ['agents: {}\nagents: {}', 'volley.yaml:2: agents is written twice'],
  ['policy: {maxRounds: 1\n', 'volley.yaml:2: not valid YAML: Flow map in block collection must be sufficiently indented and end with a }'],
  ['just words', 'volley.yaml:1: the file must be a group of settings, not text'],
  ['- a\n- b', 'volley.yaml:1: the file must be a group of settings, not a list'],
  ['maxRounds: 3', 'volley.yaml:1: maxRounds is not a setting; did you mean policy.maxRounds?'],
  ['policy: { max_rounds: 3 }', 'volley.yaml:1: policy.max_rounds is not a setting; did you mean maxRounds?'],
  ['policy:\n  maxCycles: 3', 'volley.yaml:2: policy.maxCycles is not a setting; did you mean policy.maxRounds?'],
  ['zzzzzz:', 'volley.yaml:1: zzzzzz is not a setting'],
  ['defaults: 3', 'volley.yaml:1: defaults is not a setting'],
  ['defaults: { auto_review: true }', 'volley.yaml:1: defaults.auto_review is not a setting; did you mean taskTypes.implement.autoReview?'],
  ['reviewLoop:\n  enabled: true\n  maxIterations: 3', 'volley.yaml:2: reviewLoop.enabled is not a setting; did you mean review.enabled?'],
  [
    'taskTypes: { improve: { autoReview: true } }',
    'volley.yaml:1: taskTypes.improve.autoReview is not a setting; did you mean taskTypes.implement.autoReview?',
  ],
  [
    'taskTypes: { review: { autoReview: true } }',
    'volley.yaml:1: taskTypes.review.autoReview is not a setting; did you mean taskTypes.implement.autoReview?',
  ],
  ['__proto__: { x: 1 }', 'volley.yaml:1: __proto__ is not a setting'],
  ['policy: { maxRounds: 0 }', 'volley.yaml:1: policy.maxRounds must be a whole number of at least 1'],
  ['policy: { maxRounds: 2.5 }', 'volley.yaml:1: policy.maxRounds must be a whole number of at least 1'],
  ['policy: { ceiling: 5 }', 'volley.yaml:1: policy.ceiling must be a group of settings, not a number'],
  ['policy: { ceiling: { loop: -1 } }', 'volley.yaml:1: policy.ceiling.loop must be an amount in dollars, like 2.50, or none'],
  ['policy: { timeouts: { idle: 0s } }', 'volley.yaml:1: policy.timeouts.idle must be a duration like 90s, 60m or 2h, at most 500h'],
  ['policy: { timeouts: { idle: 501h } }', 'volley.yaml:1: policy.timeouts.idle must be a duration like 90s, 60m or 2h, at most 500h'],
  ['roles: { reviewer: [] }', 'volley.yaml:1: roles.reviewer must be the name of an agent, or a list of names'],
  ['roles: { reviewer: [a, 3] }', 'volley.yaml:1: roles.reviewer[1] must be a name of letters, digits, - and _'],
  ['agents:\n  a.b: { run: [x] }', 'volley.yaml:2: agents.a.b must be a name of letters, digits, - and _'],
  [
    'agents:\n  a: { run: bash x }',
    'volley.yaml:2: agents.a.run must be a list of the program and its arguments, like ["bash", "review.sh"]',
  ],
  [
    'agents:\n  a: { trustText: true }',
    'volley.yaml:2: agents.a needs a run, like ["bash", "review.sh"], or a driver: command, fake, claude',
  ],
  ['agents: { a: { price: { input: 3 } } }', 'volley.yaml:1: agents.a.price.output is missing'],
  ['agents: { a: { price: { input: -1, output: 1 } } }', 'volley.yaml:1: agents.a.price.input must be 0 or more'],
  ['agents: { a: { price: { input: 1, outputs: 1 } } }', 'volley.yaml:1: agents.a.price.outputs is not a setting; did you mean output?'],
  ['agents: { a: { billing: plan } }', 'volley.yaml:1: agents.a.billing must be one of api, subscription'],
  ['agents: { a: { maxPromptChars: 0 } }', 'volley.yaml:1: agents.a.maxPromptChars must be a whole number of at least 1'],
  ['agents:\n  a: { driver: command }', 'volley.yaml:2: agents.a needs a run, like ["bash", "review.sh"]'],
  ['gates: [{ name: a, run: x }, { name: a, run: y }]', 'volley.yaml:1: gates has two gates with the name a'],
  [
    'gates: [{ run: x, cwd: ../up }]',
    'volley.yaml:1: gates[0].cwd must be a path inside the project, relative to its root and outside of .git',
  ],
  [
    'artefacts: { path: "r-{id}-{cycle}.md" }',
    'volley.yaml:1: artefacts.path must not use {cycle}; it may use {yyyymmdd}, {id}, {ref}, {n}',
  ],
  ['notify: { email: { to: [a], host: h } }', 'volley.yaml:1: notify.email.from is missing'],
  ['commit: { sign: !custom off }', 'volley.yaml:1: not valid YAML: Unresolved tag: !custom'],
];

for (const [text, message] of MISTAKES) {
  test(`${JSON.stringify(text)} is refused with its line and what was expected`, () => {
    assert.ok(errorsOf(project(text)).includes(message), errorsOf(project(text)).join('\n'));
  });
}

test('a file in the words of seed 004 is told key by key what the words are here', () => {
  const text = `defaults:
  max_review_cycles: 3
task_types:
  implement:
    auto_review: true
    max_review_cycles: 3
    model: opus
    review_model: sonnet
    timeout_minutes: 60
    review_timeout_minutes: 10
    improve_timeout_minutes: 30
`;
  const meant = (path: string, name: string): string => `${path} is not a setting; did you mean ${name}?`;
  assert.deepEqual(errorsOf(project(text)), [
    'The configuration has 8 errors:',
    meant('volley.yaml:2: defaults.max_review_cycles', 'policy.maxRounds'),
    meant('volley.yaml:3: task_types', 'taskTypes'),
    meant('volley.yaml:5: task_types.implement.auto_review', 'taskTypes.implement.autoReview'),
    meant('volley.yaml:6: task_types.implement.max_review_cycles', 'taskTypes.implement.maxRounds'),
    meant('volley.yaml:8: task_types.implement.review_model', 'taskTypes.implement.reviewModel'),
    meant('volley.yaml:9: task_types.implement.timeout_minutes', 'taskTypes.implement.timeout: 60m'),
    meant('volley.yaml:10: task_types.implement.review_timeout_minutes', 'taskTypes.implement.reviewTimeout: 10m'),
    meant('volley.yaml:11: task_types.implement.improve_timeout_minutes', 'taskTypes.implement.fixTimeout: 30m'),
  ]);
});

test('a secret that was written into the file by mistake is not repeated in the error', () => {
  const errors = errorsOf(
    project('agents: { a: { run: [x], env: ["KEY=hunter2"] } }\nnotify: { slack: { webhook: "https://hunter2" } }'),
  ).join('\n');
  assert.match(errors, /agents\.a\.env\[0\] must be the name of an environment variable, without its value/);
  assert.match(errors, /notify\.slack\.webhook must name an environment variable/);
  assert.doesNotMatch(errors, /hunter2/);
});

test('aliases that multiply without end are an error, not a hang', () => {
  const levels = Array.from({ length: 9 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);
  assert.match(errorsOf(project(['l0: &l0 [x]', ...levels].join('\n'))).join('\n'), /not usable YAML/);
});

test('what is not built yet is accepted and checked', () => {
  const text = `pullRequest: { create: true, reviewers: [ada], label: ready }
notify: { onReady: false, channels: [slack], slack: { webhook: "env:SLACK_WEBHOOK" } }
confine: { read: [/opt/tools], network: none }
taskTypes: { implement: { autoReview: true, model: opus, reviewModel: sonnet, timeout: 60m } }
`;
  assert.deepEqual(errorsOf(project(text)), []);
  assert.match(errorsOf(project(text.replace('none', 'off'))).join(), /confine.network must be one of open, provider, none/);
});
