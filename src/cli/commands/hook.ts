import { VolleyError } from '../../core/errors.ts';
import { BUILTIN } from '../../core/settings.ts';
import type { Command } from '../command.ts';

const USAGE = 'hook install | uninstall | stop | session-start [--fail-on SEVERITY] [--reviewer NAME]';

/** `volley hook`: reviews what is pushed before it is, and what an agent changed before it stops. */
export const command: Command = {
  usage: USAGE,
  options: {
    'fail-on': { type: 'string', value: 'SEVERITY', help: 'the lowest severity that blocks (high)' },
    reviewer: { type: 'string', value: 'NAME', help: `who reviews (${BUILTIN}: no model, no network)` },
  },
  run: async (typed, io) => {
    const [verb = '', ...rest] = typed.positionals;
    if (verb !== 'pre-push') refuseMore(rest);
    switch (verb) {
      case 'install':
        return await (await import('../hooks/push.ts')).install(typed, io);
      case 'uninstall':
        return await (await import('../hooks/push.ts')).uninstall(io);
      case 'pre-push':
        return await (await import('../hooks/push.ts')).beforePush(rest[0] ?? '', typed, io);
      case 'stop':
        return await (await import('../hooks/stop.ts')).beforeStop(typed, io);
      case 'session-start':
        return await (await import('../hooks/stop.ts')).atSessionStart(typed, io);
      default:
        throw new VolleyError(
          'bad-usage',
          verb === '' ? 'Nothing is said to do.' : `'${verb}' is not known here.`,
          `Write volley ${USAGE}.`,
        );
    }
  },
};

function refuseMore(rest: readonly string[]): void {
  if (rest.length > 0) throw new VolleyError('bad-usage', `'${rest.join(' ')}' is not expected here.`, `Write volley ${USAGE}.`);
}
