import type { Finding, RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';
import { newFinding } from './new-finding.ts';
import type { FoundAt } from './new-finding.ts';
import { STRAY_EDIT } from './own-findings.ts';

/** The loop with what its fixer did beyond what it was asked; an edit that was found before keeps its finding. */
export function withStrayed(loop: Loop, strayed: readonly RaisedFinding[]): Loop {
  return { ...loop, findings: strayed.reduce<readonly Finding[]>((findings, one) => withOne({ ...loop, findings }, one), loop.findings) };
}

function withOne(loop: Loop, raised: RaisedFinding): readonly Finding[] {
  const known = loop.findings.find((one) => one.tag === STRAY_EDIT && one.file === raised.file);
  if (known === undefined) return [...loop.findings, newFinding(loop, raised, foundIn(loop))];
  return known.status === 'fixed' ? loop.findings.map((one) => (one === known ? { ...known, status: 'reopened' } : one)) : loop.findings;
}

function foundIn({ rounds, head }: Loop): FoundAt {
  return { round: Math.max(1, rounds.length), provenance: 'fix-induced', commit: head?.commit ?? null };
}
