import type { Category, ReportedIssue, Severity } from '../../core/finding.ts';

/** What one analyser found in a change; `tool` is what ran, `result` one line on how that went. */
export type Analysis = { readonly issues: readonly ReportedIssue[]; readonly tool: string; readonly result: string };

/** What an analyser works with. */
export type Workplace = {
  /** The checkout, which is only read. */
  readonly dir: string;
  /** A copy of it in which programs may run. */
  readonly scratch: string;
  /** The changed texts, written down for analysers. */
  readonly heard: string;
  /** An empty folder of ours. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** What stands before a program, so that it starts inside the confinement. */
  readonly launcher: readonly string[];
  readonly marker: string;
  readonly wallMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
};

/** An analysis that could not be made; a review without it would not be whole. */
export class AnalysisFailed extends Error {
  override readonly name = 'AnalysisFailed';
  readonly reason: 'crashed' | 'timed-out' | 'idle' | 'cancelled' | 'output-too-large';

  constructor(message: string, reason: AnalysisFailed['reason'] = 'crashed') {
    super(message);
    this.reason = reason;
  }
}

/** An issue at lines of a file, or on the whole of it, named after the rule that raised it. */
export function issueAt(
  place: { readonly file: string; readonly line: number | null; readonly lineEnd?: number },
  rule: { readonly id: string; readonly severity: Severity; readonly category: Category },
  words: {
    readonly description: string;
    readonly impact?: string | null;
    readonly suggestion?: string | null;
    readonly patch?: string | null;
  },
): ReportedIssue {
  const { line, lineEnd = 0 } = place;
  return {
    file: place.file,
    line,
    lineEnd: line !== null && lineEnd > line ? lineEnd : null,
    severity: rule.severity,
    category: rule.category,
    type: rule.id,
    description: words.description,
    impact: words.impact ?? null,
    suggestion: words.suggestion ?? null,
    patch: words.patch ?? null,
  };
}
