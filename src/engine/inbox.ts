import { isRecord } from '../core/readers/coerce.ts';
import { inputProblems, RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import { readFixJson, readRulingsJson } from '../core/readers/work-json.ts';
import type { Role } from '../core/settings.ts';

/** A tool that was called, with its arguments as they were written. */
export type ToolCall = { readonly tool: string; readonly arguments: unknown };

/** A call that reached the inbox, and whether it was taken; `late`: another one was final already. */
export type InboxCall = ToolCall & { readonly accepted: boolean; readonly late: boolean };

/** Where the result of one session arrives. It believes nobody: `closeInbox` tells whether the agent itself has called. */
export type Inbox = {
  readonly role: Role;
  readonly loopId: number;
  readonly round: number;
  /** Takes a call: null if it is accepted and final, else the sentences that tell the agent what to correct. */
  submit(call: ToolCall): string | null;
  /** Every call that reached the inbox, in order. */
  readonly calls: readonly InboxCall[];
};

/** What an inbox is for; `findingIds` are those that a fixer or arbiter was asked about. */
export type InboxSubject = Pick<Inbox, 'role' | 'loopId' | 'round'> & { readonly findingIds: readonly string[] };

/** What an inbox holds once its session has ended; a `foreign` one was written to by somebody else than the agent. */
export type InboxReport =
  | { readonly kind: 'none' }
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'foreign'; readonly detail: string };

const MAX_CALLS = 100;
const MAX_CHARS = 64 * 1024 * 1024;
const MAX_DEPTH = 100;
/** What a call counts whose arguments are nested too deeply to be measured. */
const DEEP_CHARS = 16 * 1024 * 1024;
const MAX_PROBLEMS = 20;
/** Stands for all calls that are beyond what is kept; no agent's stream shows it. */
const NOT_KEPT = 'more calls than are kept';
/** What stands before a tool's own name where a stream names its server too, e.g. `mcp__volley__`. */
const SERVER = /(?:^|[^a-z0-9])volley[^a-z0-9]+$/i;

/** Opens the inbox of a session. */
export function openInbox(subject: InboxSubject): Inbox {
  const { role, loopId, round } = subject;
  const calls: InboxCall[] = [];
  let chars = 0;
  let full = false;
  let final = false;
  const submit = (call: ToolCall): string | null => {
    const text = canonical(call.arguments);
    chars += text?.length ?? DEEP_CHARS;
    if (full || calls.length === MAX_CALLS || chars > MAX_CHARS) {
      if (!full) calls.push({ tool: call.tool, arguments: NOT_KEPT, accepted: false, late: false });
      full = true;
      return 'Too many calls were made in this session. Nothing more is taken.';
    }
    const late = final;
    const problem = late ? 'The result of this session is final.' : problemOf(call, text, subject);
    final ||= problem === null;
    calls.push({ tool: call.tool, arguments: call.arguments, accepted: problem === null, late });
    return problem;
  };
  return { role, loopId, round, submit, calls };
}

/**
 * What the inbox says once the session has ended and nothing can arrive any more. Each call must be one that the
 * driver's own stream showed, because code under review can reach the channel too.
 */
export function closeInbox(inbox: Inbox, shown: readonly ToolCall[]): InboxReport {
  const witnesses = shown
    .filter((call) => inbox.calls.some(({ tool }) => isNamed(call.tool, tool)))
    .map((call) => ({ tool: call.tool, text: canonical(call.arguments) }));
  const foreign = inbox.calls.filter((call) => {
    const text = canonical(call.arguments);
    const at = witnesses.findIndex((witness) => isNamed(witness.tool, call.tool) && witness.text === text);
    if (at >= 0) witnesses.splice(at, 1);
    return at < 0;
  });
  if (foreign.length > 0) {
    const tools = [...new Set(foreign.map(({ tool }) => JSON.stringify(tool.slice(0, 100))))].slice(0, 5).join(', ');
    return { kind: 'foreign', detail: `a call that the agent's own stream does not show reached the result channel (${tools})` };
  }
  const result = inbox.calls.find(({ accepted }) => accepted);
  if (result !== undefined && isDoubtful(inbox, result)) {
    return { kind: 'foreign', detail: 'the result tool was called with two different results, so the first may be somebody else’s' };
  }
  return result === undefined ? { kind: 'none' } : { kind: 'result', json: JSON.stringify(result.arguments) };
}

/** Somebody may have spoken before the agent; a rejection that came first stands, whatever was said behind it. */
function isDoubtful({ role, calls }: Inbox, result: InboxCall): boolean {
  const isVerdict = role === 'arbiter' || (role === 'reviewer' && !(isRecord(result.arguments) && result.arguments['passed'] === false));
  return isVerdict && calls.some(({ late, arguments: given }) => late && canonical(given) !== canonical(result.arguments));
}

function problemOf(call: ToolCall, text: string | null, subject: InboxSubject): string | null {
  const tool = RESULT_TOOLS[subject.role];
  if (call.tool !== tool.name) return `This session is the ${subject.role}'s: call ${tool.name}.`;
  if (text === null) return 'The arguments are nested too deeply.';
  const input = isRecord(call.arguments) ? call.arguments : {};
  const malformed = [...inputProblems(tool, call.arguments), ...idProblems(input, subject)];
  const problems = malformed.length > 0 ? malformed : findingProblems(input, subject);
  if (problems.length === 0) return null;
  const more = problems.length > MAX_PROBLEMS ? [`There are ${problems.length - MAX_PROBLEMS} more problems.`] : [];
  return [...problems.slice(0, MAX_PROBLEMS), ...more, `Nothing was recorded. Correct this and call ${tool.name} again.`].join('\n');
}

/** The socket belongs to one session; a call that names another task or round was meant for somebody else. */
function idProblems(input: Readonly<Record<string, unknown>>, { loopId, round }: InboxSubject): readonly string[] {
  const wanted = { loopId, taskId: loopId, round };
  return Object.entries(wanted).flatMap(([key, own]) => {
    const id = input[key];
    const isAnother = typeof id === 'number' ? id !== own : typeof id === 'string' && id.trim() !== String(own);
    return isAnother ? [`${key}: this session is about ${own}.`] : [];
  });
}

/** An answer about a finding that nobody asked about would be lost. */
function findingProblems(input: Readonly<Record<string, unknown>>, { role, findingIds }: InboxSubject): readonly string[] {
  const key = role === 'fixer' ? 'resolutions' : role === 'arbiter' ? 'rulings' : null;
  const answers = key === null ? null : input[key];
  if (!Array.isArray(answers)) return [];
  const known = findingIds.length === 0 ? 'there is none' : `expected one of ${findingIds.slice(0, 100).join(', ')}`;
  return answers.flatMap((answer: unknown, index) => {
    const read =
      role === 'fixer'
        ? readFixJson({ resolutions: [answer] }, findingIds)?.resolutions
        : readRulingsJson({ rulings: [answer] }, findingIds);
    return findingIds.includes(read?.[0]?.findingId ?? '') ? [] : [`${key}[${index}].findingId: no such finding, ${known}.`];
  });
}

function isNamed(shown: string, tool: string): boolean {
  return shown === tool || (shown.endsWith(tool) && SERVER.test(shown.slice(0, shown.length - tool.length)));
}

/** The same text for all values that are equal as JSON; null for one that is nested too deeply to be compared. */
function canonical(value: unknown, depth = 0): string | null {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (depth === MAX_DEPTH) return null;
  const isList = Array.isArray(value);
  const parts: string[] = [];
  const entries = isList
    ? value.entries()
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .toSorted(byKey);
  for (const [key, item] of entries) {
    const text = canonical(item, depth + 1);
    if (text === null) return null;
    parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
