import type { Finding, RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';
import { STRAY_EDIT } from './own-findings.ts';

/** The loop with what its fixer did beyond what it was asked; an edit that was found before keeps its finding. */
export function withStrayed(loop: Loop, strayed: readonly RaisedFinding[]): Loop {
  return { ...loop, findings: strayed.reduce<readonly Finding[]>((findings, one) => withOne({ ...loop, findings }, one), loop.findings) };
}

function withOne(loop: Loop, raised: RaisedFinding): readonly Finding[] {
  const known = loop.findings.find((one) => one.tag === STRAY_EDIT && one.file === raised.file);
  if (known === undefined) return [...loop.findings, newFinding(loop, raised)];
  return known.status === 'fixed' ? loop.findings.map((one) => (one === known ? { ...known, status: 'reopened' } : one)) : loop.findings;
}

function newFinding(loop: Loop, raised: RaisedFinding): Finding {
  const round = Math.max(1, loop.rounds.length);
  const { file, line, lineEnd } = raised;
  return {
    ...raised,
    id: `${loop.id}.${loop.findings.length + 1}`,
    status: 'open',
    provenance: 'fix-induced',
    firstRound: round,
    lastRound: round,
    anchor: 'exact',
    origin: loop.head === null ? null : { commit: loop.head.commit, file, line, lineEnd },
    also: [],
    reopenings: 0,
    survived: 0,
    firm: false,
    resolution: null,
    ruling: null,
  };
}
