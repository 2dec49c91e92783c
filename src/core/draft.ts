import { z } from 'zod';
import { Instant } from './instant.ts';

/** Which version of a file a line is one of: the one before the change, or the one after it. */
export const Side = z.enum(['old', 'new']);
export type Side = z.infer<typeof Side>;

/** The most characters of one comment, and the most drafts of one loop. */
export const COMMENT_CHARS = 20_000;
export const MOST_DRAFTS = 500;

const line = z.number().int().positive().max(1_000_000_000);

/** Words of a person about a change, and where; without a line a whole file is meant, without a file the whole change. */
export const PlacedWords = z.object({
  text: z.string().trim().min(1).max(COMMENT_CHARS),
  file: z.string().min(1).max(4096).nullable(),
  line: line.nullable(),
  /** The last line, where there are several. */
  lineEnd: line.nullable(),
});
export type PlacedWords = z.infer<typeof PlacedWords>;

/** A comment that its writer has not submitted yet. */
export const Draft = PlacedWords.extend({
  id: z.string(),
  side: Side,
  /** The commit that its writer looked at. */
  head: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Draft = z.infer<typeof Draft>;

/** How the lines of a draft fared until it was submitted; where they are `outdated`, it is about the file. */
export const DraftAnchor = z.enum(['exact', 'moved', 'outdated']);
export type DraftAnchor = z.infer<typeof DraftAnchor>;

/** What drafts are submitted as. */
export const SubmitAs = z.enum(['comment', 'request-changes', 'approve']);
export type SubmitAs = z.infer<typeof SubmitAs>;

/**
 * What comments were submitted together, as what, and with which word about all of them, by its hash. Whoever submits their drafts
 * again is told by this whether that was the same.
 */
export const SubmissionMark = z.object({ id: z.string(), as: SubmitAs, textSha256: z.string().nullable() });
export type SubmissionMark = z.infer<typeof SubmissionMark>;
