import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { guessGates, guessSetup } from './guess-gates.ts';
import type { GateGuess } from './guess-gates.ts';
import { loadConfig } from './load.ts';
import type { Config } from './schema.ts';
import { writeConfig } from './write-config.ts';
import type { ConfigDraft } from './write-config.ts';

const DRIVERS = ['command', 'builtin', 'claude', 'codex'];

const NOTHING: ConfigDraft = { agents: [], gates: { gates: [], more: [] }, setup: [], modeline: null, hasEnvFile: false };

function gate(run: string, doubt: string | null = null): GateGuess {
  return { run, kind: 'test', from: ['package.json', '.github/workflows/ci.yml'], doubt };
}

const MUCH: ConfigDraft = {
  agents: [
    { name: 'claude', version: '2.1.19', obstacle: null },
    { name: 'codex', version: null, obstacle: null },
    { name: 'gemini', version: '0.24.0', obstacle: 'its driver is not in this version yet' },
  ],
  gates: {
    gates: [gate('npm run lint'), gate('CI=true npm test'), gate('cargo clippy --all-targets -- -D warnings'), gate('npm run build: all')],
    more: [gate('make test', 'perhaps the same as npm test'), gate('tox'), gate('nox')],
  },
  setup: [
    { run: 'npm ci', from: 'package-lock.json', fills: 'node_modules', doubt: null },
    { run: 'uv sync', from: 'uv.lock', fills: '.venv', doubt: null },
  ],
  modeline: '# yaml-language-server: $schema=./node_modules/volley/schemas/volley.schema.json',
  hasEnvFile: true,
};

function load(text: string): Config {
  return loadConfig({ layers: [{ origin: 'project', label: 'volley.yaml', dir: '/project', text }], drivers: DRIVERS }).config;
}

test('what is written is a valid configuration that says what was found', () => {
  const { gates, checkout, roles, agents } = load(writeConfig(MUCH));
  assert.deepEqual(gates, ['npm run lint', 'CI=true npm test', 'cargo clippy --all-targets -- -D warnings', 'npm run build: all']);
  assert.deepEqual([checkout.setup, checkout.copy], ['npm ci && uv sync', []]);
  assert.deepEqual([roles.author, roles.reviewer, roles.fixer], ['claude', 'codex', 'claude']);
  assert.deepEqual(Object.keys(agents), ['claude', 'codex']);
});

test('what is only proposed becomes valid when its comment sign is taken away', () => {
  const text = writeConfig(MUCH).replaceAll(/^ {2}# (?!gemini)/gm, '  ');
  const { gates, checkout, policy, agents, taskTypes } = load(text);
  assert.deepEqual(gates.slice(4), ['make test', 'tox', 'nox']);
  assert.deepEqual([checkout.copy, policy.ceiling.loop, agents['mine']?.driver], [['.env'], 2.5, 'command']);
  assert.deepEqual([taskTypes.implement?.autoReview, taskTypes.improve?.timeout], [true, '30m']);
});

test('the line for editors comes first, and only where there is one', () => {
  assert.equal(writeConfig(MUCH).split('\n')[0], MUCH.modeline);
  assert.doesNotMatch(writeConfig(NOTHING), /schema/);
});

test('where nothing was found the file sets nothing but the defaults, and still says what could stand there', () => {
  const text = writeConfig(NOTHING);
  assert.deepEqual(load(text), load(''));
  assert.match(text, /^ {2}# - npm test {2}# write here how this project is tested$/m);
  assert.match(text, /^ {2}# reviewer: builtin /m);
});

test('an agent without a driver is named as such and plays no role', () => {
  const text = writeConfig({
    ...NOTHING,
    agents: [{ name: 'gemini', version: '0.24.0', obstacle: 'its driver is not in this version yet' }],
  });
  assert.match(text, /^ {2}# gemini: \{ driver: gemini \} +# found here, 0\.24\.0; its driver is not in this version yet$/m);
  assert.deepEqual([load(text).agents, load(text).roles.author], [{}, undefined]);
});

test('a set-up that is not sure is a comment with the reason', () => {
  const setup = [{ run: 'npm ci', from: 'package-lock.json', fills: 'node_modules', doubt: 'there are several lockfiles' }];
  const text = writeConfig({ ...NOTHING, setup });
  assert.equal(load(text).checkout.setup, undefined);
  assert.match(text, /^ {2}# setup: npm ci {2}# package-lock\.json; there are several lockfiles;/m);
});

test('the file fits on one screen, and every setting in it has a remark', () => {
  const lines = writeConfig(MUCH).trimEnd().split('\n');
  assert.ok(lines.length <= 40, `${lines.length} lines`);
  assert.ok(
    lines.every((line) => line.length <= 120),
    lines.filter((line) => line.length > 120).join('\n'),
  );
  assert.deepEqual(
    lines.filter((line) => line.startsWith('  ') && !/ {2}# \S/.test(line.slice(4))),
    [],
  );
});

test('the guide shows what is written for its sample project', () => {
  const guide = readFileSync(new URL('../../docs/getting-started.md', import.meta.url), 'utf8');
  const shown = /^```yaml\n(.*?)^```$/ms.exec(guide)?.[1];
  const texts = new Map([
    ['package.json', JSON.stringify({ scripts: { lint: 'eslint .', test: 'node --test', build: 'tsc' } })],
    ['package-lock.json', ''],
    ['.github/workflows/ci.yml', 'jobs: { test: { steps: [{ run: npm ci }, { run: npm run lint }, { run: npm test }] } }'],
  ]);
  const agents = [{ name: 'claude', version: '2.1.19', obstacle: 'not logged in: volley login claude' }];
  const draft = { agents, gates: guessGates(texts), setup: guessSetup(texts), modeline: null, hasEnvFile: true };
  assert.equal(shown, writeConfig(draft));
});
