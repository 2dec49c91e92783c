import { z } from 'zod';

/** The two versions between which a loop swings, and how they differ. */
export const Versions = z.object({
  one: z.object({ round: z.number().int(), commit: z.string() }),
  other: z.object({ round: z.number().int(), commit: z.string() }),
  /** The beginning of the diff from the one to the other. */
  patch: z.string(),
});
export type Versions = z.infer<typeof Versions>;
