import type { Finding } from '../../src/core/finding.ts';
import { forTerminal } from '../../src/cli/print.ts';
import { reviewReport, type ReviewReport } from '../../src/cli/report/report.ts';
import { makeFinding as makeAnyFinding } from './loops.ts';

/** A finding in loop 29 with this number. */
export function makeFinding(number: number, changes: Partial<Finding> = {}): Finding {
  return makeAnyFinding(`29.${number}`, { file: 'src/greet.ts', line: 1, description: `Number ${number} is wrong.`, ...changes });
}

/** The report of a review with these findings, as a terminal gets it; everything from medium blocks unless it is said. */
export function showReport(
  findings: readonly Finding[],
  how: Partial<Omit<ReviewReport, 'findings'>> & {
    readonly files?: Readonly<Record<string, string>>;
    readonly width?: number;
    readonly color?: boolean;
  } = {},
): string {
  const { files = {}, width = 100, color = false, ...rest } = how;
  const blocking = findings.filter(({ severity }) => severity !== 'low' && severity !== 'suggestion').map(({ id }) => id);
  const report = {
    loopId: 29,
    findings,
    blockingIds: new Set(blocking),
    filesChanged: 3,
    verdict: null,
    textOf: (path: string) => files[path] ?? null,
    ...rest,
  };
  return reviewReport(report, { color, width })
    .map((line) => forTerminal({ color }, line).trimEnd())
    .join('\n');
}
