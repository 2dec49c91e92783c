import { overrideCommand } from '../override.ts';

/** `volley retry ID`. */
export const command = overrideCommand('retry');
