import { text } from 'node:stream/consumers';
import { openApp, overrideLoop } from '../../app.ts';
import type { App, ChangeRequest, Flags } from '../../app.ts';
import { changeOf, judgeStop, rememberFound } from '../../app-stop-hook.ts';
import type { Moment } from '../../app-stop-hook.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Loop } from '../../core/loop.ts';
import { HookInput } from '../../core/stop-hook.ts';
import type { StopAnswer } from '../../core/stop-hook.ts';
import { textOption } from '../command.ts';
import type { Io, Typed } from '../command.ts';
import { INTERRUPTED, stopOnSignals } from '../drive.ts';
import { fileProblem } from '../file-problem.ts';
import { safeJson } from '../../core/safe-json.ts';
import { requestFor } from '../review-request.ts';
import { failOnOf } from './fail-on.ts';

/** `volley hook stop`, called by Claude Code when its agent wants to stop: holds it back while the review of its change rejects. */
export async function beforeStop(typed: Typed, io: Io): Promise<number> {
  return await answerClient(typed, io, {
    moment: 'stop',
    answer: async (seen) => {
      // Who only plans changes nothing, and could not mend anything.
      if (seen.input.permission_mode === 'plan') return {};
      const review = async (flags: Flags): Promise<Loop | null> => await reviewChange(seen, flags);
      return await judgeStop(seen.app, { session: seen.input.session_id, change: seen.change, typed: flagsOf(typed), review });
    },
  });
}

/** `volley hook session-start`, called by Claude Code: what is there already is not the agent's change. */
export async function atSessionStart(typed: Typed, io: Io): Promise<number> {
  return await answerClient(typed, io, {
    moment: 'start',
    answer: async ({ app, input, change }) => {
      await rememberFound(app, input.session_id, { change, typed: flagsOf(typed) });
      return {};
    },
  });
}

/** When the client calls, and what it is answered where there is a change. */
type Call = { readonly moment: Moment; answer(seen: Seen): Promise<StopAnswer> };

type Seen = { readonly app: App; readonly input: HookInput; readonly change: ChangeRequest; readonly signal: AbortSignal };

/** Answers where there is a change; whatever goes wrong is told to the person and never keeps the agent. */
async function answerClient(typed: Typed, io: Io, call: Call): Promise<number> {
  // An agent that Volley drives is reviewed by its loop.
  if ((process.env['VOLLEY_ROLE'] ?? '') !== '') return 0;
  failOnOf(typed);
  if (process.stdin.isTTY)
    throw new VolleyError('bad-usage', 'This is called by an agent, with JSON on its input.', 'See docs/agents-as-users.md for how.');
  const stop = stopOnSignals(io);
  try {
    const said = await answerInput(io, call, stop.signal);
    if (stop.signal.aborted) return INTERRUPTED;
    if (Object.keys(said).length > 0) io.out(safeJson(said));
    io.object({ type: 'stop', v: 1, ...said });
    return 0;
  } finally {
    stop.release();
  }
}

async function answerInput(io: Io, call: Call, signal: AbortSignal): Promise<StopAnswer> {
  try {
    const input = parseInput(await text(process.stdin));
    const cwd = input.cwd ?? io.cwd;
    const change = await changeOf(cwd, input.session_id, call.moment);
    if (change === null) return {};
    const app = await openApp({ cwd, report: () => undefined });
    try {
      return await call.answer({ app, input, change, signal });
    } finally {
      await app.close();
    }
  } catch (error) {
    // Not every folder in which an agent works is a repository.
    if (error instanceof VolleyError && error.code === 'not-a-repository') return {};
    return { systemMessage: `Volley did not review this change: ${wordsOf(error)}` };
  }
}

function parseInput(written: string): HookInput {
  try {
    return HookInput.parse(JSON.parse(written));
  } catch (error) {
    throw new VolleyError('bad-usage', 'What was given on standard input is not the JSON of a hook.', 'Update Volley, or the agent.').from(
      error,
    );
  }
}

function wordsOf(error: unknown): string {
  const mistake = error instanceof VolleyError ? error : fileProblem(error);
  if (mistake !== null) return `${mistake.message} ${mistake.remedy}`;
  return error instanceof Error ? error.message : String(error);
}

async function reviewChange({ app, change, signal }: Seen, flags: Flags): Promise<Loop | null> {
  const loop = await app.start({ ...requestFor(change, { fix: false, flags }), asCommitted: true });
  if (loop === null) return null;
  await app.drive([loop.id], signal);
  const end = await app.load(loop.id);
  // Nobody has to decide on a review that gave no answer: the agent goes, the person is told, and its next change is reviewed.
  if (end.escalation?.reason === 'no-verdict')
    await overrideLoop(app.engine, loop.id, { override: 'cancel', by: 'volley hook stop', reason: end.escalation.why });
  return end;
}

function flagsOf(typed: Typed): Flags {
  return { reviewer: textOption(typed, 'reviewer'), blockAt: failOnOf(typed) };
}
