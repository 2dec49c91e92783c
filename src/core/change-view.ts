import { z } from 'zod';
import { currentHead } from './choices.ts';
import { isBlocking } from './convergence.ts';
import { VolleyError } from './errors.ts';
import { isClosed } from './finding.ts';
import type { Loop } from './loop.ts';

/** A change is named by the ids of its two commits: merge base and head, as `BASE..HEAD`. */
export type ChangeEnds = { readonly base: string; readonly head: string };

/** Whether lines that differ in spaces alone are shown as changed. */
export const Whitespace = z.enum(['show', 'hide']);
export type Whitespace = z.infer<typeof Whitespace>;

/** One file of a change, without any of its text. */
export const ChangeFile = z.object({
  /** Bytes that are no UTF-8 are replaced. */
  path: z.string(),
  /** The former path of a rename. */
  oldPath: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'typechanged']),
  /** Lines; both are 0 in a binary file. */
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  binary: z.boolean(),
  submodule: z.boolean(),
  /** It is, or was, a symbolic link. */
  symlink: z.boolean(),
  /** As git writes them; `000000` where there is no such side. */
  oldMode: z.string(),
  newMode: z.string(),
  oldBlob: z.string().nullable(),
  newBlob: z.string().nullable(),
  /** Why it is not made by hand; null if it is. */
  generated: z.string().nullable(),
});
export type ChangeFile = z.infer<typeof ChangeFile>;

/** What a change amounts to. */
export const ChangeTotals = z.object({
  files: z.number().int().nonnegative(),
  added: z.number().int().nonnegative(),
  removed: z.number().int().nonnegative(),
  binary: z.number().int().nonnegative(),
  generated: z.number().int().nonnegative(),
});
export type ChangeTotals = z.infer<typeof ChangeTotals>;

/** A line of a change in which a text was found. */
export const DiffMatch = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  kind: z.enum(['added', 'removed', 'context']),
  /** Its number on each side that has it, from 1. */
  oldLine: z.number().int().positive().nullable(),
  newLine: z.number().int().positive().nullable(),
  /** The line, or what stands around the match where it is long. */
  text: z.string(),
  /** Where in `text` the first match begins, from 0. */
  column: z.number().int().nonnegative(),
  /** `text` is not all of the line. */
  cut: z.boolean(),
});
export type DiffMatch = z.infer<typeof DiffMatch>;

const COMMIT_ID = '[0-9a-f]{40}(?:[0-9a-f]{24})?';

/** The full id of an object. */
export const ObjectId = z.string().regex(new RegExp(`^${COMMIT_ID}$`), 'is a full id');

/** A change as it is written in an address. */
export const ChangeName = z
  .string()
  .regex(new RegExp(`^${COMMIT_ID}\\.\\.${COMMIT_ID}$`), 'is written as BASE..HEAD, with two full commit ids');

/** The change that a name stands for. */
export function readChangeName(name: string): ChangeEnds {
  const [base = '', head = ''] = name.split('..');
  return { base, head };
}

/** The name of a change. */
export function changeName({ base, head }: ChangeEnds): string {
  return `${base}..${head}`;
}

/** An end of a change in the life of a loop: its base, its start, its newest commit, what a round reviewed, or one of its commits. */
export const LoopPoint = z
  .string()
  .regex(
    new RegExp(`^(?:base|start|head|round-[1-9]\\d{0,5}|${COMMIT_ID})$`),
    'is one of base, start, head, round-N, or the id of a commit',
  );

/** The change of a loop between two points of its life. */
export function loopChange(loop: Loop, { from, to }: { readonly from: string; readonly to: string }): ChangeEnds {
  return { base: commitAt(loop, from), head: commitAt(loop, to) };
}

function commitAt(loop: Loop, point: string): string {
  const newest = (currentHead(loop) ?? loop.start).commit;
  if (point === 'base') return loop.base.mergeBase;
  if (point === 'start') return loop.start.commit;
  if (point === 'head') return newest;
  const round = /^round-(\d+)$/.exec(point)?.[1];
  const found =
    round === undefined
      ? commitsOf(loop).find((commit) => commit === point)
      : loop.rounds.find((one) => one.round === Number(round))?.head.commit;
  if (found !== undefined) return found;
  const what = round === undefined ? `commit ${point.slice(0, 12)}` : `round ${round}`;
  throw new VolleyError(
    'not-found',
    `Task ${loop.id} has no ${what}.`,
    `Name base, start, head, one of its ${loop.rounds.length} rounds or its commits.`,
  );
}

function commitsOf({ base, start, head, pushed, commits, rounds }: Loop): readonly string[] {
  const heads = [head, pushed?.head ?? null, ...rounds.map((round) => round.head)].flatMap((one) => one?.commit ?? []);
  return [base.mergeBase, base.commit, start.commit, ...commits, ...heads];
}

/** How many findings of a loop lie in a file, and how many of them block. */
export type FindingCount = { readonly open: number; readonly blocking: number };

/** The findings that are not settled, counted by file. */
export function findingsByFile({ findings, settings }: Loop): ReadonlyMap<string, FindingCount> {
  const counts = new Map<string, FindingCount>();
  for (const finding of findings) {
    if (finding.file === null || isClosed(finding)) continue;
    const { open, blocking } = counts.get(finding.file) ?? { open: 0, blocking: 0 };
    counts.set(finding.file, { open: open + 1, blocking: blocking + (isBlocking(finding, settings.policy) ? 1 : 0) });
  }
  return counts;
}
