import { parseArgs } from 'node:util';
import { errorOutput, VolleyError } from '../core/errors.ts';
import { safeJson } from '../core/safe-json.ts';
import type { Command, Io, Typed } from './command.ts';
import { fileProblem } from './file-problem.ts';
import { forTerminal, paint } from './print.ts';
import { COMMANDS } from './registry.ts';

const HELP = { type: 'boolean', short: 'h', help: 'this text' } as const;
const JSON_OPTION = { type: 'boolean', help: 'one JSON object per line' } as const;

/** Runs one command line and returns its exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const io = await makeIo(argv);
  try {
    return await dispatch(argv, io);
  } catch (error) {
    const mistake = error instanceof VolleyError ? error : fileProblem(error);
    if (mistake !== null) return report(mistake, io);
    throw error;
  }
}

async function dispatch(typed: readonly string[], io: Io): Promise<number> {
  const argv = typed[0] === '--json' ? typed.slice(1) : typed;
  const [name, ...rest] = argv[0]?.startsWith('-') && !['--help', '-h', '--version', '-v'].includes(argv[0]) ? ['status', ...argv] : argv;
  if (name === '--version' || name === '-v') return await printVersion(io);
  if (name === undefined && io.json) return await runCommand('status', [], io);
  if (name === undefined) return await (await import('./commands/glance.ts')).command.run({ values: {}, positionals: [] }, io);
  if (name === 'help' || name === '--help' || name === '-h')
    return await help(
      rest.find((word) => word !== '--json'),
      io,
    );
  return await runCommand(name, rest, io);
}

async function runCommand(name: string, rest: readonly string[], io: Io): Promise<number> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) throw (await import('./unknown-command.ts')).unknownCommand(name);
  const { command } = await entry.load();
  const typed = parse(name, command, rest);
  if (typed.values['help'] === true) return await help(name, io);
  return await command.run(typed, io);
}

function parse(name: string, command: Command, rest: readonly string[]): Typed {
  try {
    const options = { ...command.options, help: HELP, json: JSON_OPTION };
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true, strict: true });
    return { values, positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const what = error.message.split(/\.?(?:\n|$)|\. /)[0] ?? error.message;
    const isWord = /^Unknown option '-[^-]/.test(what);
    const remedy = isWord
      ? `See volley help ${name}; a word that begins with a dash and is no option stands after --.`
      : `See volley help ${name}.`;
    throw new VolleyError('bad-usage', `${what}.`, remedy).from(error);
  }
}

async function makeIo(argv: readonly string[]): Promise<Io> {
  const end = argv.indexOf('--');
  const json = (end < 0 ? argv : argv.slice(0, end)).includes('--json');
  const isTerminal = !json && process.stdout.isTTY && process.env['TERM'] !== 'dumb';
  const color = isTerminal && process.env['NO_COLOR'] === undefined;
  const interactive = isTerminal && process.env['CI'] === undefined;
  const live = interactive ? (await import('./open-live.ts')).openLive(process.stdout, { color }) : null;
  // Somebody may leave in the middle; what changes in place is not to stay behind.
  if (live !== null) process.once('exit', () => live.close());
  const print = (stream: NodeJS.WriteStream, line: string): void =>
    live === null ? write(stream, line) : live.around(() => write(stream, line));
  return {
    cwd: process.cwd(),
    json,
    color,
    interactive,
    width: process.stdout.columns ?? 100,
    ...(live === null ? {} : { live }),
    out: (line) => (json ? undefined : print(process.stdout, forTerminal({ color }, line))),
    err: (line) => print(process.stderr, forTerminal({ color }, line)),
    object: (value) => (json ? write(process.stdout, safeJson(value)) : undefined),
  };
}

const closed = new Set<NodeJS.WriteStream>();

function write(stream: NodeJS.WriteStream, line: string): void {
  if (!closed.has(stream)) stream.write(`${line}\n`);
}

function report(error: VolleyError, io: Io): number {
  io.object(errorOutput(error));
  if (!io.json) {
    io.err(`${paint(io, 'red', 'error:')} ${error.message}`);
    io.err(`  ${error.remedy}`);
  }
  return 1;
}

async function printVersion(io: Io): Promise<number> {
  const { readVersion } = await import('../lib/version.ts');
  const version = readVersion();
  io.out(version);
  io.object({ type: 'version', v: 1, version });
  return 0;
}

async function help(name: string | undefined, io: Io): Promise<number> {
  const { commandHelp, overview } = await import('./help.ts');
  const lines = name === undefined || name === 'help' ? overview() : await commandHelp(name, io.width);
  for (const line of lines) io.out(line);
  io.object({ type: 'help', v: 1, text: lines.join('\n') });
  return 0;
}

for (const stream of [process.stdout, process.stderr]) {
  // A reader that closes the pipe early (volley run | head) is no error: the work goes on unseen, and the exit code stays true.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    closed.add(stream);
  });
}
process.exitCode = await main(process.argv.slice(2));
