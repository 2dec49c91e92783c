import assert from 'node:assert/strict';
import { test } from 'node:test';
import { castRoles, leavesOpen } from './cast-roles.ts';
import type { ReadyAgent } from './cast-roles.ts';
import { loadConfig } from './load.ts';
import type { Loaded } from './load.ts';

const CLAUDE: ReadyAgent = { name: 'claude', driver: 'claude' };
const CODEX: ReadyAgent = { name: 'codex', driver: 'codex' };
const BUILD = { authored: true, fixed: true };
const LOOK = { authored: false, fixed: false };

function load(text = ''): Loaded {
  const layers = [{ origin: 'project' as const, label: 'volley.yaml', dir: '/project', text }];
  return loadConfig({ layers, drivers: ['command', 'builtin', 'claude', 'codex'] });
}

function roles(loaded: Loaded): readonly unknown[] {
  const { author, reviewer, fixer } = loaded.config.roles;
  return [author, reviewer, fixer];
}

test('with two agents one writes and the other, of another vendor, reviews, and one line says so', () => {
  const cast = castRoles(load(), [CLAUDE, CODEX], BUILD);
  assert.deepEqual(roles(cast), ['claude', ['codex'], undefined]);
  assert.deepEqual(cast.notes, ['claude writes, codex reviews. --author and --reviewer choose others.']);
});

test('with one agent it reviews its own work in a fresh session, and that is said', () => {
  const cast = castRoles(load(), [CODEX], BUILD);
  assert.deepEqual(roles(cast), ['codex', ['codex'], undefined]);
  assert.match(
    cast.notes.join(),
    /^codex writes, codex reviews; no other agent is logged in, so it reviews its own work, in a fresh session/,
  );
});

test('without an agent nothing is chosen and nothing is said', () => {
  const cast = castRoles(load(), [], BUILD);
  assert.deepEqual([roles(cast), cast.notes], [[undefined, ['builtin'], undefined], []]);
});

test('who is named stays, and the other role goes to another vendor', () => {
  assert.deepEqual(roles(castRoles(load('roles: { author: codex }'), [CLAUDE, CODEX], BUILD)), ['codex', ['claude'], undefined]);
  assert.deepEqual(roles(castRoles(load('roles: { reviewer: claude }'), [CLAUDE, CODEX], BUILD)), ['codex', ['claude'], undefined]);
  const own = 'agents: { mine: { driver: command, run: [sh] } }\nroles: { author: mine }';
  assert.deepEqual(roles(castRoles(load(own), [CLAUDE, CODEX], BUILD)), ['mine', ['claude'], undefined]);
});

test('a review needs no author, and a fix of it goes to another vendor than the reviewer', () => {
  assert.deepEqual(roles(castRoles(load(), [CLAUDE, CODEX], LOOK)), [undefined, ['claude'], undefined]);
  assert.deepEqual(roles(castRoles(load(), [CLAUDE, CODEX], { authored: false, fixed: true })), [undefined, ['claude'], 'codex']);
});

test('nobody is looked for where every role is named', () => {
  assert.equal(leavesOpen(load('roles: { author: claude, reviewer: codex }'), BUILD), false);
  assert.equal(leavesOpen(load('roles: { reviewer: codex }'), LOOK), false);
  assert.equal(leavesOpen(load('roles: { author: claude }'), BUILD), true);
});
