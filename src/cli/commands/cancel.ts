import { overrideCommand } from '../override.ts';

/** `volley cancel ID`. */
export const command = overrideCommand('cancel');
