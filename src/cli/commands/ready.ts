import { overrideCommand } from '../override.ts';

/** `volley ready ID`. */
export const command = overrideCommand('ready');
