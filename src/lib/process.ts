import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchLimits } from './limits.ts';
import { endTree, MARKER_VARIABLE, signalGroup } from './process-tree.ts';
import { Tail } from './tail.ts';
import { guardGroup, guardMarker, releaseMarker } from './watchdog.ts';

/** Where a piece of output came from. */
export type OutputStream = 'stdout' | 'stderr';

/** A program to run without a shell, and the limits under which it runs. */
export type ProcessSpec = {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** What the program reads on its standard input. */
  readonly input?: string;
  readonly wallMs: number;
  /** How long it may print nothing; no limit if left out. */
  readonly idleMs?: number;
  /** Whether it has a reason to print nothing just now, so that this does not count. */
  readonly isBusy?: () => boolean;
  /** How much it may print before it is stopped. */
  readonly outputLimitBytes?: number;
  /** How much of the end of its output is kept. */
  readonly tailChars?: number;
  /** How long it has between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
  /** Names this process and all its descendants; unique among the processes that run. */
  readonly marker: string;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string, stream: OutputStream) => void;
};

/** Why a process was stopped by us. */
export type StopReason = 'timed-out' | 'idle' | 'cancelled' | 'output-too-large';

/** How a process ended. */
export type ProcessOutcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not-started'; readonly message: string }
  | { readonly kind: StopReason };

/** How a process ended, and the end of what it printed on both streams. */
export type ProcessEnd = ProcessOutcome & {
  readonly output: string;
  /** How many characters came before `output`. */
  readonly droppedChars: number;
  readonly durationMs: number;
};

/** A process under way. `ended` never rejects, and resolves only when the whole tree is gone. */
export type RunningProcess = {
  /** Also the id of its process group; null if it could not be started. */
  readonly pid: number | null;
  readonly ended: Promise<ProcessEnd>;
  /** Ends the whole tree as `cancelled`. */
  readonly stop: () => void;
};

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const TAIL_CHARS = 256 * 1024;
const GRACE_MS = 2_000;
const MARKER = /^[\w.-]{8,128}$/;

/** Runs a program and tells how it ended. */
export async function runProcess(spec: ProcessSpec): Promise<ProcessEnd> {
  return await startProcess(spec).ended;
}

/** Starts a program in a process group of its own, which cannot outlive this process or the returned `ended`. */
export function startProcess(spec: ProcessSpec): RunningProcess {
  if (!MARKER.test(spec.marker)) throw new Error(`not a marker: ${JSON.stringify(spec.marker)}`);
  if (spec.signal?.aborted === true) return neverRan(Promise.resolve({ kind: 'cancelled' }));
  guardMarker(spec.marker);
  const child = trySpawn(spec);
  if (child instanceof Error || child.pid === undefined) {
    releaseMarker(spec.marker);
    const failure = child instanceof Error ? Promise.resolve(child) : once(child, 'error').then(([error]) => error);
    return neverRan(failure.then((error: unknown) => ({ kind: 'not-started', message: spawnProblem(spec, error) })));
  }
  guardGroup(spec.marker, child.pid);
  return supervise(child, child.pid, spec);
}

function neverRan(outcome: Promise<ProcessOutcome>): RunningProcess {
  const ended = outcome.then((known) => ({ ...known, output: '', droppedChars: 0, durationMs: 0 }));
  return { pid: null, ended, stop: () => undefined };
}

function trySpawn(spec: ProcessSpec): Child | Error {
  const [program = '', ...args] = spec.argv;
  try {
    return spawn(program, args, {
      cwd: spec.cwd,
      env: { ...spec.env, [MARKER_VARIABLE]: spec.marker },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function spawnProblem(spec: ProcessSpec, error: unknown): string {
  const program = spec.argv[0] ?? '';
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (!existsSync(spec.cwd)) return `the folder ${spec.cwd} does not exist`;
  if (code === 'ENOENT' && program.includes('/') && existsSync(program))
    return `the interpreter that the first line of ${program} names does not exist`;
  if (code === 'ENOENT') return `${program} was not found`;
  if (code === 'EACCES') return `${program} is not executable`;
  if (code === 'E2BIG') return `the arguments and the environment of ${program} are too long`;
  return error instanceof Error ? error.message : String(error);
}

function supervise(child: Child, pid: number, spec: ProcessSpec): RunningProcess {
  const startedAt = performance.now();
  const exited = once(child, 'exit');
  const tail = new Tail(spec.tailChars ?? TAIL_CHARS);
  let stopped: StopReason | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (reason: StopReason): void => {
    if (stopped !== null || child.exitCode !== null || child.signalCode !== null) return;
    stopped = reason;
    signalGroup(pid, 'SIGTERM');
    killTimer = setTimeout(() => signalGroup(pid, 'SIGKILL'), spec.graceMs ?? GRACE_MS);
  };
  const cancel = (): void => stop('cancelled');
  const limits = watchLimits({
    wallMs: spec.wallMs,
    idleMs: spec.idleMs ?? Infinity,
    ...(spec.isBusy === undefined ? {} : { isBusy: spec.isBusy }),
    onWall: () => stop('timed-out'),
    onIdle: () => stop('idle'),
  });
  const output = readOutput(child, {
    limitBytes: spec.outputLimitBytes ?? OUTPUT_LIMIT_BYTES,
    onBytes: limits.touch,
    onTooMuch: () => stop('output-too-large'),
    onText: (text, stream) => {
      tail.push(text);
      spec.onOutput?.(text, stream);
    },
  });
  spec.signal?.addEventListener('abort', cancel, { once: true });
  // A program need not read its input (EPIPE); its end tells what that means.
  child.stdin.on('error', () => undefined);
  child.stdin.end(spec.input ?? '');

  const finish = async (): Promise<ProcessEnd> => {
    await exited;
    limits.stop();
    clearTimeout(killTimer);
    spec.signal?.removeEventListener('abort', cancel);
    await endTree(pid, spec.marker);
    releaseMarker(spec.marker);
    await output.drained();
    return { ...outcomeOf(child, stopped), output: tail.text, droppedChars: tail.droppedChars, durationMs: performance.now() - startedAt };
  };
  return { pid, ended: finish(), stop: cancel };
}

function outcomeOf(child: Child, stopped: StopReason | null): ProcessOutcome {
  if (stopped !== null) return { kind: stopped };
  if (child.signalCode !== null) return { kind: 'signalled', signal: child.signalCode };
  return { kind: 'exited', code: child.exitCode ?? -1 };
}

type Reading = {
  readonly limitBytes: number;
  readonly onBytes: () => void;
  readonly onTooMuch: () => void;
  readonly onText: (text: string, stream: OutputStream) => void;
};

function readOutput(child: Child, reading: Reading): { readonly drained: () => Promise<void> } {
  const closed = once(child, 'close').then(() => true);
  let bytes = 0;
  for (const stream of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8');
    const deliver = (text: string): void => {
      if (text !== '') reading.onText(text, stream);
    };
    child[stream].on('data', (chunk: Buffer) => {
      reading.onBytes();
      bytes += chunk.length;
      // What comes after the limit is still read, so that the program is not stuck in a write while it is asked to end.
      if (bytes > reading.limitBytes) reading.onTooMuch();
      else deliver(decoder.write(chunk));
    });
    child[stream].once('end', () => deliver(decoder.end()));
  }
  return { drained: async () => await drain(child, closed, () => bytes) };
}

/** Waits for the end of both pipes, but not for a stranger who holds them open after the tree is gone. */
async function drain(child: Child, closed: Promise<boolean>, bytesRead: () => number): Promise<void> {
  let quietTurns = 0;
  for (let turn = 0; turn < 40 && quietTurns < 4; turn++) {
    const before = bytesRead();
    // Several short turns, since a timer of a busy process may fire before it has read what is waiting.
    if (await Promise.race([closed, sleep(50, false, { ref: false })])) return;
    quietTurns = bytesRead() === before ? quietTurns + 1 : 0;
  }
  child.stdout.destroy();
  child.stderr.destroy();
}
