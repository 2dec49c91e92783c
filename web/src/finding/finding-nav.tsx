import { useMemo } from 'react';
import type { JSX } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import { usePlace } from '../review/place.ts';
import { useKeys } from '../shell/keys.ts';
import { Icon } from '../ui/icon.tsx';
import { firstSentence } from './first-sentence.ts';
import { neighbour } from './shown-findings.ts';
import { numberOf } from './words.ts';
import { seenText } from '../ui/hidden-characters.ts';

const SIZES = {
  bar: { box: 'h-7', button: 'size-7 coarse:size-11', icons: ['up', 'down'] },
  thumb: { box: 'h-11 text-body', button: 'h-11 w-9', icons: ['left', 'right'] },
} as const;

/**
 * Previous and next finding, and which one of how many this is. `findings` are those that are shown, in the order of the diff. The keys
 * are N and P; where one goes is told to screen readers too.
 */
export function FindingNav({
  findings,
  size = 'bar',
}: {
  readonly findings: readonly FindingOutput[];
  readonly size?: keyof typeof SIZES;
}): JSX.Element {
  const { place, go } = usePlace();
  const current = place.finding ?? null;
  const keys = useMemo(() => {
    const walk = (step: 1 | -1) => (): void => {
      const found = neighbour(findings, current, step);
      if (found !== undefined) go({ finding: numberOf(found.id), file: undefined, line: undefined, side: undefined });
    };
    return { n: walk(1), p: walk(-1) };
  }, [findings, current, go]);
  useKeys(keys);
  const at = findings.findIndex(({ id }) => numberOf(id) === current);
  const { box, button, icons } = SIZES[size];
  const looks = `grid place-items-center rounded-2 text-fg-2 hover:bg-hover disabled:opacity-40 ${button}`;
  const none = findings.length === 0;
  return (
    <span
      role="group"
      aria-label="Findings"
      className={`inline-flex shrink-0 items-center rounded-2 bg-surface text-small text-fg-2 shadow-[inset_0_0_0_1px_var(--line-strong)] coarse:h-11 ${box}`}
    >
      <button type="button" disabled={none} aria-label="Previous finding" title="Previous finding (P)" className={looks} onClick={keys.p}>
        <Icon name={icons[0]} />
      </button>
      <span className="px-1 whitespace-nowrap">
        {at < 0 ? null : <b className="text-fg">{at + 1}</b>}
        {at < 0 ? (none ? 'none' : `${findings.length} found`) : ` of ${findings.length}`}
      </span>
      <button type="button" disabled={none} aria-label="Next finding" title="Next finding (N)" className={looks} onClick={keys.n}>
        <Icon name={icons[1]} />
      </button>
      <span aria-live="polite" className="sr-only">
        {announced(findings[at], at, findings.length)}
      </span>
    </span>
  );
}

function announced(finding: FindingOutput | undefined, at: number, count: number): string {
  if (finding === undefined) return '';
  return seenText(`Finding ${at + 1} of ${count}, ${finding.severity}, ${firstSentence(finding.description).first.replaceAll('`', '')}`);
}
