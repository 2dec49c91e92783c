import type { Choice } from '../core/action.ts';
import type { Delta } from '../core/delta.ts';
import { VolleyError } from '../core/errors.ts';
import type { Event, Override } from '../core/event.ts';
import type { PersonRuling } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import type { Settings } from '../core/settings.ts';
import { slugOf } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import { failpoint } from '../lib/failpoint.ts';
import { ulid } from '../lib/ids.ts';
import { tryAppend } from './append.ts';
import { followBranch, publishBranch } from './branch.ts';
import type { Engine } from './engine.ts';
import { findingDeltas } from './finding-deltas.ts';

type Created = Extract<Event, { type: 'created' }>;

/** What a loop is started with. */
export type StartRequest = {
  readonly task: Task;
  readonly settings: Settings;
  readonly base: Created['base'];
  readonly start: Created['start'];
  readonly by: string;
  readonly notes: readonly string[];
  /** Branches of the user's repository: an existing one is never written to. */
  readonly takenBranches: ReadonlySet<string>;
};

/** Writes a new loop into the journal; nothing runs yet. */
export async function startLoop(engine: Engine, request: StartRequest): Promise<Loop> {
  const at = engine.now();
  const uid = ulid(Date.parse(at));
  const { task, settings, base, start, by } = request;
  const loop = await engine.store.transaction(async (tx) => {
    const made = (id: number): Created => {
      const plain = `${settings.branchPrefix}${id}-${slugOf(task.title)}`;
      const branch = request.takenBranches.has(plain) ? `${plain}-${uid.slice(-6).toLowerCase()}` : plain;
      return { type: 'created', id, uid, task, settings, base, start, branch, by, notes: [...request.notes] };
    };
    return await tx.create(made, at);
  });
  await failpoint('after created');
  const event = (await engine.store.journal(loop.id))[0];
  if (event !== undefined) engine.report({ type: 'journal', loop, before: null, entry: event });
  return loop;
}

/** A person's answer to an escalation. */
export async function decideLoop(
  engine: Engine,
  id: number,
  answer: {
    readonly choice: Choice;
    readonly by: string;
    readonly reason: string | null;
    readonly agent: string | null;
    readonly ceilingUsd: number | null;
  },
): Promise<Loop> {
  return await mustTake(engine, id, {
    type: 'decided',
    ...answer,
    ...(answer.choice === 'uphold' ? { deltas: await deltasOf(engine, id) } : {}),
  });
}

/** What a person does to a loop at any moment. */
export async function overrideLoop(
  engine: Engine,
  id: number,
  order: { readonly override: Override; readonly by: string; readonly reason: string | null },
): Promise<Loop> {
  return await mustTake(engine, id, { type: 'overridden', verdict: null, review: false, ...order });
}

/** A person's word about one finding. */
export async function ruleOnFinding(
  engine: Engine,
  id: number,
  ruling: { readonly findingId: string; readonly ruling: PersonRuling; readonly by: string; readonly reason: string | null },
): Promise<Loop> {
  const stands = ruling.ruling === 'uphold' || ruling.ruling === 'reopen';
  return await mustTake(engine, id, { type: 'ruled', ...ruling, ...(stands ? { deltas: await deltasOf(engine, id) } : {}) });
}

async function deltasOf(engine: Engine, id: number): Promise<Delta[]> {
  return await findingDeltas(engine, await requireLoop(engine, id));
}

/** Lets a refuted finding be raised again in other loops. */
export async function forgetFinding(
  engine: Engine,
  id: number,
  given: { readonly findingId: string; readonly by: string; readonly reason: string | null },
): Promise<Loop> {
  return await mustTake(engine, id, { type: 'forgotten', ...given });
}

/** The loop with this number, or an error that helps. */
export async function requireLoop(engine: Pick<Engine, 'store'>, id: number): Promise<Loop> {
  const loop = await engine.store.load(id);
  if (loop === null) throw new VolleyError('unknown-loop', `There is no task ${id}.`, 'See volley status for the tasks of this project.');
  return loop;
}

async function mustTake(engine: Engine, id: number, event: Event): Promise<Loop> {
  // What somebody committed while the loop rested is part of what is decided on.
  await followBranch(engine, await requireLoop(engine, id));
  const { loop, refused } = await tryAppend(engine, id, event);
  // Whoever takes a loop over works on its branch, so that has to be there and to be current.
  if (refused === null) return loop.takenOver === null ? loop : await publishBranch(engine, loop);
  throw new VolleyError('refused', `Task ${id} does not take that: ${refused}.`, `See volley show ${id} for where it stands.`);
}
