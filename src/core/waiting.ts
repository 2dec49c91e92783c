import { z } from 'zod';
import { Instant } from './instant.ts';

/**
 * What a loop waits for that nobody has to decide: that an agent may be asked again, that somebody logs it in, that sessions of other
 * loops give back money they have reserved, that there is room on the disk, or that other tasks are done.
 */
export const Waiting = z.object({
  for: z.enum(['rate-limit', 'login', 'slot', 'disk', 'dependency']),
  /** When that is over, or somebody looks whether it is; null where nobody can tell. */
  until: Instant.nullable(),
  /** Whom it waits for; null where it waits for no agent. */
  agent: z.string().nullable(),
  why: z.string(),
});
export type Waiting = z.infer<typeof Waiting>;

/** Why a session counts for nothing although nobody failed: its agent was limited, or is not logged in. */
export const Hindrance = z.enum(['limited', 'logged-out']);
export type Hindrance = z.infer<typeof Hindrance>;

/** Whether a session failed by something that passes. */
export function isHindered(reason: string): reason is Hindrance {
  return Hindrance.safeParse(reason).success;
}

/** The wait that a hindered session leads to. */
export function waitFor(
  reason: Hindrance,
  given: { readonly agent: string; readonly until: string | null; readonly message: string },
): Waiting {
  const isLimited = reason === 'limited';
  return { for: isLimited ? 'rate-limit' : 'login', until: isLimited ? given.until : null, agent: given.agent, why: given.message };
}

/** The wait of a task for others that it depends on. */
export function waitForTasks(ids: readonly number[]): Waiting {
  const tasks = ids.map((id) => `task ${id}`).join(' and ');
  return { for: 'dependency', until: null, agent: null, why: `${tasks} ${ids.length === 1 ? 'has' : 'have'} to be done first` };
}

/** The wait for money that sessions of other loops have reserved. */
export function waitForMoney({ until, why }: { readonly until: string; readonly why: string }): Waiting {
  return { for: 'slot', until, agent: null, why: `other sessions have reserved what is left of ${why}` };
}

/** The wait for room on a disk that was full. */
export function waitForDisk({ until, why }: { readonly until: string; readonly why: string }): Waiting {
  return { for: 'disk', until, agent: null, why };
}

const MINUTE_MS = 60_000;

/** How long something is left alone that may pass by itself, the first time and each time that it is still there: every try may cost money. */
export function patienceMs(timesBefore: number): number {
  return (timesBefore === 0 ? 1 : timesBefore === 1 ? 2 : timesBefore === 2 ? 5 : 10) * MINUTE_MS;
}

/** The states of a task in which others may start from its work, and those in which they never will. */
export const DONE_STATES: readonly string[] = ['approved', 'ready_for_human_review', 'merged'];
export const LOST_STATES: readonly string[] = ['cancelled', 'failed'];

/** Whether a loop that could go on waits for other tasks. */
export function waitsForTasks({
  waiting,
  ending,
  takenOver,
}: {
  readonly waiting: Waiting | null;
  readonly ending: unknown;
  readonly takenOver: unknown;
}): boolean {
  return waiting?.for === 'dependency' && ending === null && takenOver === null;
}

/** Whether a loop waits for a time that is known, and goes on by itself then. */
export function waitsForTime(loop: {
  readonly waiting: Waiting | null;
  readonly ending: unknown;
  readonly escalation: unknown;
  readonly takenOver: unknown;
}): boolean {
  const { waiting, ending, escalation, takenOver } = loop;
  return waiting !== null && waiting.until !== null && ending === null && escalation === null && takenOver === null;
}

/** A wait in words, without an end. */
export function waitingWords({ for: what, agent, until, why }: Waiting): string {
  const said = why.replace(/\.+$/, '');
  if (what === 'disk') return `${said}; it is tried again at ${until ?? 'any time'}`;
  if (agent === null) return said;
  const words = said.startsWith('It is ') ? `${agent} ${said.slice('It '.length)}` : `${agent}: ${said}`;
  return until === null ? words : `${words}, until ${until}`;
}
