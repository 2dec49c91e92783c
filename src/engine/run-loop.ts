import { isEffect } from '../core/action.ts';
import type { Action, Effect, EscalationReason } from '../core/action.ts';
import { decide } from '../core/decide.ts';
import { swingingRounds } from '../core/convergence.ts';
import { unreachable, VolleyError } from '../core/errors.ts';
import type { Event, Session } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { ceilingWarnings } from '../core/ceilings.ts';
import { refusal } from '../core/refusal.ts';
import { redact } from '../core/secrets.ts';
import type { Versions } from '../core/versions.ts';
import { appendEvent, appendTogether } from './append.ts';
import { ensureArtefacts } from './artefacts.ts';
import { followBranch, publishBranch } from './branch.ts';
import { endSessions } from './end-sessions.ts';
import type { Engine, Step, StepResult } from './engine.ts';
import { failByGit } from './fail.ts';
import { performArbitration } from './perform/arbitrate.ts';
import { performAuthor } from './perform/author.ts';
import { performFix } from './perform/fix.ts';
import { performGates } from './perform/gate.ts';
import { performReview } from './perform/review.ts';
import { postponed, postponedByDisk } from './postpone.ts';
import { clearLeftovers, isOver, putAway } from './put-away.ts';
import { SessionStopped } from './sessions.ts';
import { startAction } from './start-action.ts';
import { lostEvent } from './supersede.ts';
import { watchToken } from './watch-token.ts';

/** Drives one loop until it rests. A full disk is told as what it is, and waited for; a repository that git cannot read ends the loop as failed. */
export async function runLoop(engine: Engine, id: number, signal: AbortSignal): Promise<Loop> {
  try {
    return await drive(engine, id, signal);
  } catch (error) {
    const full = diskFull(error);
    if (full === null) return await failByGit(engine, id, error);
    await pause(engine, id);
    throw full;
  }
}

/** Load, decide, perform, append, again. */
async function drive(engine: Engine, id: number, signal: AbortSignal): Promise<Loop> {
  let loop = await takeUp(engine, id);
  let publishing: Promise<unknown> = Promise.resolve();
  for (;;) {
    // What is left of the day is looked up when a paid action starts, in the transaction that starts it.
    const action = decide({ ...loop, tally: null });
    if (action.do === 'rest') {
      await publishing;
      const seen = loop.seq;
      loop = await leave(engine, loop);
      // A person may have spoken meanwhile, and counts on whoever drives the loop.
      if (loop.seq === seen) return loop;
      continue;
    }
    if (!isEffect(action)) {
      await publishing;
      loop = await comeToRest(engine, loop, action);
      continue;
    }
    loop = await runAction({ engine, loop, action, signal });
    if (signal.aborted) break;
    await publishing;
    publishing = publishBranch(engine, loop);
    // It fails where it is awaited; until then an action may be under way, which must not be torn down.
    publishing.catch(() => undefined);
  }
  await publishing;
  return await followBranch(engine, loop);
}

/** Whoever drives a loop ends what a dead driver left running, voids its action, and does what it had no time to do. */
async function takeUp(engine: Engine, id: number): Promise<Loop> {
  let loop = await engine.store.load(id);
  if (loop === null) throw new Error(`loop ${id} does not exist`);
  if (loop.current !== null) {
    const { token } = loop.current;
    await endSessions(engine, loop, token);
    loop = await appendEvent(engine, id, lostEvent(token));
  }
  await Promise.all([clearLeftovers(engine, loop), ensureArtefacts(engine, loop), engine.workspace.restoreTrees(programsOf(loop))]);
  return await publishBranch(engine, loop);
}

/** All that the frozen settings run or reach; some of it may lie in the files of a base commit. */
function programsOf({ settings: { agents, confine } }: Loop): readonly string[] {
  return [...Object.values(agents).flatMap(({ run, sarif }) => [...run, ...sarif]), ...confine.read, ...confine.write];
}

/** A cancelled loop ends by somebody else's word, so its folders go now. */
async function leave(engine: Engine, loop: Loop): Promise<Loop> {
  if (loop.ending?.state === 'cancelled') await putAway(engine, loop);
  return await followBranch(engine, (await engine.store.load(loop.id)) ?? loop);
}

/** The folders of a loop that is over go before its last entry, after which nobody would look for them. */
async function comeToRest(engine: Engine, loop: Loop, action: Exclude<Action, Effect | { do: 'rest' }>): Promise<Loop> {
  if (action.do === 'finish' && isOver(action.state)) await putAway(engine, loop);
  if (action.do === 'wait') return await appendEvent(engine, loop.id, postponed(engine, loop, action.why));
  return await appendEvent(
    engine,
    loop.id,
    settle(action, action.do === 'escalate' ? await versionsOf(engine, loop, action.reason) : null),
  );
}

/** Whoever is asked about a loop that swings sees both versions. */
async function versionsOf(engine: Engine, loop: Loop, reason: EscalationReason): Promise<Versions | null> {
  const swings = reason === 'oscillating' ? swingingRounds(loop) : null;
  if (swings === null) return null;
  const [one, other] = [swings.one, swings.other].map(({ round, head }) => ({ round, commit: head.commit }));
  if (one === undefined || other === undefined) return null;
  const { patch } = await engine.workspace.readChange(one.commit, other.commit);
  return { one, other, patch: redact(patch).slice(0, VERSIONS_CHARS) };
}

const VERSIONS_CHARS = 4000;

function settle(action: Exclude<Action, Effect | { do: 'rest' | 'wait' }>, versions: Versions | null): Event {
  switch (action.do) {
    case 'escalate':
      return { type: 'escalated', reason: action.reason, why: action.why, versions };
    case 'finish':
      return { type: 'finished', state: action.state, why: action.why };
    default:
      return unreachable(action);
  }
}

async function runAction(input: { engine: Engine; loop: Loop; action: Effect; signal: AbortSignal }): Promise<Loop> {
  const { engine, action, signal } = input;
  const loop = await startAction(engine, input.loop, action);
  const token = loop.current?.token;
  if (token === undefined) return loop;
  const watch = watchToken(engine, { id: loop.id, token }, signal);
  const append = async (result: StepResult): Promise<Loop> => {
    await followBranch(engine, loop);
    return await warnNearCeiling(engine, await appendEvent(engine, loop.id, result));
  };
  const journal = async (result: StepResult): Promise<void> => void (await append(result));
  try {
    return await append(await perform({ engine, loop, action, token, signal: watch.signal, journal }));
  } catch (error) {
    return await ended(engine, loop, { token, error, stopped: signal.aborted, superseded: watch.signal.aborted });
  } finally {
    watch.stop();
  }
}

async function warnNearCeiling(engine: Engine, before: Loop): Promise<Loop> {
  let loop = before;
  for (const warning of ceilingWarnings(before))
    loop = await appendEvent(engine, loop.id, { type: 'warned', about: 'ceiling', ...warning });
  return loop;
}

/** An action that gave no result was stopped, superseded, or broken by a bug; a bug is journalled, never swallowed. */
async function ended(
  engine: Engine,
  loop: Loop,
  how: { token: number; error: unknown; stopped: boolean; superseded: boolean },
): Promise<Loop> {
  await endSessions(engine, loop, how.token);
  const [session = null, ...others] = how.error instanceof SessionStopped ? how.error.sessions : [];
  for (const other of others) await bookSuperseded(engine, loop, other);
  if (how.stopped) return await appendEvent(engine, loop.id, { type: 'interrupted', token: how.token, why: 'stopped by hand', session });
  if (how.superseded) return await bookSuperseded(engine, loop, session);
  if (diskFull(how.error) !== null) throw how.error;
  const error = how.error instanceof Error ? how.error : new Error(String(how.error));
  return await appendEvent(engine, loop.id, { type: 'failed', message: error.message, stack: error.stack ?? null });
}

/** The result of a superseded session is refused; what it spent is booked all the same. */
async function bookSuperseded(engine: Engine, loop: Loop, session: Session | null): Promise<Loop> {
  if (session === null) return (await engine.store.load(loop.id)) ?? loop;
  return await appendEvent(engine, loop.id, { type: 'refused', event: `a session of ${session.agent}`, why: 'it was superseded', session });
}

/** A full disk is nobody's fault and passes: nothing is marked as failed, and the loop goes on when somebody looks again. */
async function pause(engine: Engine, id: number): Promise<void> {
  try {
    const wait = await postponedByDisk(engine, id);
    await appendTogether(engine, async (tx, append) => {
      const before = await tx.load(id);
      const token = before?.current?.token;
      const loop =
        token === undefined ? before : (await append(id, { type: 'interrupted', token, why: 'the disk is full', session: null })).loop;
      if (loop !== null && refusal(loop, wait) === null) await append(id, wait);
    });
  } catch (error) {
    // The disk of the journal may be full too, so that nothing can be written down; whoever drives the loop has patience of its own.
    if (diskFull(error) === null) throw error;
  }
}

function diskFull(error: unknown): VolleyError | null {
  if (error instanceof VolleyError) return error.code === 'disk-full' ? error : null;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return null;
  return new VolleyError('disk-full', 'The disk is full.', 'Free some space, then run the same command again; nothing was lost.').from(
    error,
  );
}

async function perform(step: Step<Effect>): Promise<StepResult> {
  const { action } = step;
  switch (action.do) {
    case 'author':
      return await performAuthor({ ...step, action });
    case 'fix':
      return await performFix({ ...step, action });
    case 'gates':
      return await performGates({ ...step, action });
    case 'review':
      return await performReview({ ...step, action });
    case 'arbitrate':
      return await performArbitration({ ...step, action });
    default:
      return unreachable(action);
  }
}
