import type { Finding } from '../../core/finding.ts';
import { isAtLeast, isClosed } from '../../core/finding.ts';
import { oneLine, type Style } from '../print.ts';
import type { ExactFix } from './exact-fix.ts';
import { findingCode, SEVERITY_STYLES } from './finding-code.ts';
import { labelled, type Labelled, type Layout } from './layout.ts';
import { safeWords, type SeenFinding } from './seen-finding.ts';

/** What stands around a finding and decides what it need not say itself. */
export type Surroundings = {
  readonly blocks: boolean;
  /** Where it lies, unless the heading says so. */
  readonly place: string | null;
  /** The finding above it showed the same lines. */
  readonly isSamePlace: boolean;
};

/** One finding for people: what is wrong, where, why it matters and what to do. */
export function findingBlock(layout: Layout, seen: SeenFinding, around: Surroundings): string[] {
  const { finding } = seen;
  const { title, detail } = titleOf(safeWords(seen, finding.description));
  const { frame, fix, exact } = findingCode(seen, layout);
  const isShownAbove = around.isSamePlace && (exact === null || fix.length > 0);
  const say = (label: string, text: string | null, style: Style = 'dim'): string[] =>
    text === null || text.trim() === '' ? [] : labelled(layout, { label, labelStyles: [style], text: safeWords(seen, text) });
  const heading = [
    ...labelled(layout, { ...severityLabel(layout, finding), text: title, style: 'bold' }),
    ...(detail === '' ? [] : labelled(layout, { text: detail })),
    ...labelled(layout, { text: remarks(seen, around).join(' · '), style: 'dim' }),
  ];
  const answer = exact === null ? finding.suggestion : exactWords(finding, exact);
  const reasons = [...say('why:', finding.impact), ...say('fix:', answer, 'green')];
  const asides = [...say('fixer:', fixerWords(finding)), ...finding.flags.flatMap((flag) => say('note:', flag))];
  const above = isShownAbove ? [] : frame;
  return fix.length === 0 ? join(heading, above, [...reasons, ...asides]) : join(join(heading, above, reasons), fix, asides);
}

/** Words, code and words again; only code has blank lines around it. */
function join(before: readonly string[], code: readonly string[], after: readonly string[]): string[] {
  if (code.length === 0) return [...before, ...after];
  return [...before, '', ...code, ...(after.length === 0 ? [] : ['', ...after])];
}

/** Beside its title the severity stands alone; before it, in one line with it, it needs a sign. */
function severityLabel({ margin }: Layout, { severity }: Finding): Required<Pick<Labelled, 'label' | 'labelStyles'>> {
  const styles = SEVERITY_STYLES[severity];
  return { label: margin > 0 ? severity : `${severity}:`, labelStyles: severity === 'critical' ? [...styles, 'inverse'] : styles };
}

const LONGEST_TITLE = 200;

/** The first sentence of a description and the rest of it. */
function titleOf(description: string): { readonly title: string; readonly detail: string } {
  const [first = '', ...lines] = description.trim().split('\n');
  const end = first.slice(0, LONGEST_TITLE).search(/(?<!\b(?:e\.g|i\.e|cf|vs|etc))[.!?]["'`)]?\s+(?=[\p{Lu}\p{N}`"'(])/u);
  const sentence = end < 0 ? first : first.slice(0, end + 1);
  const rest = first.slice(sentence.length);
  return { title: sentence, detail: [rest.trim(), ...lines].join('\n').trim() };
}

function remarks(seen: SeenFinding, { blocks, place }: Surroundings): string[] {
  const { finding } = seen;
  const tag = finding.tag === null ? '' : oneLine(safeWords(seen, finding.tag), 60);
  const isExpected = blocks === isAtLeast(finding.severity, 'medium');
  return [
    finding.id,
    ...(place === null ? [] : [place]),
    finding.category,
    ...(tag === '' || tag === finding.category ? [] : [tag]),
    ...(finding.status === 'open' ? [] : [statusWords(finding)]),
    ...(isExpected || isClosed(finding) ? [] : [blocks ? 'blocks' : 'does not block']),
    ...(finding.raisedBy.length > 1 ? [`raised by ${finding.raisedBy.map((name) => oneLine(name, 40)).join(' and ')}`] : []),
  ];
}

function statusWords({ status, firstRound }: Finding): string {
  return status === 'persisting' ? `persisting since round ${firstRound}` : status;
}

function fixerWords({ resolution }: Finding): string | null {
  if (resolution === null) return null;
  return `${resolution.status === 'needs_person' ? 'needs a person' : resolution.status}${resolution.note === '' ? '' : `: ${resolution.note}`}`;
}

/** What the lines of a fix do not say: that they are for another file, or that all it does is to delete. */
function exactWords(finding: Finding, { path, edits }: ExactFix): string | null {
  const elsewhere = path === finding.file ? '' : ` in ${path}`;
  if (edits.added.size > 0) return elsewhere === '' ? null : `${elsewhere.trim()}:`;
  const lines = [...edits.removed].toSorted((a, b) => a - b);
  const [first = 0, last = 0] = [lines[0], lines.at(-1)];
  if (lines.length === 1) return `Delete line ${first}${elsewhere}.`;
  return last - first + 1 === lines.length ? `Delete lines ${first}-${last}${elsewhere}.` : `Delete ${lines.length} lines${elsewhere}.`;
}
