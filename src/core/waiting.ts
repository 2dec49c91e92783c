import { z } from 'zod';

/**
 * What a loop waits for that nobody has to decide: that an agent may be asked again, that somebody logs it in, that sessions of other
 * loops give back money they have reserved, or that other tasks are done.
 */
export const Waiting = z.object({
  for: z.enum(['rate-limit', 'login', 'slot', 'dependency']),
  /** When that is over, or somebody looks whether it is; null where nobody can tell. */
  until: z.string().nullable(),
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

/** A wait in words, without an end. */
export function waitingWords({ agent, until, why }: Waiting): string {
  const said = why.replace(/\.+$/, '');
  if (agent === null) return said;
  const words = said.startsWith('It is ') ? `${agent} ${said.slice('It '.length)}` : `${agent}: ${said}`;
  return until === null ? words : `${words}, until ${until}`;
}
