import { parseArgs } from 'node:util';
import { VolleyError } from '../core/errors.ts';
import type { Command, Io, Typed } from './command.ts';
import { fileProblem } from './file-problem.ts';
import { forTerminal, paint, safeJson } from './print.ts';
import { COMMANDS } from './registry.ts';

const HELP = { type: 'boolean', short: 'h', help: 'this text' } as const;
const JSON_OPTION = { type: 'boolean', help: 'one JSON object per line' } as const;

/** Runs one command line and returns its exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const io = makeIo(argv);
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
  const [name, ...rest] = argv[0]?.startsWith('-') && !['--help', '-h', '--version'].includes(argv[0]) ? ['status', ...argv] : argv;
  if (name === '--version') return await printVersion(io);
  if (name === undefined) return await runCommand('status', [], io);
  if (name === 'help' || name === '--help' || name === '-h')
    return await help(
      rest.find((word) => word !== '--json'),
      io,
    );
  return await runCommand(name, rest, io);
}

async function runCommand(name: string, rest: readonly string[], io: Io): Promise<number> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) throw new VolleyError('bad-usage', `There is no command '${name}'.`, 'See volley help for all of them.');
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
    throw new VolleyError('bad-usage', `${what}.`, `See volley help ${name}.`).from(error);
  }
}

function makeIo(argv: readonly string[]): Io {
  const end = argv.indexOf('--');
  const json = (end < 0 ? argv : argv.slice(0, end)).includes('--json');
  const color = !json && process.stdout.isTTY && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb';
  return {
    cwd: process.cwd(),
    json,
    color,
    interactive: !json && process.stdout.isTTY && process.env['CI'] === undefined,
    width: process.stdout.columns ?? 100,
    out: (line) => (json ? undefined : write(process.stdout, forTerminal({ color }, line))),
    err: (line) => write(process.stderr, forTerminal({ color }, line)),
    object: (value) => (json ? write(process.stdout, safeJson(value)) : undefined),
  };
}

const closed = new Set<NodeJS.WriteStream>();

function write(stream: NodeJS.WriteStream, line: string): void {
  if (!closed.has(stream)) stream.write(`${line}\n`);
}

function report(error: VolleyError, io: Io): number {
  io.object({ type: 'error', v: 1, code: error.code, message: error.message, remedy: error.remedy });
  if (!io.json) {
    io.err(`${paint(io, 'red', 'error:')} ${error.message}`);
    io.err(`  ${error.remedy}`);
  }
  return 1;
}

async function printVersion(io: Io): Promise<number> {
  const { readVersion } = await import('./version.ts');
  const version = await readVersion();
  io.out(version);
  io.object({ type: 'version', v: 1, version });
  return 0;
}

async function help(name: string | undefined, io: Io): Promise<number> {
  const { commandHelp, overview } = await import('./help.ts');
  const lines = name === undefined ? overview() : await commandHelp(name);
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
