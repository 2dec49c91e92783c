import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Agent, AgentEvent } from '../../src/agents/agent.ts';
import { fakeAgent, fakeEnded, fakeFailed } from '../../src/agents/fake.ts';
import { openQueue } from '../../src/app-queue.ts';
import { openApp } from '../../src/app.ts';
import type { App } from '../../src/app.ts';
import { workThrough } from '../../src/app-work.ts';
import type { AgentSpec } from '../../src/core/settings.ts';
import { plainTask } from '../../src/core/task.ts';
import { makeRepository } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { eventually } from '../support/scenario.ts';

const AGENTS = { author: { driver: 'fake' }, reviewer: { driver: 'fake' } };

async function addTask(app: App, title: string, group: string | null): Promise<void> {
  const task = plainTask({ kind: 'implement', title, source: { kind: 'authored' }, group });
  await app.start({ change: { kind: 'authored', base: null }, task, flags: {}, autoReview: true });
}

/** A project whose agents are given. */
async function openSample(repository: TestRepository, createAgent: (spec: AgentSpec) => Agent): Promise<App> {
  process.env['XDG_STATE_HOME'] = join(repository.beside, 'state');
  process.env['XDG_CONFIG_HOME'] = join(repository.beside, 'config');
  await mkdir(join(repository.beside, 'config'));
  const config = { agents: AGENTS, roles: { author: 'author', reviewer: ['reviewer'] } };
  await repository.commit('config', { 'volley.yaml': JSON.stringify(config) });
  return await openApp({ cwd: repository.root, report: () => undefined, drivers: ['fake'], createAgent });
}

test('whoever watches goes on by itself after a full disk, and waits longer each time that it is still full', async (t) => {
  await using repository = await makeRepository({ files: { 'README.md': '# Sample\n' } });
  let authors = 0;
  const app = await openSample(repository, (spec) =>
    fakeAgent({
      name: spec.name,
      spec,
      script: () => [fakeEnded(spec.name === 'author' ? '{}' : '{"passed":true}')],
      edit: async (cwd) => {
        if (spec.name !== 'author') return;
        authors += 1;
        await writeFile(join(cwd, 'made.txt'), 'made\n');
      },
    }),
  );
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const stop = new AbortController();
  try {
    await addTask(app, 'Large', null);
    process.env['VOLLEY_FAILPOINT'] = 'full:committed author';
    const told: string[] = [];
    const working = workThrough(app, openQueue(app, { ids: null, group: null }), {
      slots: 1,
      watch: true,
      signal: stop.signal,
      ended: ({ state }) => {
        told.push(state);
        stop.abort();
      },
      broke: (_id, error) => told.push(String(error)),
      faltered: (error) => told.push(`faltered: ${String(error)}`),
      waiting: () => undefined,
    });
    for (const minutes of [1, 2]) {
      await eventually('the disk is full', async () => (await app.load(1)).waiting !== null && told.length === minutes);
      const { waiting, rounds } = await app.load(1);
      assert.deepEqual([waiting?.for, rounds.length], ['disk', 0]);
      assert.equal(Date.parse(waiting?.until ?? ''), Date.now() + minutes * 60_000);
      if (minutes === 2) delete process.env['VOLLEY_FAILPOINT'];
      t.mock.timers.tick(minutes * 60_000);
      app.engine.dispatcher.stir();
    }
    await working;
    assert.deepEqual([told, authors], [['VolleyError: The disk is full.', 'VolleyError: The disk is full.', 'approved'], 3]);
  } finally {
    delete process.env['VOLLEY_FAILPOINT'];
    stop.abort();
    await app.close();
  }
});

test('a night goes on by itself: a rate limit is waited for, one group is worked on and the other one is left alone', async () => {
  await using repository = await makeRepository({ files: { 'README.md': '# Sample\n' } });
  let reviews = 0;
  const review = (): readonly AgentEvent[] => {
    reviews += 1;
    if (reviews > 1) return [fakeEnded('{"passed":true}')];
    const until = new Date(Date.now() + 5000).toISOString();
    return [{ type: 'limited', until, message: 'Too many requests.' }, fakeFailed('limited')];
  };
  const app = await openSample(repository, (spec) =>
    fakeAgent({
      name: spec.name,
      spec,
      script: () => (spec.name === 'author' ? [fakeEnded('{}')] : review()),
      edit: async (cwd) => (spec.name === 'author' ? await writeFile(join(cwd, 'made.txt'), 'made\n') : undefined),
    }),
  );
  try {
    await addTask(app, 'Limited', 'night');
    await addTask(app, 'Another', 'night');
    await addTask(app, 'Not tonight', null);
    const told: string[] = [];
    const { driven } = await workThrough(app, openQueue(app, { ids: null, group: 'night' }), {
      slots: 1,
      watch: false,
      signal: new AbortController().signal,
      ended: ({ id, state }) => told.push(`${id} ${state}`),
      broke: (id, error) => told.push(`${id} broke: ${String(error)}`),
      faltered: (error) => told.push(`faltered: ${String(error)}`),
      waiting: ({ id }) => told.push(`waiting for ${id}`),
    });
    assert.deepEqual(told, ['1 pending_self_review', '2 approved', 'waiting for 1', '1 approved']);
    assert.deepEqual([[...driven], (await app.load(3)).state], [[1, 2], 'queued']);
  } finally {
    await app.close();
  }
});
