import { overrideCommand } from '../override.ts';

/** `volley refine ID`. */
export const command = overrideCommand('refine');
