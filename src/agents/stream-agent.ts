import { openChannel } from '../lib/channel.ts';
import { LineSplitter } from '../lib/lines.ts';
import { startProcess } from '../lib/process.ts';
import type { ProcessEnd } from '../lib/process.ts';
import type { AgentEvent, AgentInput, FailureReason } from './agent.ts';
import { sessionVariables } from './command.ts';
import { exitFailure, stoppedFailure } from './process-failure.ts';
import type { Failure } from './process-failure.ts';

/** A program that tells what it does as lines of JSON on its standard output, and how it is started. */
export type StreamStart = { readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** Events that a line tells; the last one is told by `end`. */
export type StreamEvent = Exclude<AgentEvent, { type: 'started' | 'ended' | 'failed' }>;

/** Understands the stream of one session. */
export type StreamReader = {
  read(line: string): readonly StreamEvent[];
  /** Whether a tool is at work, of which the stream says nothing until it is done. */
  isBusy?(): boolean;
  /** What the stream itself says of the session's end, once nothing more comes. */
  end(): StreamEnd;
};

/** `complete` only if the program's own last word was seen and says that all went well. */
export type StreamEnd =
  | { readonly kind: 'complete'; readonly output: string; readonly structured: string | null }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly message: string; readonly output: string }
  /** The program's last word never came. */
  | { readonly kind: 'cut'; readonly output: string };

const LINE_CHARS = 32 * 1024 * 1024;
/** Streams tell each message piece by piece, and an hour has many. */
const OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024;

/**
 * Runs a program that streams lines of JSON, inside its confinement. The session went well only if the program's own last word was
 * seen, and it exited with 0, and nobody cancelled it: each of these alone has been seen to lie.
 */
export async function* runStream(
  input: AgentInput,
  { start, reader }: { readonly start: StreamStart; readonly reader: StreamReader },
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const events = openChannel<AgentEvent>();
  const lines = new LineSplitter(LINE_CHARS);
  const guarded = guardReader(reader, () => running.stop());
  const take = (some: readonly string[]): void => {
    for (const line of some) for (const event of guarded.read(line)) events.push(event);
  };
  const running = startProcess({
    argv: [...input.launcher, ...start.argv],
    cwd: input.cwd,
    env: { ...input.env, ...sessionVariables(input), ...start.env },
    input: input.prompt,
    wallMs: input.wallMs,
    idleMs: input.idleMs,
    isBusy: () => reader.isBusy?.() ?? false,
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    marker: input.marker,
    signal,
    onOutput: (text, stream) => {
      if (stream === 'stdout') take(lines.push(text));
      else events.push({ type: 'text', stream, text });
    },
  });
  void running.ended.then(() => {
    take(lines.end());
    events.close();
  });
  try {
    if (running.pid !== null) yield { type: 'started', pid: running.pid };
    yield* events.values();
    const [end, said] = [await running.ended, guarded.end()];
    yield lastEvent(end, said, { cancelled: signal.aborted, droppedLines: lines.dropped, broken: guarded.problem() });
  } finally {
    // The reader may have gone away in the middle.
    running.stop();
    await running.ended;
  }
}

type GuardedReader = Pick<StreamReader, 'read' | 'end'> & { readonly problem: () => string | null };

/** A reader that never throws: what it cannot read ends the session, not the process that we are. */
function guardReader(reader: StreamReader, stop: () => void): GuardedReader {
  let problem: string | null = null;
  const attempt = <T>(read: () => T, otherwise: T): T => {
    try {
      return read();
    } catch (error) {
      problem ??= (error instanceof Error ? error.message : String(error)).replace(/\.+$/, '');
      stop();
      return otherwise;
    }
  };
  return {
    read: (line) => (problem === null ? attempt<readonly StreamEvent[]>(() => reader.read(line), []) : []),
    end: () => attempt<StreamEnd>(() => reader.end(), { kind: 'cut', output: '' }),
    problem: () => problem,
  };
}

type Circumstances = { readonly cancelled: boolean; readonly droppedLines: number; readonly broken: string | null };

function lastEvent(end: ProcessEnd, said: StreamEnd, around: Circumstances): AgentEvent {
  const failure = failureOf(end, said, around);
  if (failure === null && said.kind === 'complete') {
    const structured = said.structured === null ? {} : { structured: true };
    return { type: 'ended', exitCode: 0, output: said.output, result: said.structured, ...structured };
  }
  const { reason, message } = failure ?? { reason: 'crashed' as const, message: 'It ended without its last word.' };
  return { type: 'failed', reason, message, exitCode: end.kind === 'exited' ? end.code : null, output: said.output, result: null };
}

function failureOf(end: ProcessEnd, said: StreamEnd, { cancelled, droppedLines, broken }: Circumstances): Failure | null {
  // The session was stopped because of that, which looks as if it was cancelled.
  if (broken !== null && !cancelled) return { reason: 'crashed', message: `Its stream could not be read: ${broken}.` };
  const stopped = stoppedFailure(end);
  if (stopped !== null) return stopped;
  if (cancelled) return { reason: 'cancelled', message: 'It was cancelled.' };
  if (said.kind === 'failed') return { reason: said.reason, message: said.message };
  const exited = exitFailure(end);
  if (exited !== null) return exited;
  if (droppedLines > 0) return { reason: 'output-too-large', message: 'It printed a line that is too long to be read.' };
  return said.kind === 'cut' ? { reason: 'crashed', message: 'It ended without its last word.' } : null;
}
