import { overrideCommand } from '../override.ts';

/** `volley handback ID`. */
export const command = overrideCommand('handback');
