import { MOST_PATCH_CHARS } from '../finding.ts';
import type { ReportedIssue } from '../finding.ts';
import type { Channel, Evidence, ReviewReading, Usage, Verdict } from '../review.ts';
import { amountOf, boolOf, isRecord, lineNumberOf, pick, textOf } from './coerce.ts';
import { saysNothing } from './nothing.ts';
import { severityWord } from './severity.ts';
import { mostCareful, verdictOf } from './verdict-words.ts';

/** The most issues that are kept of one review; what is beyond becomes one blocking issue that says so. */
export const MAX_ISSUES = 1000;
const MAX_EVIDENCE = 100;
const NO_WORDS = '(the reviewer gave no words)';

/** Reads a reviewer's result (docs/command-agents.md, and seed 002's shape); null if it is no review at all. */
export function readReviewJson(value: unknown, channel: Channel): ReviewReading | null {
  const record = Array.isArray(value) ? { issues: value } : value;
  if (!isRecord(record)) return null;
  const lists = [pick(record, 'issues'), pick(record, 'findings')].filter((list) => list !== undefined);
  const listed = lists.flatMap(issuesOf);
  const comments = pick(record, 'comments');
  // Beside a list of issues, words alone are no comment on the code.
  const isList = lists.length === 0 || Array.isArray(comments);
  const issues = listed.length === 0 && isList ? issuesOf(comments) : listed;
  const claim = claimOf(record);
  if (claim === null && issues.length === 0) return null;
  return {
    channel,
    claim,
    mayApprove: claim !== null,
    summary: textOf(pick(record, 'summary')),
    interpretedIntent: textOf(pick(record, 'interpretedIntent')),
    intentSatisfied: intentOf(pick(record, 'intentSatisfied')),
    issues,
    evidence: evidenceOf(pick(record, 'evidence')),
    usage: usageOf(pick(record, 'usage')),
    head: textOf(pick(record, 'head', 'commit', 'sha')),
  };
}

/** Tokens and money as an agent reported them; amounts that cannot be are left out. */
export function usageOf(value: unknown): Usage | null {
  if (!isRecord(value)) return null;
  const usage = {
    inputTokens: amountOf(pick(value, 'inputTokens')),
    outputTokens: amountOf(pick(value, 'outputTokens')),
    costUsd: amountOf(pick(value, 'costUsd', 'cost')),
    cachedTokens: amountOf(pick(value, 'cachedTokens', 'cachedInputTokens')),
    cacheWriteTokens: amountOf(pick(value, 'cacheWriteTokens')),
    reasoningTokens: amountOf(pick(value, 'reasoningTokens')),
  };
  return usage.inputTokens === null && usage.outputTokens === null && usage.costUsd === null ? null : usage;
}

/** The blocking issue that stands for those beyond the limit. */
export function surplusIssue(count: number): ReportedIssue {
  return issueOf({ severity: 'high', description: `${count} more issues were reported than are kept (${MAX_ISSUES}).` });
}

/** What is said about the intent in other words than yes is no yes. */
function intentOf(value: unknown): boolean | null {
  if (value === undefined || value === null || value === '') return null;
  return boolOf(value) ?? false;
}

/** The careful one of `passed` and `verdict`; a word that nobody knows cannot be part of an approval. */
function claimOf(record: Readonly<Record<string, unknown>>): Verdict | null {
  const passed = pick(record, 'passed');
  const verdict = pick(record, 'verdict');
  const words: (Verdict | null)[] = [];
  if (passed !== undefined) {
    const yes = boolOf(passed);
    words.push(yes === null ? null : yes ? 'approved' : 'changes_requested');
  }
  if (verdict !== undefined) words.push(typeof verdict === 'string' ? verdictOf(verdict) : null);
  const careful = mostCareful(words);
  return careful === 'approved' && words.includes(null) ? null : careful;
}

function issuesOf(value: unknown): ReportedIssue[] {
  const items = itemsOf(value);
  const issues = items.slice(0, MAX_ISSUES).map(issueOf);
  return items.length <= MAX_ISSUES ? issues : [...issues, surplusIssue(items.length - MAX_ISSUES)];
}

/** Issues as a list, whatever stands in its place: one issue, words, or lists keyed by severity. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return saysNothing(value) ? [] : [value];
  if (!isRecord(value)) return [];
  if (descriptionOf(value) !== null) return [value];
  return Object.entries(value).flatMap(([key, group]) =>
    itemsOf(Array.isArray(group) ? group : [group]).map((item) => withSeverity(item, key)),
  );
}

function withSeverity(item: unknown, key: string): unknown {
  return isRecord(item) && pick(item, 'severity') === undefined && severityWord(key) !== null ? { ...item, severity: key } : item;
}

function issueOf(value: unknown): ReportedIssue {
  const record = isRecord(value) ? value : { description: value };
  const written = textOf(pick(record, 'file', 'path', 'filename'));
  const line = pick(record, 'line', 'lineStart', 'startLine', 'lines');
  const [, file, at, to] = line === undefined ? (/^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(written ?? '') ?? []) : [];
  const from = lineRange(line ?? at);
  const end = lineNumberOf(pick(record, 'lineEnd', 'endLine') ?? to) ?? from.lineEnd;
  return {
    file: file ?? written,
    line: from.line,
    lineEnd: end !== null && from.line !== null && end > from.line ? end : null,
    severity: textOf(pick(record, 'severity', 'priority', 'level')),
    category: textOf(pick(record, 'category')),
    type: textOf(pick(record, 'type')),
    description: descriptionOf(record) ?? NO_WORDS,
    impact: textOf(pick(record, 'impact')),
    suggestion: textOf(pick(record, 'suggestion', 'suggestedFix', 'fix', 'recommendation')),
    patch: patchOf(pick(record, 'patch')),
  };
}

function descriptionOf(record: Readonly<Record<string, unknown>>): string | null {
  return textOf(pick(record, 'description', 'comment', 'message', 'problem', 'body', 'issue', 'title', 'text'));
}

function lineRange(value: unknown): { readonly line: number | null; readonly lineEnd: number | null } {
  if (Array.isArray(value)) return { line: lineNumberOf(value[0]), lineEnd: lineNumberOf(value[1]) };
  const [, from, to] = typeof value === 'string' ? (/(\d{1,9})(?:\s*[-–]\s*L?(\d{1,9}))?/.exec(value) ?? []) : [];
  return { line: lineNumberOf(from ?? value), lineEnd: lineNumberOf(to) };
}

/** A patch is kept to the letter, or not at all. */
function patchOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MOST_PATCH_CHARS ? value : null;
}

function evidenceOf(value: unknown): Evidence[] {
  const items = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const evidence = items.slice(0, MAX_EVIDENCE).map((item: unknown) => {
    const record = isRecord(item) ? item : { claim: item };
    return {
      claim: textOf(pick(record, 'claim')) ?? '',
      command: textOf(pick(record, 'command')) ?? '',
      output: textOf(pick(record, 'output')) ?? '',
    };
  });
  const kept = evidence.filter((item) => item.claim !== '' || item.command !== '' || item.output !== '');
  return items.length > MAX_EVIDENCE
    ? [...kept, { claim: `${items.length - MAX_EVIDENCE} more pieces of evidence were not kept.`, command: '', output: '' }]
    : kept;
}
