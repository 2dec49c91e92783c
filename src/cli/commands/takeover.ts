import { overrideCommand } from '../override.ts';

/** `volley takeover ID`. */
export const command = overrideCommand('takeover');
