import { Category, Severity } from '../core/finding.ts';
import type { Finding } from '../core/finding.ts';
import type { Loop } from '../core/loop.ts';
import type { Memory } from '../core/memory.ts';

/** A refuted finding as a row of the table `memories`. */
export type MemoryRecord = {
  readonly finding_id: string;
  readonly loop_id: string;
  readonly code_hash: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly severity: string;
  readonly category: string;
  readonly tag: string | null;
  readonly description: string;
  readonly ruled_by: string;
  readonly person: number;
  readonly note: string;
  readonly ruled_at: string;
};

/** The rows that a step of the loop has made, and the findings that are remembered no more. */
export function changedMemories(
  before: Loop,
  after: Loop,
): { readonly made: readonly MemoryRecord[]; readonly forgotten: readonly string[] } {
  if (before.findings === after.findings) return { made: [], forgotten: [] };
  const known = new Set(before.findings.filter(isRemembered).map(({ id }) => id));
  const now = after.findings.filter(isRemembered);
  const ids = new Set(now.map(({ id }) => id));
  return {
    made: now.filter(({ id }) => !known.has(id)).map((finding) => memoryRecord(after, finding)),
    forgotten: [...known].filter((id) => !ids.has(id)),
  };
}

/** Refuted here, not because it was refuted elsewhere, and nobody took that back. */
function isRemembered({ status, ruling, codeHash }: Finding): boolean {
  return status === 'refuted' && codeHash !== null && ruling?.ruling === 'refuted' && ruling.from === null && ruling.remembered;
}

function memoryRecord(loop: Loop, finding: Finding): MemoryRecord {
  return {
    finding_id: finding.id,
    loop_id: loop.uid,
    code_hash: finding.codeHash ?? '',
    file: finding.file,
    line: finding.line,
    severity: finding.severity,
    category: finding.category,
    tag: finding.tag,
    description: finding.description,
    ruled_by: finding.ruling?.by ?? '',
    person: finding.ruling?.person === true ? 1 : 0,
    note: finding.ruling?.note ?? '',
    ruled_at: loop.updatedAt,
  };
}

/** What a row says. */
export function memoryOf(record: MemoryRecord): Memory {
  return {
    findingId: record.finding_id,
    codeHash: record.code_hash,
    file: record.file,
    line: record.line,
    severity: Severity.parse(record.severity),
    category: Category.parse(record.category),
    tag: record.tag,
    description: record.description,
    by: record.ruled_by,
    person: record.person === 1,
    note: record.note,
    at: record.ruled_at,
  };
}
