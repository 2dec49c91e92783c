import type { Change } from './diff.ts';
import type { Proof } from './proof.ts';
import type { Replay } from './replay.ts';

/** One thing that was looked at again: whether it holds, or null where that cannot be told. */
export type Check = { readonly round: number | null; readonly what: string; readonly ok: boolean | null; readonly detail: string };

/** A row of a table beside the journal, as it is and as the journal makes it; null where there is none. */
export type RowFact = {
  readonly round: number | null;
  readonly table: 'loops' | 'loop_reviews' | 'review_issues';
  readonly stored: Readonly<Record<string, unknown>> | null;
  readonly folded: Readonly<Record<string, unknown>> | null;
};

/** What a transcript holds of a prompt: the hashes of what it may have been; not `whole` where something was taken out of it. */
export type PromptFact = { readonly hashes: readonly string[]; readonly whole: boolean };

/** What the world says today about a loop. */
export type VerifyFacts = {
  readonly replay: Replay;
  /** Git tracks the journal, so it came with somebody's commit. */
  readonly isForeign: boolean;
  readonly rows: readonly RowFact[];
  /** The tree of each commit that a proof names; null where no repository has it. */
  readonly trees: ReadonlyMap<string, string | null>;
  /** What lies between base and head, by `changeKey`; a text where git could not tell. */
  readonly changes: ReadonlyMap<string, Change | string>;
  /** Where the branch stands that was approved; null if it is gone. */
  readonly branch: string | null;
  /** The twin of each round; its text is null where there is no such file. */
  readonly twins: ReadonlyMap<number, { readonly path: string; readonly text: string | null }>;
  /** By the path of the transcript; null where it is gone. */
  readonly prompts: ReadonlyMap<string, PromptFact | null>;
};

/** How a check went. */
export type Outcome = Pick<Check, 'ok' | 'detail'>;

/** It is so. */
export const holds = (detail: string): Outcome => ({ ok: true, detail });
/** It is not so. */
export const fails = (detail: string): Outcome => ({ ok: false, detail });
/** Nobody can say. */
export const cannotTell = (detail: string): Outcome => ({ ok: null, detail });

/** Under which name the change of a proof is found among the facts. */
export function changeKey({ base, head }: Pick<Proof, 'base' | 'head'>): string {
  return `${base} ${head}`;
}

/** A commit or hash as people read it. */
export function short(id: string): string {
  return id.slice(0, 8);
}

/** A value as it stands in a sentence. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
