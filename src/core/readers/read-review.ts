import type { Channel, ReviewReading } from '../review.ts';
import { parseJson, parseWholeJson } from './coerce.ts';
import { findNonceBlock } from './nonce-block.ts';
import { readReviewJson } from './result-json.ts';
import { readTextReview, type TextReview } from './text-review.ts';

/** What a reviewer handed back. */
export type ReviewAnswer = {
  /** The arguments of the tool call that was accepted and witnessed, as JSON; null if there is none. */
  readonly call?: string | null;
  /** The content of the result file, null if there is none. */
  readonly result: string | null;
  /** The driver handed the result over itself, so no code under review can have written it. */
  readonly structured?: boolean;
  /** The agent's last message, or what it printed. */
  readonly output: string;
  readonly nonce: string;
  /** The user's word that text of this agent may approve. */
  readonly trustText: boolean;
};

/** A reading, or why there is none; `text-approval`: the only thing it says is yes, in a channel that may not. */
export type ReviewRead =
  | { readonly kind: 'reading'; readonly reading: ReviewReading }
  | { readonly kind: 'unreadable'; readonly reason: 'empty' | 'unreadable' | 'text-approval'; readonly detail: string };

type Unreadable = Extract<ReviewRead, { kind: 'unreadable' }>;

const MAX_ANSWER = 20_000_000;

/** Reads a reviewer's answer, the most trusted channel first. It never throws, and what is unclear never approves. */
export function readReview(answer: ReviewAnswer): ReviewRead {
  const called = parseWholeJson(answer.call ?? '');
  if (called.ok) return readJson(called.value, 'mcp', 'the tool call');
  const result = answer.result ?? '';
  if (result.trim() === '' && answer.output.trim() === '') return unreadable('empty', 'the reviewer handed nothing back');
  if (result.length > MAX_ANSWER || answer.output.length > MAX_ANSWER)
    return unreadable('unreadable', 'the answer is too large to be read');
  const file = readFile(result, answer);
  if (file?.kind === 'reading') return file;
  const printed = readNonce(answer.output, answer.nonce) ?? readOutput(answer.output, answer.trustText);
  if (file === null || printed === null) return file ?? printed ?? unreadable('unreadable', 'nothing could be read');
  return behind(file, printed);
}

/** What was printed beside a result file that gave no reading: where that is broken, it may report and reject, but not approve. */
function behind(file: Unreadable, printed: ReviewRead): ReviewRead {
  if (printed.kind === 'unreadable') {
    return unreadable(file.reason === printed.reason ? file.reason : 'unreadable', `${file.detail}; ${printed.detail}`);
  }
  if (file.reason === 'text-approval') return printed;
  if (printed.reading.claim === 'approved') return unreadable('unreadable', `${file.detail}; what was printed cannot approve in its place`);
  return { kind: 'reading', reading: { ...printed.reading, mayApprove: false } };
}

/** The result file: JSON, or a document that may approve by exactly one verdict line of its own. */
function readFile(result: string, { trustText, structured = false }: ReviewAnswer): ReviewRead | null {
  if (result.trim() === '') return null;
  const parsed = parseWholeJson(result);
  if (parsed.ok) return readJson(parsed.value, structured ? 'structured' : 'result-file', 'the result file');
  if (/^[\s\uFEFF]*[{[]/.test(result)) return unreadable('unreadable', `the result file is broken JSON: ${parsed.problem}`);
  const review = readTextReview(result);
  // An agent's last word that is no JSON is a text like any other.
  if (structured || !review.verdictLineApproves) return readText(review, trustText, 'the result file');
  return { kind: 'reading', reading: { ...textReading(review), channel: 'result-file', claim: 'approved', mayApprove: true } };
}

function readNonce(output: string, nonce: string): ReviewRead | null {
  const block = findNonceBlock(output, nonce);
  if (block.kind === 'none') return null;
  if (block.kind === 'broken') return unreadable('unreadable', block.detail);
  const parsed = parseJson(block.json);
  return parsed.ok
    ? readJson(parsed.value, 'nonce', 'the result block')
    : unreadable('unreadable', `the result block is broken JSON: ${parsed.problem}`);
}

function readOutput(output: string, trustText: boolean): ReviewRead | null {
  return output.trim() === '' ? null : readText(readTextReview(output), trustText, 'the output');
}

function readJson(value: unknown, channel: Channel, where: string): ReviewRead {
  const reading = readReviewJson(value, channel);
  return reading === null
    ? unreadable('unreadable', `${where} is JSON without a readable passed, verdict or issue`)
    : { kind: 'reading', reading };
}

/** Text may carry findings and a rejection, never an approval, unless the user trusts this agent's text. */
function readText(review: TextReview, trustText: boolean, where: string): ReviewRead {
  const reading = textReading(review);
  if (review.approves && trustText) return { kind: 'reading', reading: { ...reading, claim: 'approved', mayApprove: true } };
  if (review.issues.length > 0 || review.rejection !== null) return { kind: 'reading', reading };
  if (review.soundsApproving) return unreadable('text-approval', `${where} only says that it approves, and text cannot approve`);
  return unreadable('unreadable', `neither findings nor a verdict could be read in ${where}`);
}

function textReading(review: TextReview): ReviewReading {
  return {
    channel: 'text',
    claim: review.rejection,
    mayApprove: false,
    summary: review.summary,
    interpretedIntent: review.json?.interpretedIntent ?? null,
    intentSatisfied: review.json?.intentSatisfied ?? null,
    issues: [...review.issues],
    evidence: review.json?.evidence ?? [],
    usage: review.json?.usage ?? null,
    head: review.head,
  };
}

function unreadable(reason: Unreadable['reason'], detail: string): Unreadable {
  return { kind: 'unreadable', reason, detail };
}
