import { useMemo } from 'react';
import type { JSX } from 'react';
import { counted } from '../../../src/core/words.ts';
import { chooseFindings, useFindingFilter } from '../finding/finding-filter.ts';
import { NO_FILTER, shownFindings } from '../finding/shown-findings.ts';
import { whyMissing } from './missing-finding.ts';
import type { Missing } from './missing-finding.ts';
import { usePlace } from './place.ts';
import { rangeWords } from './range.ts';
import { ToldLine } from './told-line.tsx';
import type { Told } from './told-line.tsx';
import type { PanelFacts } from './use-panel.ts';
import { wrongLinks } from './wrong-link.ts';

/** What is not shown although somebody may look for it: whatever the address names in vain, and findings that were raised later. */
export function MissingNote({ facts }: { readonly facts: PanelFacts }): JSX.Element {
  const { loop, range, later, look, catchUp } = facts;
  const { place, go } = usePlace();
  const why = useWhyMissing(facts, place.finding);
  const whole = { label: 'Show the whole change', act: () => go({ range: undefined }) };
  const id = `${loop.id}.${place.finding ?? ''}`;
  const told: Readonly<Record<Missing, Told>> = {
    'no-such': { text: `There is no finding ${id}`, label: 'All right', act: () => go({ finding: undefined }, { replace: true }) },
    later: { text: `Finding ${id} was raised later than ${rangeWords(range)}`, ...whole },
    new: { text: `Finding ${id} came while you were reading`, label: 'Show it', act: catchUp },
    filtered: { text: `The filter hides finding ${id}`, label: 'Show it', act: () => chooseFindings({ ...NO_FILTER, showing: 'all' }) },
  };
  const raisedLater = `${counted(later, 'finding')} ${later === 1 ? 'was' : 'were'} raised later`;
  const note = why === null ? (later === 0 ? null : { text: raisedLater, ...whole }) : told[why];
  const wrong = wrongLinks(place, look).map(({ text, without }) => ({
    text,
    label: 'All right',
    act: () => go(without, { replace: true }),
  }));
  return (
    <div role="status">
      {[...(note === null ? [] : [note]), ...wrong].map((one) => (
        <ToldLine key={one.text} told={one} />
      ))}
    </div>
  );
}

function useWhyMissing({ all, findings, shown, loop }: PanelFacts, finding: number | undefined): Missing | null {
  const filter = useFindingFilter();
  return useMemo(() => {
    if (finding === undefined) return null;
    const drawn = shownFindings(shown, { ...filter, showing: 'all' });
    return whyMissing(`${loop.id}.${finding}`, { all, past: findings, known: shown, drawn });
  }, [finding, loop.id, all, findings, shown, filter]);
}
