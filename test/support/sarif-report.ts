import type { SarifReport } from '../../src/core/writers/sarif.ts';

/** One finding of a report. */
export type SarifFinding = SarifReport['findings'][number];

/** The text of every file that such findings are about. */
export const SARIF_TEXT = 'first\nsecond\nthird\nfourth\n';

/** A finding as a log tells it. */
export function sarifFinding(part: Partial<SarifFinding> = {}): SarifFinding {
  return {
    id: '29.1',
    status: 'open',
    provenance: 'original',
    source: 'reviewer',
    severity: 'high',
    category: 'logic',
    tag: null,
    file: 'src/greet.ts',
    line: 2,
    lineEnd: null,
    place: 'changed',
    description: 'The name is not trimmed.',
    impact: null,
    suggestion: null,
    patch: null,
    ...part,
  };
}

/** A review of such findings. */
export function sarifReport(findings: readonly SarifFinding[], part: Partial<SarifReport> = {}): SarifReport {
  return {
    toolVersion: '0.1.0',
    root: { repositoryUri: null, revision: null, branch: null },
    findings,
    verdict: 'changes_requested',
    startedAt: '2026-01-29T10:00:00.000Z',
    endedAt: '2026-01-29T10:04:10.000Z',
    exitCode: 3,
    exitCodeDescription: null,
    textOf: () => SARIF_TEXT,
    ...part,
  };
}
