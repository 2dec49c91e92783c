import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { isEffect } from '../../src/core/action.ts';
import { decide } from '../../src/core/decide.ts';
import type { Loop } from '../../src/core/loop.ts';
import { plainAgent } from '../../src/core/settings.ts';
import { NO_USAGE } from '../../src/core/usage-meter.ts';
import { appendEvent } from '../../src/engine/append.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { startAction } from '../../src/engine/start-action.ts';
import type { Created, Owner } from '../../src/store/store.ts';
import { makeCreated } from './created.ts';
import { makeSession } from './loops.ts';

/** A process that is gone. */
export const DEAD: Owner = { pid: 2 ** 30, startedAt: 'long ago', host: hostname() };

/** Makes a loop whose author may spend a dollar a session, of what the day allows. */
export async function makeDayLoop(engine: Engine, day: number | null = 1.5): Promise<number> {
  return (await engine.store.transaction((tx) => tx.create((id) => created(id, day), engine.now()))).id;
}

function created(id: number, day: number | null): Created {
  const made = makeCreated(id);
  const alpha = plainAgent({ name: 'alpha', driver: 'command', sessionUsd: 1 });
  const policy = { ...made.settings.policy, ceilingUsd: { loop: null, run: null, day } };
  return { ...made, settings: { ...made.settings, policy, agents: { ...made.settings.agents, alpha } } };
}

/** Starts what the loop does next, as the engine does: without regard to what it knows of the day. */
export async function startNext(engine: Engine, id: number): Promise<Loop> {
  const loop = await engine.store.load(id);
  assert.ok(loop);
  const action = decide({ ...loop, tally: null });
  assert.ok(isEffect(action));
  return await startAction(engine, loop, action);
}

/** Ends the author's session that runs. */
export async function endAuthor(engine: Engine, { id, current }: Loop, costUsd: number): Promise<void> {
  const session = makeSession('alpha', { role: 'author', usage: { ...NO_USAGE, costUsd } });
  const outcome = { kind: 'unchanged' } as const;
  await appendEvent(engine, id, { type: 'authored', token: current?.token ?? 0, outcome, summary: null, taskComplete: false, session });
}

/** The kinds of all entries in a loop's journal. */
export async function entriesOf(engine: Engine, id: number): Promise<readonly string[]> {
  return (await engine.store.journal(id)).map(({ event }) => event.type);
}
