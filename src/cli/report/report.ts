import { bySeverity, type Finding, type Severity } from '../../core/finding.ts';
import type { Verdict } from '../../core/review.ts';
import { counted } from '../../core/words.ts';
import type { Io } from '../command.ts';
import { clean, paint } from '../print.ts';
import { findingBlock } from './finding-block.ts';
import { type Layout, layoutOf } from './layout.ts';
import { headFile, seeFinding, type SeenFinding } from './seen-finding.ts';
import { summaryLines } from './summary.ts';
import { textWidth } from './text-width.ts';

/** A review as people read it. */
export type ReviewReport = {
  readonly loopId: number;
  readonly findings: readonly Finding[];
  readonly blockingIds: ReadonlySet<string>;
  readonly filesChanged: number;
  /** Null where there is none, or where it is told elsewhere. */
  readonly verdict: Verdict | null;
  /** Every finding is shown, however many there are. */
  readonly isComplete?: boolean;
  /** The text of a file at the head; null for one that is gone or is not text. */
  textOf(path: string): string | null;
};

/** More than these are a list to work through, not a report to read. */
const MOST = 50;

/** Writes a review for a terminal: the findings by file with their code, then what they come to. */
export function reviewReport(report: ReviewReport, io: Pick<Io, 'color' | 'width'>): string[] {
  const layout = layoutOf(io);
  const shown = shownFindings(report);
  const isUnplaced = (one: Finding): boolean => one.file === null || one.place === 'unplaced';
  const placed = shown.filter((one) => !isUnplaced(one) && one.place !== 'outside');
  const outside = shown.filter((one) => !isUnplaced(one) && one.place === 'outside');
  const unplaced = shown.filter(isUnplaced).toSorted(bySeverity);
  return [
    ...byFile(placed).flatMap((group) => fileLines(layout, report, group)),
    ...section(
      layout,
      'Outside the change',
      byFile(outside).flatMap((group) => fileLines(layout, report, group)),
    ),
    ...section(
      layout,
      'Without a place',
      unplaced.flatMap((one) => unplacedLines(layout, report, one)),
    ),
    ...hiddenLines(report, shown.length),
    ...summaryLines(layout, report),
  ];
}

function shownFindings({ findings, blockingIds, isComplete = false }: ReviewReport): readonly Finding[] {
  if (isComplete || findings.length <= MOST) return findings;
  const blocking = findings.filter((one) => blockingIds.has(one.id));
  return blocking.length > 0 ? blocking : findings.toSorted(bySeverity).slice(0, MOST);
}

function hiddenLines({ findings, loopId }: ReviewReport, shown: number): string[] {
  const hidden = findings.length - shown;
  if (hidden === 0) return [];
  return [`${counted(hidden, 'more finding')} ${hidden === 1 ? 'does' : 'do'} not block: volley findings ${loopId}`, ''];
}

type FileGroup = { readonly path: string; readonly severity: Severity; readonly findings: readonly Finding[] };

/** Files by the worst that was found in them, and their findings by line, those about the whole file first. */
function byFile(findings: readonly Finding[]): FileGroup[] {
  return [...Map.groupBy(findings.toSorted(bySeverity), (one) => one.file ?? '')]
    .map(([path, group]) => ({
      path,
      severity: group[0]?.severity ?? 'suggestion',
      findings: group.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    }))
    .toSorted((a, b) => bySeverity(a, b) || (a.path < b.path ? -1 : 1));
}

function fileLines(layout: Layout, report: ReviewReport, { path, findings }: FileGroup): string[] {
  const head = headFile(report.textOf(path));
  const [only] = findings;
  const isAlone = findings.length === 1 && only !== undefined;
  const lines = isAlone ? [fileHeading(layout, placeWords(only), '')] : [fileHeading(layout, path, counted(findings.length, 'finding'))];
  const seen = findings.map((finding) => seeFinding(finding, head));
  // What one finding calls a secret, the frames of its neighbours must not show.
  const secrets = seen.flatMap((one) => one.secrets);
  seen.forEach((one, index) => {
    const around = {
      blocks: report.blockingIds.has(one.finding.id),
      place: isAlone ? null : placeWords(one.finding),
      isSamePlace: isSameRange(seen[index - 1], one),
    };
    lines.push('', ...findingBlock(layout, { ...one, secrets }, around));
  });
  return [...lines, ''];
}

function isSameRange(above: SeenFinding | undefined, { flagged }: SeenFinding): boolean {
  return flagged !== null && above?.flagged?.first === flagged.first && above.flagged.last === flagged.last;
}

function unplacedLines(layout: Layout, report: ReviewReport, finding: Finding): string[] {
  const around = {
    blocks: report.blockingIds.has(finding.id),
    place: finding.file === null ? null : placeWords(finding),
    isSamePlace: false,
  };
  return [...findingBlock(layout, seeFinding(finding, null), around), ''];
}

/** A place as editors and terminals know it, so that a click leads there. */
function placeWords({ file, line, lineEnd }: Finding): string {
  const lines = line === null ? '' : lineEnd === null || lineEnd === line ? `:${line}` : `:${line}-${lineEnd}`;
  return `${clean(file ?? '').replace(/\s+/g, ' ')}${lines}`;
}

function fileHeading(layout: Layout, name: string, note: string): string {
  const shown = clean(name).replace(/\s+/g, ' ');
  const room = layout.prose - textWidth(shown) - note.length - (note === '' ? 1 : 2);
  // A name that fills the line needs no rule to be seen.
  const rest = room < 3 ? '' : ` ${'─'.repeat(room)}${note === '' ? '' : ` ${note}`}`;
  return paint(layout, 'bold', shown) + paint(layout, 'dim', rest);
}

function section(layout: Layout, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [paint(layout, 'underline', title), '', ...lines];
}
