import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { Role } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import { openChannel } from '../lib/channel.ts';
import { findExecutable } from '../lib/executable.ts';
import { startProcess } from '../lib/process.ts';
import type { ProcessEnd } from '../lib/process.ts';
import { Tail, withOmission } from '../lib/tail.ts';
import { NO_NEEDS } from './agent.ts';
import type { Agent, AgentEvent, AgentInput, AgentNeeds, Detection, Driver } from './agent.ts';
import { exitFailure, stoppedFailure } from './process-failure.ts';
import type { Failure } from './process-failure.ts';
import { programFolders } from './program-folders.ts';
import { readResultFile } from './result-file.ts';

const OUTPUT_CHARS = 1024 * 1024;

/** Any program: prompt on standard input, answer in the result file or on standard output. */
export const command: Driver = { id: 'command', roles: Role.options, create: createCommandAgent };

/** What every session finds in its environment about itself, as its prompt says. */
export function sessionVariables(input: AgentInput): Record<string, string> {
  return {
    VOLLEY_ROLE: input.role,
    VOLLEY_TASK: String(input.task),
    VOLLEY_ROUND: String(input.round),
    ...(input.scratch === null ? {} : { VOLLEY_SCRATCH: input.scratch }),
    VOLLEY_BASE: input.base,
    VOLLEY_HEAD: input.head,
  };
}

/** The variables of the contract with scripts, on top of what the confinement lets through. */
export function commandEnvironment(input: AgentInput): Record<string, string> {
  return { ...input.env, ...sessionVariables(input), VOLLEY_NONCE: input.nonce, VOLLEY_RESULT: input.resultFile };
}

function createCommandAgent(spec: AgentSpec): Agent {
  return {
    spec,
    reportsBy: ['result-file'],
    holdsItself: false,
    maxPromptChars: spec.maxPromptChars,
    detect: async () => await detect(spec),
    needs: async () => await needs(spec),
    run: (input, signal) => run(spec, input, signal),
  };
}

async function detect(spec: AgentSpec): Promise<Detection> {
  const found = await findExecutable(spec.run[0] ?? '', process.env['PATH'] ?? '');
  return { available: found.path !== null, version: null, problem: found.problem, login: null };
}

/** The folders of the files that it names: a script may have others beside it. Not where that is a whole repository. */
async function needs(spec: AgentSpec): Promise<AgentNeeds> {
  const files = spec.run.filter((element) => isAbsolute(element) && existsSync(element));
  const programs = await Promise.all(files.map(programFolders));
  return {
    ...NO_NEEDS,
    read: [...programs.flat(), ...files.map((file) => dirname(file)).filter((folder) => !existsSync(join(folder, '.git')))],
    hosts: spec.hosts,
  };
}

async function* run(spec: AgentSpec, input: AgentInput, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
  const [name = '', ...args] = spec.run;
  const program = await findExecutable(name, input.env['PATH'] ?? '');
  if (program.path === null) {
    yield { type: 'failed', reason: 'not-started', exitCode: null, message: program.problem, output: '', result: null };
    return;
  }
  // A file of an earlier attempt must not speak for this one.
  await rm(input.resultFile, { force: true, recursive: true });
  const events = openChannel<AgentEvent>();
  const answer = new Tail(OUTPUT_CHARS);
  const running = startProcess({
    argv: [...input.launcher, program.path, ...args],
    cwd: input.cwd,
    env: commandEnvironment(input),
    input: input.prompt,
    wallMs: input.wallMs,
    idleMs: input.idleMs,
    marker: input.marker,
    signal,
    onOutput: (text, stream) => {
      if (stream === 'stdout') answer.push(text);
      events.push({ type: 'text', stream, text });
    },
  });
  void running.ended.then(events.close);
  try {
    if (running.pid !== null) yield { type: 'started', pid: running.pid };
    yield* events.values();
    yield await lastEvent(await running.ended, { answer, resultFile: input.resultFile, cancelled: signal.aborted });
  } finally {
    // The reader may have gone away in the middle.
    running.stop();
    await running.ended;
  }
}

type Left = { readonly answer: Tail; readonly resultFile: string; readonly cancelled: boolean };

async function lastEvent(end: ProcessEnd, left: Left): Promise<AgentEvent> {
  const file = await readResultFile(left.resultFile);
  const badResult: Failure | null = file.problem === null ? null : { reason: 'bad-result', message: file.problem };
  const cancelled: Failure | null = left.cancelled ? { reason: 'cancelled', message: 'It was cancelled.' } : null;
  const failure = stoppedFailure(end) ?? exitFailure(end) ?? cancelled ?? badResult;
  if (failure === null) {
    return { type: 'ended', exitCode: 0, output: withOmission(left.answer.text, left.answer.droppedChars), result: file.text };
  }
  return {
    type: 'failed',
    ...failure,
    exitCode: end.kind === 'exited' ? end.code : null,
    output: withOmission(end.output, end.droppedChars),
    result: file.text,
  };
}
