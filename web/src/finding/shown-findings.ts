import { bySeverity, isClosed } from '../../../src/core/finding.ts';
import type { Category, Severity } from '../../../src/core/finding.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import { numberOf } from './words.ts';

/** Which findings are shown; an empty list of something lets all of it through. */
export type FindingFilter = {
  readonly showing: 'open' | 'all';
  readonly severities: readonly Severity[];
  readonly reviewers: readonly string[];
  readonly rounds: readonly number[];
  readonly categories: readonly Category[];
  /** Whether those that are only suggestions are a line each, until somebody opens one. */
  readonly foldNits: boolean;
};

/** What is shown to somebody who has chosen nothing. */
export const NO_FILTER: FindingFilter = { showing: 'open', severities: [], reviewers: [], rounds: [], categories: [], foldNits: true };

/** The findings that a filter lets through, in the order in which the diff has them: by its files, then by their lines. */
export function shownFindings<F extends FindingOutput>(
  findings: readonly F[],
  filter: FindingFilter,
  files: readonly string[] = [],
): readonly F[] {
  return inDiffOrder(
    findings.filter((finding) => isShown(finding, filter)),
    files,
  );
}

/** Whether a filter lets a finding through. */
export function isShown(finding: FindingOutput, { showing, severities, reviewers, rounds, categories }: FindingFilter): boolean {
  const within = <T>(chosen: readonly T[], value: T): boolean => chosen.length === 0 || chosen.includes(value);
  return (
    (showing === 'all' || !isClosed(finding)) &&
    within(severities, finding.severity) &&
    within(categories, finding.category) &&
    (reviewers.length === 0 || finding.raisedBy.some((name) => reviewers.includes(name))) &&
    (rounds.length === 0 || rounds.some((round) => round >= finding.firstRound && round <= finding.lastRound))
  );
}

/** Whether a finding is a nit: a suggestion that is still open and blocks nothing. */
export function isNit(finding: FindingOutput): boolean {
  return finding.severity === 'suggestion' && !finding.blocking && !isClosed(finding);
}

/** What is about the whole change comes first, and what is about files that the change does not have comes last. */
function inDiffOrder<F extends FindingOutput>(findings: readonly F[], files: readonly string[]): readonly F[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const fileRank = ({ file }: F): number => (file === null ? -1 : (order.get(file) ?? files.length));
  return findings.toSorted(
    (a, b) =>
      fileRank(a) - fileRank(b) ||
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      bySeverity(a, b) ||
      numberOf(a.id) - numberOf(b.id),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Findings of one severity, those that block first. */
export type FindingGroup<F extends FindingOutput = FindingOutput> = {
  readonly severity: Severity;
  readonly findings: readonly F[];
  readonly blocking: number;
};

/** Findings by severity, worst first; in each those that block, then the other open ones, then those that are settled. */
export function groupFindings<F extends FindingOutput>(findings: readonly F[]): readonly FindingGroup<F>[] {
  const rank = (finding: F): number => (finding.blocking ? 0 : isClosed(finding) ? 2 : 1);
  const groups = Map.groupBy(findings.toSorted(bySeverity), ({ severity }) => severity);
  return Array.from(groups, ([severity, some]) => ({
    severity,
    findings: some.toSorted((a, b) => rank(a) - rank(b)),
    blocking: some.filter(({ blocking }) => blocking).length,
  }));
}

/** What can be chosen in a filter, with how many findings each choice has. */
export type FilterChoices = {
  readonly open: number;
  readonly all: number;
  readonly nits: number;
  readonly severities: ReadonlyMap<Severity, number>;
  readonly reviewers: ReadonlyMap<string, number>;
  readonly rounds: ReadonlyMap<number, number>;
  readonly categories: ReadonlyMap<Category, number>;
};

/** What there is to choose from, among the findings that are open or among all of them. */
export function filterChoices(findings: readonly FindingOutput[], { showing }: Pick<FindingFilter, 'showing'>): FilterChoices {
  const open = findings.filter((finding) => !isClosed(finding));
  const some = (showing === 'open' ? open : findings).toSorted(bySeverity);
  const rounds = some.flatMap(({ firstRound, lastRound }) =>
    Array.from({ length: lastRound - firstRound + 1 }, (_none, at) => firstRound + at),
  );
  return {
    open: open.length,
    all: findings.length,
    nits: some.filter(isNit).length,
    severities: tally(some.map(({ severity }) => severity)),
    reviewers: tally(some.flatMap(({ raisedBy }) => raisedBy)),
    rounds: tally(rounds.toSorted((a, b) => a - b)),
    categories: tally(some.map(({ category }) => category)),
  };
}

function tally<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/**
 * The finding before or after one, in a circle. From one that is not among those shown it goes to the first or the last of them.
 */
export function neighbour<F extends FindingOutput>(shown: readonly F[], current: number | null, step: 1 | -1): F | undefined {
  const at = shown.findIndex(({ id }) => numberOf(id) === current);
  if (at < 0) return step === 1 ? shown[0] : shown.at(-1);
  return shown[(at + step + shown.length) % shown.length];
}
