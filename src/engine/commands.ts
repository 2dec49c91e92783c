import { Choice } from '../core/action.ts';
import { choiceNamed, choicesOf } from '../core/choices.ts';
import type { Delta } from '../core/delta.ts';
import { VolleyError } from '../core/errors.ts';
import type { Edit, Override, SetVerdict } from '../core/event.ts';
import type { PersonRuling } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import { followBranch } from './branch.ts';
import type { Engine } from './engine.ts';
import { findingDeltas } from './finding-deltas.ts';
import { requireLoop } from './require-loop.ts';
import { mustTake, refuseUnseen } from './take.ts';
import type { Seen } from './take.ts';

export { addDraft, changeDraft, listDrafts, removeDraft } from './drafts.ts';
export { commentOnLoop, submitDrafts } from './submit.ts';
export { requireLoop } from './require-loop.ts';

/** A person's answer to an escalation. */
export async function decideLoop(
  engine: Engine,
  id: number,
  {
    seq,
    ...answer
  }: Seen & {
    readonly choice: Choice;
    readonly by: string;
    readonly reason: string | null;
    readonly agent: string | null;
    readonly ceilingUsd: number | null;
  },
): Promise<Loop> {
  const deltas = answer.choice === 'uphold' ? { deltas: await deltasOf(engine, id) } : {};
  return await mustTake(engine, id, { event: { type: 'decided', ...answer, ...deltas }, seq });
}

/** A person's answer by the name of a choice, or by its letter in the order in which the loop offers them. */
export async function decideByName(
  engine: Engine,
  id: number,
  { choice: named, seq, ...answer }: Omit<Parameters<typeof decideLoop>[2], 'choice'> & { readonly choice: string },
): Promise<Loop> {
  const loop = await followBranch(engine, await requireLoop(engine, id));
  // Whoever looked at something older is told that, and not what is not asked any more.
  refuseUnseen(loop, { seq });
  const choice = choiceNamed(loop, named);
  if (choice === null) throw notOffered(loop, named);
  // A letter means what stood in its place.
  return await decideLoop(engine, id, { ...answer, choice, seq: choice === named ? seq : (seq ?? loop.seq) });
}

function notOffered(loop: Loop, named: string): VolleyError {
  const offered = choicesOf(loop);
  if (offered.length === 0)
    return new VolleyError('refused', `Task ${loop.id} asks nothing.`, `See volley show ${loop.id} for where it stands.`);
  const code = Choice.safeParse(named).success ? 'refused' : 'bad-usage';
  return new VolleyError(code, `'${named}' is not a choice of task ${loop.id} now.`, `Choose one of ${offered.join(', ')}.`);
}

/** What a person does to a loop at any moment. */
export async function overrideLoop(
  engine: Engine,
  id: number,
  {
    seq,
    ...order
  }: Seen & {
    readonly override: Override;
    readonly by: string;
    readonly reason: string | null;
    readonly verdict?: SetVerdict;
    readonly review?: boolean;
  },
): Promise<Loop> {
  const { override, verdict, review } = order;
  if (verdict !== undefined && override !== 'verdict') throw notPartOf('A verdict', override);
  if (review === true && override !== 'improve' && override !== 'review') throw notPartOf('A review', override);
  return await mustTake(engine, id, { event: { type: 'overridden', verdict: null, review: false, ...order }, seq });
}

function notPartOf(what: string, override: Override): VolleyError {
  return new VolleyError('bad-usage', `${what} is no part of '${override}'.`, 'Leave it out, or do that by itself.');
}

/** A person changes a task that waits, or the limits of one that runs. */
export async function editLoop(
  engine: Engine,
  id: number,
  { seq, ...given }: Seen & { readonly by: string; readonly reason: string | null; readonly edit: Edit },
): Promise<Loop> {
  await requireDependencies(engine, id, given.edit.dependsOn ?? []);
  return await mustTake(engine, id, { event: { type: 'edited', ...given }, seq });
}

/** Refuses a task that would wait for ever: for one that does not exist or was cancelled, or for itself, also by way of others. */
export async function requireDependencies(engine: Pick<Engine, 'store'>, id: number | null, dependsOn: readonly number[]): Promise<void> {
  for (const on of dependsOn) {
    const { state } = await requireLoop(engine, on);
    if (state === 'cancelled')
      throw new VolleyError(
        'refused',
        `Task ${on} was cancelled, so nothing can depend on it.`,
        'Let it depend on another task, or on none.',
      );
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
  {
    seq,
    ...word
  }: Seen & { readonly findingId: string; readonly ruling: PersonRuling; readonly by: string; readonly reason: string | null },
): Promise<Loop> {
  if (!(await requireLoop(engine, id)).findings.some((finding) => finding.id === word.findingId))
    throw new VolleyError('not-found', `There is no finding ${word.findingId}.`, `See volley findings ${id} for those that there are.`);
  const stands = word.ruling === 'uphold' || word.ruling === 'reopen';
  const deltas = stands ? { deltas: await deltasOf(engine, id) } : {};
  return await mustTake(engine, id, { event: { type: 'ruled', ...word, ...deltas }, seq });
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
  return await mustTake(engine, id, { event: { type: 'forgotten', ...given } });
}
