import { bySeverity, type Finding } from '../finding.ts';

/** Seed 003's three groups of findings: must fix (critical, important), nice to have (minor). */
export type FindingGroups = {
  readonly critical: readonly Finding[];
  readonly important: readonly Finding[];
  readonly minor: readonly Finding[];
};

/** Sorts findings into seed 003's groups: critical; high and blocking medium; the rest. */
export function groupFindings(findings: readonly Finding[], blockingIds: readonly string[]): FindingGroups {
  const sorted = findings.toSorted(bySeverity);
  const isImportant = (finding: Finding): boolean =>
    finding.severity === 'high' || (finding.severity === 'medium' && blockingIds.includes(finding.id));
  return {
    critical: sorted.filter((finding) => finding.severity === 'critical'),
    important: sorted.filter(isImportant),
    minor: sorted.filter((finding) => finding.severity !== 'critical' && !isImportant(finding)),
  };
}

/** How a task is called in documents: by its story's number where it has one. */
export function taskName(task: { readonly ref: string | null }, id: number): string {
  const ref = (task.ref ?? '').replace(/\s+/g, ' ').trim();
  return ref === '' ? `Task ${id}` : `Story ${ref}`;
}
