import { z } from 'zod';

/** The ULID of a loop. Folders are named after it, so nothing else passes for one. */
export const LoopUid = z.string().regex(/^[0-9A-HJKMNP-TV-Z]{26}$/, { error: 'must be a ULID', abort: true });

/** The number of a loop: as many digits as people can type, and room for more loops after it. */
export const LoopNumber = z.number().int().positive().max(999_999_999_999_999);
