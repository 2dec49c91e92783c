import { isUnplaced } from './finding.ts';
import type { Finding, Provenance, RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';

/** When something was found outside of a review, and on which commit; null where it belongs to none. */
export type FoundAt = { readonly round: number; readonly provenance: Provenance; readonly commit: string | null };

/** A finding that no review raised, with the next number of its loop. */
export function newFinding(
  { id, findings }: Pick<Loop, 'id' | 'findings'>,
  raised: RaisedFinding,
  { round, provenance, commit }: FoundAt,
): Finding {
  const { file, line, lineEnd } = raised;
  return {
    ...raised,
    id: `${id}.${findings.length + 1}`,
    status: 'open',
    provenance,
    firstRound: round,
    lastRound: round,
    anchor: isUnplaced(raised) ? 'unplaced' : 'exact',
    origin: commit === null ? null : { commit, file, line, lineEnd },
    also: [],
    reopenings: 0,
    survived: 0,
    firm: false,
    resolution: null,
    ruling: null,
  };
}
