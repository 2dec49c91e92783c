import type { Loop } from '../core/loop.ts';
import type { Check } from '../core/verify-facts.ts';
import type { Verification } from '../core/verify.ts';

/** A loop with everything that was checked about it again. */
export type VerifiedLoop = { readonly loop: Loop; readonly checks: readonly Check[]; readonly verification: Verification };

/** Work that was brought over: how, whereto, and the commits or files that it changed. */
export type Landed = {
  readonly onto: string;
  readonly kind: 'fast-forward' | 'merged' | 'applied' | 'already';
  readonly from: string | null;
  readonly to: string | null;
  readonly files: readonly string[];
};

/** What can be done with what a loop came to. */
export type ResultDesk = {
  /** Checks a loop against git, the database and the files; nothing is written. */
  verify(id: number): Promise<VerifiedLoop>;
  /** Brings the work of a loop to a branch of the user, one at a time; where that changes nothing, it is an error. */
  land(id: number, how: { readonly onto: string | null; readonly signal: AbortSignal }): Promise<Landed>;
};
