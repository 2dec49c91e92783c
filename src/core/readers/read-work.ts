import type { AuthorReading, FixReading, Ruling } from '../review.ts';
import { boundedText, parseJson, parseWholeJson } from './coerce.ts';
import { findNonceBlock } from './nonce-block.ts';
import { readAuthorJson, readFixJson, readRulingsJson } from './work-json.ts';

/** What an author, fixer or arbiter handed back. */
export type WorkAnswer = { readonly result: string | null; readonly output: string; readonly nonce: string };

/** Reads an author's answer; without one the task is complete. */
export function readAuthor(answer: WorkAnswer): AuthorReading {
  return readAuthorJson(handedBack(answer)) ?? { summary: writtenSummary(answer), taskComplete: true, usage: null };
}

/** Reads a fixer's answer about these findings; without one it answers none of them. */
export function readFix(answer: WorkAnswer, findingIds: readonly string[]): FixReading {
  return readFixJson(handedBack(answer), findingIds) ?? { summary: writtenSummary(answer), resolutions: [], commits: [], usage: null };
}

/** Reads an arbiter's rulings about these findings; without any nothing is refuted. */
export function readRulings(answer: WorkAnswer, findingIds: readonly string[]): readonly Ruling[] {
  return readRulingsJson(handedBack(answer), findingIds) ?? [];
}

/** The JSON in the result file, else in the block with this session's nonce. */
function handedBack(answer: WorkAnswer): unknown {
  const inFile = parseWholeJson(answer.result ?? '');
  if (inFile.ok) return inFile.value;
  const block = findNonceBlock(answer.output, answer.nonce);
  const inBlock = block.kind === 'block' ? parseJson(block.json) : null;
  return inBlock?.ok === true ? inBlock.value : null;
}

/** Plain words in the result file are the summary; broken JSON is not. */
function writtenSummary(answer: WorkAnswer): string | null {
  const text = (answer.result ?? '').trim();
  return /^[{[]/.test(text) ? null : boundedText(text);
}
