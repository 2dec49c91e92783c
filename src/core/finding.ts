import { z } from 'zod';

/** How much a finding matters, worst first. */
export const Severity = z.enum(['critical', 'high', 'medium', 'low', 'suggestion']);
export type Severity = z.infer<typeof Severity>;

/** What kind of thing a finding is about. */
export const Category = z.enum(['security', 'architecture', 'logic', 'style', 'performance', 'testing', 'documentation']);
export type Category = z.infer<typeof Category>;

/** Who raised a finding. */
export const FindingSource = z.enum(['reviewer', 'gate', 'person', 'engine', 'forge']);
export type FindingSource = z.infer<typeof FindingSource>;

/** The longest patch of a finding that is kept. */
export const MOST_PATCH_CHARS = 1_000_000;

/**
 * One issue as a reader found it in an agent's answer: words are kept as they were written, nothing is judged yet.
 * `file` is what the agent wrote (it may be absolute, quoted or wrong); `line` starts at 1.
 */
export const ReportedIssue = z.object({
  file: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  lineEnd: z.number().int().positive().nullable(),
  severity: z.string().nullable(),
  category: z.string().nullable(),
  type: z.string().nullable(),
  description: z.string(),
  impact: z.string().nullable(),
  suggestion: z.string().nullable(),
  patch: z.string().nullable(),
});
export type ReportedIssue = z.infer<typeof ReportedIssue>;

/** Where a finding lies: on lines of the change, elsewhere in the tree, on a whole file, or nowhere that exists. */
export const Place = z.enum(['changed', 'outside', 'file', 'unplaced']);
export type Place = z.infer<typeof Place>;

/** A finding as one review raised it: judged and placed, without an identity across rounds yet. */
export const RaisedFinding = z.object({
  source: FindingSource,
  severity: Severity,
  category: Category,
  /** Seed 001's issue type, kept as it was written. */
  tag: z.string().nullable(),
  file: z.string().nullable(),
  line: z.number().int().positive().nullable(),
  lineEnd: z.number().int().positive().nullable(),
  place: Place,
  description: z.string(),
  impact: z.string().nullable(),
  suggestion: z.string().nullable(),
  patch: z.string().nullable(),
  /** The lines that it points at, as they were when it was raised. */
  snippet: z.string().nullable(),
  /** What a person should know about how it was read, e.g. "severity 'blocker' is unknown, taken as high". */
  flags: z.array(z.string()),
  raisedBy: z.array(z.string()),
  /** A hash over the code that it cites: its lines, its file, or the whole change; what was refuted stays so while this holds. */
  codeHash: z.string().nullable().default(null),
});
export type RaisedFinding = z.infer<typeof RaisedFinding>;

/** The life of a finding across rounds. */
export const FindingStatus = z.enum(['open', 'persisting', 'fixed', 'reopened', 'disputed', 'refuted', 'accepted']);
export type FindingStatus = z.infer<typeof FindingStatus>;

/** Why a finding appeared when it did. */
export const Provenance = z.enum(['original', 'fix-induced', 'late']);
export type Provenance = z.infer<typeof Provenance>;

/** What a fixer says about one finding. */
export const Resolution = z.object({
  findingId: z.string(),
  status: z.enum(['fixed', 'disputed', 'needs_person']),
  note: z.string(),
  places: z.array(z.object({ file: z.string(), line: z.number().int().positive().nullable() })),
});
export type Resolution = z.infer<typeof Resolution>;

/** One thing held to be wrong, with an identity across rounds: `id` is `29.4` in loop 29. */
export type Finding = RaisedFinding & {
  readonly id: string;
  readonly status: FindingStatus;
  readonly provenance: Provenance;
  readonly firstRound: number;
  readonly lastRound: number;
  /** How its lines fared since they were last raised; `file` and `line` are those of the newest reviewed head. */
  readonly anchor: Anchor;
  /** Where it was last raised, in the lines of that head; null where it came before any review. */
  readonly origin: Origin | null;
  /** Other words in which reviewers put it. */
  readonly also: readonly string[];
  /** How often it came back after it was fixed or refuted. */
  readonly reopenings: number;
  /** How many fixes it has outlived while it blocked. */
  readonly survived: number;
  /** It blocked, or was brought back, so that the ratchet relaxes it no more. */
  readonly firm: boolean;
  readonly resolution: Resolution | null;
  /** What an arbiter or a person said about it last. */
  readonly ruling: FindingRuling | null;
  /** A person raised it, and no fixer was asked about it yet: only what changes after that can fix it. */
  readonly awaits?: boolean;
};

/** How the lines of a finding fared between two heads. */
export type Anchor = 'exact' | 'moved' | 'outdated' | 'unplaced';

/** A place in the files of one commit. */
export type Origin = { readonly commit: string } & Pick<RaisedFinding, 'file' | 'line' | 'lineEnd'>;

/** What a person can say about one finding. */
export const PersonRuling = z.enum(['refute', 'uphold', 'accept', 'reopen']);
export type PersonRuling = z.infer<typeof PersonRuling>;

/** A ruling as it is remembered with its finding; `from` names the finding whose refutation was remembered. */
export type FindingRuling = {
  readonly ruling: 'refuted' | 'upheld' | 'accepted' | 'reopened';
  readonly by: string;
  readonly person: boolean;
  readonly note: string;
  readonly from: string | null;
  /** Whether the project remembers it for other loops. */
  readonly remembered: boolean;
};

/** Whether a finding is settled, so that it can neither block nor be asked about. */
export function isClosed(finding: { readonly status: FindingStatus }): boolean {
  return finding.status === 'fixed' || isSettled(finding);
}

/** Whether somebody decided about a finding that it does not stand. */
export function isSettled({ status }: { readonly status: FindingStatus }): boolean {
  return status === 'refuted' || status === 'accepted';
}

/** Whether nobody can say where a finding lies. */
export function isUnplaced({ file, place }: Pick<RaisedFinding, 'file' | 'place'>): boolean {
  return file === null || place === 'unplaced';
}

type OnLines = Pick<RaisedFinding, 'file' | 'line' | 'lineEnd'>;

/** Whether two findings lie on a line of the same file. */
export function shareLine(a: OnLines, b: OnLines): boolean {
  if (a.file === null || a.file !== b.file || a.line === null || b.line === null) return false;
  return a.line <= (b.lineEnd ?? b.line) && b.line <= (a.lineEnd ?? a.line);
}

const RANK: Record<Severity, number> = { critical: 4, high: 3, medium: 2, low: 1, suggestion: 0 };

/** Whether a severity is as bad as the limit or worse. */
export function isAtLeast(severity: Severity, limit: Severity): boolean {
  return RANK[severity] >= RANK[limit];
}

/** Orders by severity, worst first. */
export function bySeverity(a: { readonly severity: Severity }, b: { readonly severity: Severity }): number {
  return RANK[b.severity] - RANK[a.severity];
}
