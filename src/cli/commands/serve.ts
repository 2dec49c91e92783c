import { VolleyError } from '../../core/errors.ts';
import type { ListeningOutput } from '../../core/output.ts';
import { hasFlag, listOption, refuseWords, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { progressPrinter } from '../progress.ts';
import { slotsOf } from '../slots.ts';

const USAGE = 'serve [--port N] [--allow-host NAME]… [--parallel N | --no-work] [--new-token] | --running';

/** `volley serve`: the API and live events of this project, on the loopback address. */
export const command: Command = {
  usage: USAGE,
  options: {
    port: { type: 'string', value: 'N', help: 'the port to listen on (4780); 0 for any that is free' },
    'allow-host': { type: 'string', multiple: true, value: 'NAME', help: 'a name by which your own proxy calls the server over HTTPS' },
    parallel: { type: 'string', value: 'N', help: 'so many tasks are driven at once (2)' },
    'no-work': { type: 'boolean', help: 'only serve; drive nothing' },
    'new-token': { type: 'boolean', help: 'make new tokens: every program, agent and browser has to log in again' },
    running: { type: 'boolean', help: 'tell where the server of this project is, and start none' },
  },
  run: async (typed, io) => {
    refuseWords(typed, USAGE);
    const wanted = { port: portOf(typed), allowedHosts: hostsOf(typed), slots: workersOf(typed), newToken: hasFlag(typed, 'new-token') };
    const { openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, report: io.json ? () => undefined : progressPrinter(io, { parallel: true }) });
    try {
      if (await tellRunning(app.project.key, typed, io)) return 0;
      if (hasFlag(typed, 'running')) throw new VolleyError('not-found', 'No server runs for this project.', 'Start one: volley serve.');
      const { serveUntilStopped } = await import('../serve-project.ts');
      return await serveUntilStopped(app, wanted, io).catch(async (error: unknown) => {
        // Somebody else may have been quicker.
        if (error instanceof VolleyError && error.code === 'busy' && (await tellRunning(app.project.key, typed, io))) return 0;
        throw error;
      });
    } finally {
      await app.close();
    }
  },
};

/** Whoever asks again while a server runs wants to get in: they get a new address of that one. */
async function tellRunning(key: string, typed: Typed, io: Io): Promise<boolean> {
  const { findRunning, newAddresses, servedAlready, serverFiles } = await import('../../app-server-record.ts');
  const running = await findRunning(key);
  if (running === null) return false;
  const { url, pid } = running;
  const port = portOf(typed);
  const isOther = port !== null && port !== 0 && !url.endsWith(`:${port}`);
  if (isOther || OWN_WAYS.some((name) => typed.values[name] !== undefined)) throw servedAlready(running);
  const { token: tokenFile, agentToken: agentTokenFile } = serverFiles(key);
  io.object({ type: 'listening', v: 1, url, tokenFile, agentTokenFile, pid } satisfies ListeningOutput);
  if (io.json) return true;
  io.out(`Process ${pid} serves this project already at ${url}`);
  io.out('');
  const [address = '', ...others] = await newAddresses(key, running);
  io.out(`  open  ${address}`);
  for (const other of others) io.out(`  or    ${other}`);
  return true;
}

/** Who asks for any of these means another server than the one that runs. */
const OWN_WAYS = ['allow-host', 'parallel', 'no-work', 'new-token'];

function workersOf(typed: Typed): number {
  if (!hasFlag(typed, 'no-work')) return slotsOf(typed, '2');
  if (textOption(typed, 'parallel') === undefined) return 0;
  throw new VolleyError('bad-usage', '--parallel and --no-work exclude each other.', 'Leave one of them out.');
}

function portOf(typed: Typed): number | null {
  const text = textOption(typed, 'port');
  if (text === undefined) return null;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new VolleyError('bad-usage', `'${text}' is not a port.`, 'Write a number below 65536, for example --port 4780, or 0 for any.');
}

const HOST = /^(?=.{1,253}(?::|$))[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/;

/** As a browser writes them: an asterisk or a scheme would never match. */
function hostsOf(typed: Typed): readonly string[] {
  const hosts = listOption(typed, 'allow-host').map((host) => host.toLowerCase().replace(/:443$/, ''));
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong === undefined) return hosts;
  throw new VolleyError(
    'bad-usage',
    `'${wrong}' is not the name of a host.`,
    'Write it as it stands in the browser, for example volley.example.org.',
  );
}
