import { overrideCommand } from '../override.ts';

/** `volley skip ID`. */
export const command = overrideCommand('skip');
