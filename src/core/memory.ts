import { z } from 'zod';
import { Category, Severity } from './finding.ts';
import { Instant } from './instant.ts';

/** A refuted finding as the project remembers it. It holds as long as the code that it cites stays as it was. */
export const Memory = z.object({
  /** The finding that was refuted, such as `29.4`. */
  findingId: z.string(),
  codeHash: z.string(),
  file: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  /** How grave it was held to be when it was refuted. */
  severity: Severity,
  category: Category,
  tag: z.string().nullable(),
  description: z.string(),
  by: z.string(),
  person: z.boolean(),
  note: z.string(),
  at: Instant,
});
export type Memory = z.infer<typeof Memory>;
