import { gapBetween, lineRange, NEAR_LINES } from './delta.ts';
import { bySeverity } from './finding.ts';
import type { Finding, RaisedFinding } from './finding.ts';
import { compareWords, wordReader } from './similarity.ts';
import type { WordSet } from './similarity.ts';

/** What a round's raised finding turned out to be. */
export type Identified = {
  /** The raised findings that are one and the same, in an order that does not depend on that of the input. */
  readonly members: readonly RaisedFinding[];
  /** The id of the known finding that they repeat; null: new. */
  readonly known: string | null;
};

/** A finding of earlier rounds, on the lines that it has in the head of this round. */
export type KnownFinding = Readonly<
  Pick<Finding, 'id' | 'file' | 'line' | 'lineEnd' | 'category' | 'tag' | 'description' | 'snippet' | 'source'>
> & {
  /** Other words in which it was put. */
  readonly also?: readonly string[];
};

/**
 * Finds out which raised findings are the same, and which of the known ones they repeat; no order of the input matters. What
 * `mayRepeat` refuses leaves the known one to others.
 */
export function identify<Known extends KnownFinding>(
  raised: readonly RaisedFinding[],
  known: readonly Known[],
  mayRepeat: (members: readonly RaisedFinding[], known: Known) => boolean = () => true,
): readonly Identified[] {
  const subjectOf = subjectReader();
  const groups = mergeUnits(gatherUnits(raised.map(subjectOf)));
  const earlier = known.toSorted((a, b) => a.id.length - b.id.length || compare(a.id, b.id)).map((one) => [subjectOf(one)] as const);
  const members = groups.map((group) => group.map(({ finding }) => finding));
  const ids = new Map<number, string>();
  const taken = new Set<number>();
  for (const { a, b } of samePairs(groups, earlier)) {
    const one = earlier[b]?.[0].finding;
    if (ids.has(a) || taken.has(b) || one === undefined || !mayRepeat(members[a] ?? [], one)) continue;
    ids.set(a, one.id);
    taken.add(b);
  }
  return members.map((some, index) => ({ members: some, known: ids.get(index) ?? null }));
}

/** Whether a finding repeats one that was refuted: stricter, because a mistake would hide it. */
export function isSameForSure(raised: RaisedFinding, known: KnownFinding): boolean {
  const subjectOf = subjectReader();
  const [a, b] = [subjectOf(raised), subjectOf(known)];
  if (raised.file !== known.file || !isSourceAlike(a, b)) return false;
  if (a.plain !== '' && [b.plain, ...(known.also ?? []).map(plainWords)].includes(a.plain)) return true;
  const isAlike = raised.category === known.category || (raised.tag !== null && raised.tag === known.tag);
  return isAlike && textOf(a, b) >= SURE_TEXT;
}

const SURE_TEXT = 0.8;

/** Whether a finding says the very same words as a known one, in any of its wordings, about the same file. */
export function saysTheSame(raised: RaisedFinding, known: KnownFinding): boolean {
  const words = plainWords(raised.description);
  return raised.file === known.file && words !== '' && [known.description, ...(known.also ?? [])].map(plainWords).includes(words);
}

/** What is compared of a finding. */
type Comparable = Omit<KnownFinding, 'id'>;

/** A finding with what is read from it once. */
type Subject<T extends Comparable = Comparable> = {
  readonly finding: T;
  /** Its description without case and punctuation. */
  readonly plain: string;
  /** One for each of its wordings. */
  readonly words: readonly WordSet[];
  /** Its lines without white space; null where anybody's could look like that. */
  readonly snippet: string | null;
};

function subjectReader(): <T extends Comparable>(finding: T) => Subject<T> {
  const read = wordReader();
  return (finding) => ({
    finding,
    plain: plainWords(finding.description),
    words: [finding.description, ...(finding.also ?? [])].map(read),
    snippet: tellingSnippet(finding.snippet),
  });
}

function plainWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}

const TELLING_CHARACTERS = 16;

function tellingSnippet(snippet: string | null): string | null {
  const letters = snippet?.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return snippet === null || letters < TELLING_CHARACTERS ? null : snippet.replaceAll(/\s+/g, '');
}

/** Raised findings that are one. */
type Group = readonly Subject<RaisedFinding>[];

/** The same words about the same lines are one finding, even if one reviewer wrote them twice. */
function gatherUnits(subjects: Group): Group[] {
  const units = Map.groupBy(subjects, ({ finding: { source, file, line, lineEnd }, plain }) =>
    JSON.stringify([source, file, line, lineEnd, plain]),
  );
  return inOrder([...units.values()]);
}

/**
 * Merges what different reviewers said, the surest first. Two places of one reviewer are two findings, so they never end in the
 * same group, and everything in a group is the same as everything else in it.
 */
function mergeUnits(units: readonly Group[]): Group[] {
  const reviewers = units.map((unit) => new Set(unit.flatMap(reviewersOf)));
  if (new Set(reviewers.flatMap((names) => [...names])).size < 2) return [...units];
  const pairs = samePairs(units, units, (a, b) => a < b && isDisjoint(reviewers[a], reviewers[b]));
  const keys = new Set(pairs.map(({ a, b }) => a * units.length + b));
  const areSame = (a: number, b: number): boolean => keys.has(Math.min(a, b) * units.length + Math.max(a, b));
  const parts = units.map((_, index): readonly number[] => [index]);
  for (const { a, b } of pairs) {
    const [one, other] = [parts[a] ?? [], parts[b] ?? []];
    if (!one.every((index) => other.every((another) => areSame(index, another)))) continue;
    const merged = [...one, ...other];
    for (const index of merged) parts[index] = merged;
  }
  return inOrder([...new Set(parts)].map((part) => part.flatMap((index) => units[index] ?? [])));
}

function reviewersOf({ finding }: Subject<RaisedFinding>): readonly string[] {
  return finding.raisedBy.length === 0 ? [''] : finding.raisedBy;
}

function isDisjoint(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  for (const name of a ?? []) if (b?.has(name) === true) return false;
  return true;
}

function inOrder(groups: readonly Group[]): Group[] {
  return groups.map((group) => group.toSorted(byOrder)).toSorted((a, b) => (a[0] && b[0] ? byOrder(a[0], b[0]) : 0));
}

function byOrder({ finding: a }: Group[number], { finding: b }: Group[number]): number {
  return (
    bySeverity(a, b) ||
    compare(a.file ?? '', b.file ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compare(a.category, b.category) ||
    compare(a.description, b.description) ||
    compare(a.raisedBy.toSorted().join('\0'), b.raisedBy.toSorted().join('\0')) ||
    compare(JSON.stringify(a), JSON.stringify(b))
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

type Pair = { readonly a: number; readonly b: number; readonly score: number };

/** So that a file with one message on thousands of lines does not make millions of pairs. */
const MOST_PARTNERS = 32;

/** The indices of all that are the same on both sides, the surest first; only what shares a file or a snippet is compared. */
function samePairs(
  left: readonly (readonly Subject[])[],
  right: readonly (readonly Subject[])[],
  mayPair: (a: number, b: number) => boolean = () => true,
): Pair[] {
  const entries = right.flatMap((subjects, index) => subjects.map((subject) => ({ index, subject })));
  const byFile = Map.groupBy(entries, ({ subject }) => subject.finding.file);
  const bySnippet = Map.groupBy(entries, ({ subject }) => subject.snippet);
  const pairs: Pair[] = [];
  for (const [a, subjects] of left.entries()) {
    const best = new Map<number, number>();
    for (const subject of subjects) {
      const { file } = subject.finding;
      const there = file === null ? [entries] : [byFile.get(file), byFile.get(null)];
      const alike = subject.snippet === null ? undefined : bySnippet.get(subject.snippet);
      for (const candidates of [...there, alike]) {
        for (const { index, subject: other } of candidates ?? []) {
          const score = mayPair(a, index) ? sameness(subject, other) : null;
          if (score !== null) best.set(index, Math.max(score, best.get(index) ?? 0));
        }
      }
    }
    pairs.push(...surest(Array.from(best, ([b, score]) => ({ a, b, score }))).slice(0, MOST_PARTNERS));
  }
  return surest(pairs);
}

function surest(pairs: readonly Pair[]): Pair[] {
  return pairs.toSorted((one, other) => other.score - one.score || one.a - other.a || one.b - other.b);
}

/** How sure it is that two findings are the same; null if they are not. */
function sameness(a: Subject, b: Subject): number | null {
  const where = isSourceAlike(a, b) ? nearness(a, b) : null;
  if (where === null) return null;
  const isAlike = a.finding.category === b.finding.category;
  const limit = Math.max(isAlike ? where.alike : where.unlike, haveOtherRules(a, b) ? OTHER_RULES_TEXT : 0);
  const text = textOf(a, b);
  return text < limit ? null : text + where.score + (isAlike ? ALIKE_SCORE : 0);
}

function isSourceAlike({ finding: a }: Subject, { finding: b }: Subject): boolean {
  const isWritten = (source: string): boolean => source === 'reviewer' || source === 'forge';
  return a.source === b.source || (isWritten(a.source) && isWritten(b.source));
}

/** How similar the words must be, if the category is the same and if it is another one. */
type Limits = { readonly alike: number; readonly unlike: number };

/** Found with pairs of findings, the same and others, as the test has them; one that is missed does less harm than a wrong one. */
const NEAR: Limits = { alike: 0.35, unlike: 0.4 };
const AROUND: Limits = { alike: 0.5, unlike: 0.65 };
const SAME_FILE: Limits = { alike: 0.6, unlike: 0.75 };
const FILE_OR_NONE: Limits = { alike: 0.7, unlike: 0.8 };
const COPIED: Limits = { alike: 0.7, unlike: 0.7 };
const OTHER_RULES_TEXT = 0.6;
const ALIKE_SCORE = 0.2;
const SNIPPET_SCORE = 0.5;

/** How far the lines of one finding may be named from each other. */
export const AROUND_LINES = 20;

function nearness(a: Subject, b: Subject): (Limits & { readonly score: number }) | null {
  const hasSnippet = a.snippet !== null && a.snippet === b.snippet;
  const bonus = hasSnippet ? SNIPPET_SCORE : 0;
  if (a.finding.file !== b.finding.file) {
    if (a.finding.file === null || b.finding.file === null) return { ...FILE_OR_NONE, score: bonus };
    return hasSnippet ? { ...COPIED, score: bonus } : null;
  }
  const apart = distance(a.finding, b.finding);
  if (apart === null) return { ...(hasSnippet ? NEAR : SAME_FILE), score: bonus };
  const limits = hasSnippet || apart.gap <= NEAR_LINES ? NEAR : apart.gap <= AROUND_LINES ? AROUND : SAME_FILE;
  return { ...limits, score: 1 / (1 + apart.shift / 10) + bonus };
}

/** How many lines lie from one to the other, and how far their ends are apart; null where one has no lines. */
function distance(a: Comparable, b: Comparable): { readonly gap: number; readonly shift: number } | null {
  const gap = gapBetween(a, b);
  if (gap === null || a.line === null || b.line === null) return null;
  const [aFirst, aLast] = lineRange(a.line, a.lineEnd);
  const [bFirst, bLast] = lineRange(b.line, b.lineEnd);
  return { gap, shift: (Math.abs(aFirst - bFirst) + Math.abs(aLast - bLast)) / 2 };
}

/** What the most similar of their wordings say. */
function textOf(a: Subject, b: Subject): number {
  let best = 0;
  for (const words of a.words) for (const others of b.words) best = Math.max(best, compareWords(words, others));
  return best;
}

/** Types of issues that reviewers are told to use; any other tag names a rule. */
const ISSUE_TYPES: ReadonlySet<string> = new Set([
  'over-engineering',
  'missing-error-handling',
  'pattern-violation',
  'dead-code',
  'spec-intent-mismatch',
]);

function haveOtherRules({ finding: a }: Subject, { finding: b }: Subject): boolean {
  return isRule(a.tag) && isRule(b.tag) && a.tag !== b.tag;
}

function isRule(tag: string | null): boolean {
  return tag !== null && !ISSUE_TYPES.has(tag);
}
