import type { Choice } from '../core/action.ts';
import type { Delta } from '../core/delta.ts';
import { unknownTask, VolleyError } from '../core/errors.ts';
import { redactAll } from '../core/redact-all.ts';
import { redact } from '../core/secrets.ts';
import type { Edit, Event, Override } from '../core/event.ts';
import type { PersonRuling } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import { followBranch, publishBranch } from './branch.ts';
import { commentedEvent } from './comment.ts';
import type { CommentRequest } from './comment.ts';
import type { Engine } from './engine.ts';
import { findingDeltas } from './finding-deltas.ts';
import { supersede } from './supersede.ts';

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
  order: {
    readonly override: Override;
    readonly by: string;
    readonly reason: string | null;
    readonly verdict?: 'APPROVED' | 'CHANGES_REQUESTED';
    readonly review?: boolean;
  },
): Promise<Loop> {
  return await mustTake(engine, id, { type: 'overridden', verdict: null, review: false, ...order });
}

/** Words of a person about the change of a loop. */
export async function commentOnLoop(engine: Engine, id: number, comment: CommentRequest): Promise<Loop> {
  const loop = await followBranch(engine, await requireLoop(engine, id));
  return await mustTake(engine, id, await commentedEvent(engine, loop, comment));
}

/** A person changes a task that waits, or the limits of one that runs. */
export async function editLoop(
  engine: Engine,
  id: number,
  given: { readonly by: string; readonly reason: string | null; readonly edit: Edit },
): Promise<Loop> {
  await requireDependencies(engine, id, given.edit.dependsOn ?? []);
  return await mustTake(engine, id, { type: 'edited', ...given });
}

/** Refuses a task that would wait for ever: for one that does not exist or was cancelled, or for itself, also by way of others. */
export async function requireDependencies(engine: Pick<Engine, 'store'>, id: number | null, dependsOn: readonly number[]): Promise<void> {
  for (const on of dependsOn) {
    const { state } = await requireLoop(engine, on);
    if (state === 'cancelled')
      throw new VolleyError('refused', `Task ${on} was cancelled, so nothing can depend on it.`, 'Name another task after --depends-on.');
  }
  const seen = new Set<number>();
  const next = [...dependsOn];
  for (let on = next.pop(); on !== undefined; on = next.pop()) {
    if (on === id) {
      const what = dependsOn.includes(id) ? 'itself' : `task ${dependsOn.join(' and ')}, which waits for it`;
      throw new VolleyError('refused', `Task ${id} cannot depend on ${what}.`, 'Name tasks that do not wait for this one.');
    }
    if (seen.has(on)) continue;
    seen.add(on);
    next.push(...(await requireLoop(engine, on)).task.dependsOn);
  }
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
  if (loop === null) throw unknownTask(id);
  return loop;
}

/** People's own words without secrets, which neither the journal keeps nor an agent reads. */
function withoutSecrets(event: Event): Event {
  if (event.type === 'commented') return { ...event, text: redact(event.text) };
  if (event.type === 'edited') return redactAll(event);
  return 'reason' in event && typeof event.reason === 'string' && event.type !== 'escalated'
    ? { ...event, reason: redact(event.reason) }
    : event;
}

async function mustTake(engine: Engine, id: number, event: Event): Promise<Loop> {
  // What somebody committed while the loop rested is part of what is decided on.
  await followBranch(engine, await requireLoop(engine, id));
  const { loop, refused } = await supersede(engine, id, withoutSecrets(event));
  // Whoever takes a loop over works on its branch, so that has to be there and to be current.
  if (refused === null) return loop.takenOver === null ? loop : await publishBranch(engine, loop);
  throw new VolleyError('refused', `Task ${id} does not take that: ${refused}.`, `See volley show ${id} for where it stands.`);
}
