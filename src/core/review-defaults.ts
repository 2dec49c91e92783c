import { z } from 'zod';

/** What a review goes by that an agent asks for, where it does not say: the three settings that seed 000 names. */
export const ReviewDefaults = z.object({
  maxRounds: z.number().int().positive(),
  /** In dollars; null for none. */
  costCeiling: z.number().nonnegative().nullable(),
  autoIterate: z.boolean(),
});
export type ReviewDefaults = z.infer<typeof ReviewDefaults>;

/** Those of the defaults that somebody changes. */
export const ReviewDefaultsEdit = ReviewDefaults.partial();
export type ReviewDefaultsEdit = z.infer<typeof ReviewDefaultsEdit>;
