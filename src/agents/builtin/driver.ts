import { dirname, join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { AgentSpec } from '../../core/settings.ts';
import { BUILTIN } from '../../core/settings.ts';
import { NO_NEEDS } from '../agent.ts';
import type { Agent, AgentEvent, AgentInput, AgentNeeds, Detection, Driver } from '../agent.ts';
import { programFolders } from '../program-folders.ts';
import { AnalysisFailed } from './analysis.ts';
import type { Workplace } from './analysis.ts';
import { findAstGrep } from './ast-grep.ts';
import { fixFindings } from './fix.ts';
import { findOxlint } from './oxlint.ts';
import { reviewChange } from './review.ts';

/** The agent that is always there: it reviews by static analysis and applies exact fixes. No model, no network, no cost. */
export const builtin: Driver = { id: BUILTIN, roles: ['reviewer', 'fixer'], create: createBuiltin };

function createBuiltin(spec: AgentSpec): Agent {
  return {
    spec,
    reportsBy: ['result-file'],
    holdsItself: false,
    // It gets the change as data, however large that is.
    maxPromptChars: null,
    detect: async () => await Promise.resolve(detect()),
    needs,
    run: (input, signal) => run(spec, input, signal),
  };
}

function detect(): Detection {
  const engines = { 'ast-grep': findAstGrep(), oxlint: findOxlint() };
  const missing = Object.entries(engines).flatMap(([name, found]) => (found === null ? [name] : []));
  const version = Object.entries(engines)
    .map(([name, found]) => `${name} ${found?.version}`)
    .join(', ');
  if (missing.length === 0) return { available: true, version, problem: null, login: null };
  return {
    available: false,
    version: null,
    problem: `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not installed for ${process.platform} on ${process.arch}.`,
    login: null,
  };
}

/** Its engines lie among the packages that Volley was installed with, its rules beside this file. */
async function needs(): Promise<AgentNeeds> {
  const engines = [findAstGrep(), findOxlint()].flatMap((found) => found?.program ?? []);
  const folders = await Promise.all(engines.map(programFolders));
  return { ...NO_NEEDS, read: [...folders.flat(), import.meta.dirname] };
}

async function* run(spec: AgentSpec, input: AgentInput, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
  if (signal.aborted) return yield failed('cancelled', 'It was cancelled.');
  yield { type: 'started', pid: null };
  // A reader that goes away ends what runs for it.
  const gone = new AbortController();
  try {
    const { result, told } = await work(spec, input, AbortSignal.any([signal, gone.signal]));
    const output = `${told.join('\n')}\n`;
    yield { type: 'text', stream: 'stdout', text: output };
    yield signal.aborted
      ? failed('cancelled', 'It was cancelled.')
      : { type: 'ended', exitCode: 0, output, result: JSON.stringify(result), structured: true };
  } catch (error) {
    if (!(error instanceof AnalysisFailed)) throw error;
    yield signal.aborted ? failed('cancelled', 'It was cancelled.') : failed(error.reason, error.message);
  } finally {
    gone.abort();
  }
}

type Work = { readonly result: object; readonly told: readonly string[] };

async function work(spec: AgentSpec, input: AgentInput, signal: AbortSignal): Promise<Work> {
  switch (input.role) {
    case 'reviewer': {
      const result = await reviewChange(input.subject, spec, await workplaceOf(input, signal));
      return { result, told: [JSON.stringify(result, null, 2)] };
    }
    case 'fixer':
      return await fixFindings(input.subject.findings, input.cwd);
    case 'author':
    case 'arbiter':
      throw new AnalysisFailed(`The built-in agent cannot be the ${input.role}; it reviews and fixes.`);
  }
}

async function workplaceOf(input: AgentInput, signal: AbortSignal): Promise<Workplace> {
  const folder = join(dirname(input.resultFile), BUILTIN);
  const texts = join(folder, 'texts');
  await mkdir(texts, { recursive: true });
  return {
    dir: input.cwd,
    heard: texts,
    scratch: input.scratch ?? input.cwd,
    folder,
    env: input.env,
    launcher: input.launcher,
    marker: input.marker,
    wallMs: input.wallMs,
    idleMs: input.idleMs,
    signal,
  };
}

function failed(reason: Extract<AgentEvent, { type: 'failed' }>['reason'], message: string): AgentEvent {
  return { type: 'failed', reason, exitCode: null, message, output: '', result: null };
}
