import { z } from 'zod';

/** What a loop waits for that nobody has to decide: that an agent may be asked again, or that somebody logs it in. */
export const Waiting = z.object({
  for: z.enum(['rate-limit', 'login']),
  /** When that is over; null where nobody can tell. */
  until: z.string().nullable(),
  agent: z.string(),
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

/** A wait in words, without an end. */
export function waitingWords({ agent, until, why }: Waiting): string {
  const said = why.replace(/\.+$/, '');
  const words = said.startsWith('It is ') ? `${agent} ${said.slice('It '.length)}` : `${agent}: ${said}`;
  return until === null ? words : `${words}, until ${until}`;
}
