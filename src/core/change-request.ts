import { z } from 'zod';
import type { ChangeSource } from './task.ts';

const ref = z.string().max(1000);

/** A change that exists already. `base` is what a person named to compare with, if they did. */
export const FoundChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('branch'), branch: ref, base: ref.nullable().default(null) }),
  z.strictObject({ kind: z.literal('range'), range: ref }),
  /** Without a base only what is not committed. */
  z.strictObject({ kind: z.literal('working-tree'), base: ref.optional() }),
]);
export type FoundChange = z.infer<typeof FoundChange>;

/** Which change a person means: one that exists, or one that an author makes. */
export const ChangeRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('authored'), base: ref.nullable() }),
  ...FoundChange.options,
]);
export type ChangeRequest = z.infer<typeof ChangeRequest>;

/** A change in words. */
export function describeChange(change: ChangeRequest): string {
  switch (change.kind) {
    case 'branch':
      return change.branch === 'HEAD' ? 'the current branch' : change.branch;
    case 'range':
      return change.range;
    case 'working-tree':
    case 'authored':
      return 'the working tree';
  }
}

/** What is under review, as its task remembers it. */
export function sourceOf(change: ChangeRequest): ChangeSource {
  switch (change.kind) {
    case 'branch':
      return { kind: 'branch', branch: change.branch };
    case 'range':
      return change;
    case 'working-tree':
    case 'authored':
      return { kind: 'working-tree' };
  }
}
