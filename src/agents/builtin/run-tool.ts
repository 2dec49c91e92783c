import { runProcess } from '../../lib/process.ts';
import { lastWords } from '../last-words.ts';
import { AnalysisFailed } from './analysis.ts';
import type { Workplace } from './analysis.ts';

/** A program that prints its results. */
export type Tool = {
  readonly name: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

let runs = 0;

/** What a tool printed, and how it ended; linters end with another code than 0 where they found something. */
export async function runTool(tool: Tool, place: Workplace): Promise<{ readonly printed: string; readonly code: number }> {
  const printed: string[] = [];
  const end = await runProcess({
    argv: [...place.launcher, ...tool.argv],
    cwd: tool.cwd,
    env: tool.env,
    wallMs: place.wallMs,
    idleMs: place.idleMs,
    marker: `${place.marker}-${(runs += 1)}`,
    signal: place.signal,
    onOutput: (text, stream) => {
      if (stream === 'stdout') printed.push(text);
    },
  });
  switch (end.kind) {
    case 'exited':
      // A shell says with these that a program was not found, could not be started or was killed.
      if ((printed.length === 0 && end.code !== 0) || end.code > 125)
        throw new AnalysisFailed(`${tool.name} ended with exit code ${end.code}${lastWords(end.output)}.`);
      return { printed: printed.join(''), code: end.code };
    case 'signalled':
      throw new AnalysisFailed(`${tool.name} was ended by ${end.signal}.`);
    case 'not-started':
      throw new AnalysisFailed(`${tool.name} could not be started: ${end.message}.`);
    case 'timed-out':
      throw new AnalysisFailed(`${tool.name} ran out of time.`, 'timed-out');
    case 'idle':
      throw new AnalysisFailed(`${tool.name} printed nothing for too long.`, 'idle');
    case 'cancelled':
      throw new AnalysisFailed('It was cancelled.', 'cancelled');
    case 'output-too-large':
      throw new AnalysisFailed(`${tool.name} printed too much.`, 'output-too-large');
  }
}

/** A command line holds only so many names. */
const FILES_AT_ONCE = 500;

/** What a tool finds in many files, some of them at a time. */
export async function inBatches<F, T>(files: readonly F[], run: (some: readonly F[]) => Promise<readonly T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < files.length; from += FILES_AT_ONCE) found.push(...(await run(files.slice(from, from + FILES_AT_ONCE))));
  return found;
}
