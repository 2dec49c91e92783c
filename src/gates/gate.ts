import { realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import type { GateSpec } from '../core/settings.ts';
import { runProcess } from '../lib/process.ts';
import type { OutputStream, ProcessEnd } from '../lib/process.ts';
import { lastLines, withOmission } from '../lib/tail.ts';

/** A gate about to run in a checkout. */
export type GateLaunch = {
  readonly gate: GateSpec;
  /** The root of the checkout. */
  readonly dir: string;
  /** The whole environment, as the confinement made it. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands before the gate's own command, so that it starts inside its confinement. */
  readonly launcher: readonly string[];
  readonly wallMs: number;
  /** Names the gate's processes; unique among those that run. */
  readonly marker: string;
  readonly signal: AbortSignal;
  readonly onOutput?: (text: string, stream: OutputStream) => void;
};

/** How a gate did, once. A gate that was stopped has not passed. */
export type GateRun = {
  readonly passed: boolean;
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Somebody stopped it, so the result says nothing about the tree. */
  readonly cancelled: boolean;
  /** The end of what it printed. */
  readonly output: string;
  readonly durationMs: number;
};

const TAIL_LINES = 200;
const TAIL_CHARS = 32 * 1024;
/** Tests print a lot, and only the end is kept. */
const OUTPUT_LIMIT_BYTES = 1024 * 1024 * 1024;

/** Runs a gate's shell line in its folder of the checkout. */
export async function runGate(launch: GateLaunch): Promise<GateRun> {
  const folder = await gateFolder(launch.dir, launch.gate.cwd);
  if (folder.path === null)
    return { passed: false, exitCode: null, timedOut: false, cancelled: false, output: folder.problem, durationMs: 0 };
  const end = await runProcess({
    argv: [...launch.launcher, '/bin/sh', '-c', launch.gate.run],
    cwd: folder.path,
    env: launch.env,
    wallMs: launch.wallMs,
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    tailChars: TAIL_CHARS,
    marker: launch.marker,
    signal: launch.signal,
    ...(launch.onOutput === undefined ? {} : { onOutput: launch.onOutput }),
  });
  const cancelled = end.kind === 'cancelled' || launch.signal.aborted;
  return {
    passed: end.kind === 'exited' && end.code === 0 && !cancelled,
    exitCode: end.kind === 'exited' ? end.code : null,
    timedOut: end.kind === 'timed-out',
    cancelled,
    output: gateOutput(end),
    durationMs: end.durationMs,
  };
}

/** Whether a change of these paths makes the gate run. */
export function matchesPaths(gate: GateSpec, changedPaths: readonly string[]): boolean {
  if (gate.paths.length === 0) return true;
  return gate.paths.some((glob) => changedPaths.some((path) => path === glob || posix.matchesGlob(withoutHidden(path), pattern(glob))));
}

function pattern(glob: string): string {
  const relative = glob.startsWith('./') ? glob.slice(2) : glob;
  return withoutHidden(relative.endsWith('/') ? `${relative}**` : relative);
}

/** A star does not match a name that begins with a dot, but a gate must not be missed because of one, so the dots are given another name. */
function withoutHidden(text: string): string {
  return text.replaceAll(/(^|[/{,])\./g, '$1\u{E000}');
}

async function gateFolder(
  dir: string,
  cwd: string,
): Promise<{ readonly path: string; readonly problem: null } | { readonly path: null; readonly problem: string }> {
  const root = await realpath(dir);
  const path = await realpath(join(root, cwd)).catch(() => null);
  if (path === null) return { path: null, problem: `The folder ${cwd} does not exist in the checkout.` };
  // The change under review may have made the folder a link to anywhere.
  if (path !== root && !path.startsWith(root + sep)) return { path: null, problem: `The folder ${cwd} leads out of the checkout.` };
  return { path, problem: null };
}

function gateOutput(end: ProcessEnd): string {
  const printed = lastLines(end.output, TAIL_LINES);
  const text = withOmission(printed, end.droppedChars + end.output.length - printed.length);
  const note = stopNote(end);
  return note === null ? text : `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}[${note}]\n`;
}

function stopNote(end: ProcessEnd): string | null {
  switch (end.kind) {
    case 'exited':
    case 'idle':
      return null;
    case 'signalled':
      return `ended by ${end.signal}`;
    case 'not-started':
      return `not started: ${end.message}`;
    case 'timed-out':
      return 'stopped: out of time';
    case 'cancelled':
      return 'cancelled';
    case 'output-too-large':
      return 'stopped: it printed too much';
  }
}
