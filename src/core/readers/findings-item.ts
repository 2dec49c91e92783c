import type { ReportedIssue } from '../finding.ts';
import { categoryWord } from './category.ts';
import { boundedText } from './coerce.ts';
import { saysNothing } from './nothing.ts';
import { findPlace, readPlace } from './place.ts';
import { severityWord } from './severity.ts';

/** What the labelled lines of an item are about; `body` are its words without a label, `ours` what only our documents say. */
export type FieldName = 'file' | 'line' | 'problem' | 'impact' | 'fix' | 'severity' | 'category' | 'type' | 'ours' | 'body';

/** An item of a findings document while it is read. */
export type Draft = {
  readonly kind: 'heading' | 'numbered' | 'bullet';
  readonly title: string;
  readonly severity: string | null;
  /** It stands in a section of findings, so it is one whatever it holds. */
  readonly sure: boolean;
  readonly fields: Map<FieldName, string[]>;
};

const NAMES: Readonly<Record<string, FieldName>> = {
  file: 'file',
  files: 'file',
  location: 'file',
  locations: 'file',
  where: 'file',
  path: 'file',
  line: 'line',
  lines: 'line',
  problem: 'problem',
  issue: 'problem',
  description: 'problem',
  details: 'problem',
  finding: 'problem',
  what: 'problem',
  comment: 'problem',
  impact: 'impact',
  risk: 'impact',
  why: 'impact',
  'why it matters': 'impact',
  'why this matters': 'impact',
  consequence: 'impact',
  fix: 'fix',
  'suggested fix': 'fix',
  'recommended fix': 'fix',
  'proposed fix': 'fix',
  suggestion: 'fix',
  recommendation: 'fix',
  remedy: 'fix',
  solution: 'fix',
  severity: 'severity',
  priority: 'severity',
  category: 'category',
  type: 'type',
  id: 'ours',
  'read as': 'ours',
};

const LABEL =
  /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\*\*|__)?([A-Za-z][A-Za-z ]{0,24}?)(?:\(s\))?\s*(?:(?:\*\*|__)\s*:|:\s*(?:\*\*|__)|:)(?:\s+|$)(.*)$/;
const TAG = /^(?:\*\*\[([^\]]{1,40})\]\s*:?\s*\*\*|\*\*([^*[\]]{1,60}?)\s*(?::\s*\*\*|\*\*\s*[:–—-])|\[([^\]]{1,40})\](?!\())\s*:?\s*/;

/** Begins an item. */
export function newDraft(item: Omit<Draft, 'fields'>): Draft {
  return { ...item, fields: new Map() };
}

/** The field that a label names, null if it is no label of ours. */
export function fieldName(label: string): FieldName | null {
  const key = label.toLowerCase().trim();
  return Object.hasOwn(NAMES, key) ? (NAMES[key] ?? null) : null;
}

/** A line that begins a field of the item at hand, such as `- **File:** a.ts:3`. */
export function fieldLine(text: string): { readonly name: FieldName; readonly text: string } | null {
  const match = LABEL.exec(text);
  const name = match === null ? null : fieldName(match[1] ?? '');
  return name === null ? null : { name, text: match?.[2] ?? '' };
}

/** Whether an item is a finding: listed as one, or at least with a place, a problem or a severity of its own. */
export function isSubstantial(draft: Draft): boolean {
  const hasWords = [...draft.fields.values()].some((lines) => lines.some((line) => line.trim() !== ''));
  if (!hasWords && saysNothing(draft.title)) return false;
  if (draft.sure) return true;
  const hasFields = ['file', 'problem', 'fix', 'severity', 'impact'].filter((name) =>
    [...draft.fields.keys()].some((key) => key === name),
  ).length;
  return hasFields >= 1 && (draft.severity !== null || hasFields >= 2);
}

/** Turns an item into an issue; what has no field of its own stays in the description. */
export function draftIssue(draft: Draft): ReportedIssue {
  const tags = peelTags(draft.title);
  const written = fieldText(draft, 'file') ?? '';
  const inFile = readPlace(firstPlaceText(written));
  const place = inFile.file !== null ? inFile : { ...findPlace(draft.title), ...(inFile.line === null ? {} : inFile) };
  const fromLine = /(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?/.exec(fieldText(draft, 'line') ?? '');
  const line = place.line ?? (fromLine === null ? null : Number(fromLine[1]) || null);
  const lineEnd = place.line === null && fromLine !== null ? Number(fromLine[2] ?? 0) : place.lineEnd;
  return {
    file: place.file ?? boundedText(written),
    line,
    lineEnd: line !== null && lineEnd !== null && lineEnd > line ? lineEnd : null,
    severity: fieldText(draft, 'severity') ?? tags.severity ?? draft.severity,
    category: fieldText(draft, 'category') ?? tags.category,
    type: fieldText(draft, 'type'),
    description: describe(tags.title, draft, place.more > 0 || written.includes('\n') ? written : null),
    impact: fieldText(draft, 'impact'),
    suggestion: fieldText(draft, 'fix'),
    patch: null,
  };
}

/** Severity and category in front of a title: `**[Security]:** …`, `[HIGH] …`, `**Critical:** …`. */
function peelTags(title: string): { readonly title: string; readonly severity: string | null; readonly category: string | null } {
  let rest = title.trim();
  let severity: string | null = null;
  let category: string | null = null;
  for (let turn = 0; turn < 3; turn += 1) {
    const match = TAG.exec(rest);
    const tag = match?.[1] ?? match?.[2] ?? match?.[3];
    if (match === null || tag === undefined) break;
    const bracketed = match[2] === undefined;
    const short = tag.trim().split(/\s+/).length <= 2;
    if (severity === null && short && severityWord(tag) !== null) severity = tag;
    else if (category === null && (bracketed || (short && categoryWord(tag) !== null))) category = tag;
    else break;
    rest = rest.slice(match[0].length);
  }
  severity ??= /\(([A-Za-z0-9]{2,10})(?: severity| priority)?\)/i.exec(rest)?.[1] ?? null;
  if (severity !== null && severityWord(severity) === null) severity = null;
  return {
    title: unescaped(rest)
      .replace(/^\*\*(.+)\*\*$/s, '$1')
      .trim(),
    severity,
    category,
  };
}

/** The title in full where the problem does not begin with it, then the problem, then words without a label. */
function describe(title: string, draft: Draft, places: string | null): string {
  const problem = fieldText(draft, 'problem');
  const head = problem === null ? title : repeats(problem, title) ? problem : `${title}\n\n${problem}`;
  const parts = [head, fieldText(draft, 'body'), places === null ? null : `Places: ${places}`];
  return boundedText(parts.filter((part) => part !== null && part !== '').join('\n\n')) ?? '(the reviewer gave no words)';
}

/** Whether a problem begins with the words of its title, cut and marked up as they may be. */
function repeats(problem: string, title: string): boolean {
  const bare = (text: string): string =>
    text
      .replace(/\s*…$/, '')
      .replace(/[\s*_`]+/g, ' ')
      .trim();
  return bare(problem.slice(0, 2000)).includes(bare(title));
}

/** The words of a field, without the quote marks and indentation of their further lines. */
function fieldText(draft: Draft, name: FieldName): string | null {
  const lines = draft.fields.get(name);
  if (lines === undefined) return null;
  return boundedText(lines.map((line, index) => unescaped(index === 0 ? line : line.replace(/^ {0,8}> ?/, ''))).join('\n'));
}

/** Where `File:` lists several places on lines of their own, the first one counts. */
function firstPlaceText(written: string): string {
  return (
    written
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.replace(/^\s*[-*+]\s+/, '') ?? ''
  );
}

/** Our own documents escape what would begin an HTML tag, and what looks like a verdict line. */
function unescaped(text: string): string {
  return text.replace(/\\<(?=[!/?a-zA-Z])/g, '<').replace(/(\*\*[ \t]{0,4}verdict)\\(\\*:)/gi, '$1$2');
}
