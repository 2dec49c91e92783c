import type { JSX } from 'react';
import { isClosed } from '../../../src/core/finding.ts';
import { FindingNote } from './finding-note.tsx';
import type { FindingNoteProps } from './finding-note.tsx';
import { useFindingFilter } from './finding-filter.ts';
import { openFinding, useOpenedFindings } from './opened-findings.ts';
import { SettledLine } from './settled-line.tsx';
import { isNit } from './shown-findings.ts';

/** A finding at its lines: whole, or, where it is settled or a nit, as a line that opens. */
export function PlacedFinding({ loop, finding, current }: FindingNoteProps): JSX.Element {
  const foldNits = useFindingFilter((filter) => filter.foldNits);
  const opened = useOpenedFindings((all) => all[finding.id]);
  const isFolded = isClosed(finding) || (foldNits && isNit(finding));
  if (!isFolded) return <FindingNote loop={loop} finding={finding} current={current} />;
  // Whoever goes to it wants to read it, until they fold it again.
  const isOpen = opened ?? current;
  return (
    <div>
      <SettledLine loop={loop} finding={finding} open={isOpen} onToggle={() => openFinding(finding.id, !isOpen)} />
      {isOpen ? <FindingNote loop={loop} finding={finding} current={current} /> : null}
    </div>
  );
}
