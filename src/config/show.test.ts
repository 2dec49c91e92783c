import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from './load.ts';
import { configRows, valueText } from './show.ts';
import type { ConfigRow } from './show.ts';
import { environmentLayer, flagsLayer } from './value-layers.ts';

const PROJECT = `agents:
  mine:
    run: [bash, review.sh]
    env: [API_KEY]
policy:
  effort: high
  ceiling: { loop: 2.5 }
notify:
  slack: { webhook: env:SLACK_WEBHOOK }
`;

function rows(): Map<string, ConfigRow> {
  const loaded = loadConfig({
    drivers: ['command'],
    layers: [
      { origin: 'user', label: 'config.yaml', dir: '/home', text: 'roles: { reviewer: mine }' },
      { origin: 'project', label: 'volley.yaml', dir: '/project', text: PROJECT },
      environmentLayer({ VOLLEY_BLOCK_AT: 'low', API_KEY: 'hunter2', SLACK_WEBHOOK: 'hunter2' }),
      flagsLayer({ author: 'mine' }),
    ],
  });
  return new Map(configRows(loaded).map((row) => [row.path, row]));
}

const EXPECTED: readonly (readonly [string, string, string])[] = [
  ['policy.convergence', 'ratchet', 'default'],
  ['roles.reviewer', 'mine', 'config.yaml:1'],
  ['agents.mine.run', '["bash","review.sh"]', 'volley.yaml:3'],
  ['agents.mine.driver', 'command', 'volley.yaml:3'],
  ['policy.ceiling.loop', '2.5', 'volley.yaml:7'],
  ['policy.effort', 'high', 'volley.yaml:6'],
  ['policy.maxRounds', '5', 'volley.yaml:6 (effort high)'],
  ['policy.blockAt', 'low', 'VOLLEY_BLOCK_AT'],
  ['roles.author', 'mine', '--author'],
  ['notify.slack.webhook', 'env:SLACK_WEBHOOK', 'volley.yaml:9'],
];

for (const [path, value, origin] of EXPECTED) {
  test(`${path} is shown with its origin ${origin}`, () => {
    const row = rows().get(path);
    assert.deepEqual([valueText(row?.value), row?.origin], [value, origin]);
  });
}

test('a secret among the arguments of a program is blacked out', () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const text = `agents: { mine: { run: [tool, "--token=${token}"] } }\ngates: [{ run: "TOKEN=${token} make" }]`;
  const loaded = loadConfig({ drivers: ['command'], layers: [{ origin: 'project', label: 'volley.yaml', dir: '/project', text }] });
  const shown = JSON.stringify(configRows(loaded));
  assert.match(shown, /--token=/);
  assert.ok(!shown.includes(token));
});

test('variables are shown by name, never by value', () => {
  const all = JSON.stringify([...rows().values()]);
  assert.match(all, /API_KEY/);
  assert.doesNotMatch(all, /hunter2/);
});
