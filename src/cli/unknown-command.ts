import { VolleyError } from '../core/errors.ts';
import { nearest } from '../lib/nearest.ts';
import { COMMANDS } from './registry.ts';

/** That there is no command of a name, with the one that was most likely meant. */
export function unknownCommand(name: string): VolleyError {
  const meant = nearest(name, Object.keys(COMMANDS));
  const remedy = `${meant === null ? '' : `Did you mean volley ${meant}? `}See volley help for all of them.`;
  return new VolleyError('bad-usage', `There is no command '${name}'.`, remedy);
}
