import { type Finding, Severity } from '../../core/finding.ts';
import type { Verdict } from '../../core/review.ts';
import { counted } from '../../core/words.ts';
import { paint, type Style } from '../print.ts';
import { SEVERITY_STYLES } from './finding-code.ts';
import { type Layout, paintAll } from './layout.ts';

/** What a summary is made of. */
export type Summed = {
  readonly findings: readonly Finding[];
  readonly blockingIds: ReadonlySet<string>;
  readonly filesChanged: number;
  readonly verdict: Verdict | null;
};

/** What a review comes to: its verdict, and its findings in numbers. */
export function summaryLines(layout: Layout, summed: Summed): string[] {
  const { findings } = summed;
  const rule = findings.length === 0 ? [] : [paint(layout, 'dim', '─'.repeat(layout.prose))];
  return [...rule, ...flow(layout, outcomeParts(summed)), ...flow(layout, findingParts(findings))];
}

const VERDICTS: Readonly<Record<Verdict, readonly [string, Style]>> = {
  approved: ['✓ APPROVED', 'green'],
  changes_requested: ['✗ CHANGES_REQUESTED', 'red'],
  needs_discussion: ['? NEEDS_DISCUSSION', 'yellow'],
};

/** A part of a line, and what stands between it and the part before it. */
type Part = { readonly text: string; readonly styles: readonly Style[]; readonly gap: string };

function outcomeParts({ findings, blockingIds, filesChanged, verdict }: Summed): Part[] {
  const blocking = findings.filter((one) => blockingIds.has(one.id)).length;
  const files = counted(filesChanged, 'file');
  const texts = findings.length === 0 ? [`no findings in ${files}`] : [blockingWords(blocking, findings.length), `${files} changed`];
  const [word, style] = verdict === null ? [null, 'bold' as const] : VERDICTS[verdict];
  return [...(word === null ? [] : [plain(word, [style])]), ...texts.map((text) => plain(text))];
}

function blockingWords(blocking: number, all: number): string {
  if (blocking === 0) return 'nothing blocks';
  const verb = blocking === 1 ? 'blocks' : 'block';
  return blocking === all ? `${counted(all, 'finding')} ${verb}` : `${blocking} of ${all} findings ${verb}`;
}

function findingParts(findings: readonly Finding[]): Part[] {
  const exact = findings.filter((one) => one.patch !== null).length;
  const severities = Severity.options.flatMap((severity) => {
    const count = findings.filter((one) => one.severity === severity).length;
    if (count === 0) return [];
    const text = severity === 'suggestion' ? counted(count, severity) : `${count} ${severity}`;
    return [{ text, styles: SEVERITY_STYLES[severity], gap: '  ' }];
  });
  return exact === 0 ? severities : [...severities, plain(`${exact} with an exact fix`)];
}

function plain(text: string, styles: readonly Style[] = []): Part {
  return { text, styles, gap: ' · ' };
}

/** Parts on as few lines as the width allows. */
function flow(layout: Layout, parts: readonly Part[]): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const { text, styles, gap } of parts) {
    const painted = paintAll(layout, styles, text);
    const fits = used > 0 && used + gap.length + text.length <= layout.prose;
    if (fits) lines.push(`${lines.pop() ?? ''}${paint(layout, 'dim', gap)}${painted}`);
    else lines.push(painted);
    used = fits ? used + gap.length + text.length : text.length;
  }
  return lines;
}
