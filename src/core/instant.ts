import { z } from 'zod';

/** A moment as the journal writes it, in ISO 8601; programs that read our schemas are told so. */
export const Instant = z.string().meta({ format: 'date-time' });
