import { useEffect, useMemo } from 'react';
import type { JSX } from 'react';
import type { FindingOutput } from '../../../src/core/output.ts';
import { counted } from '../../../src/core/words.ts';
import { useKeys } from '../shell/keys.ts';
import { Icon } from '../ui/icon.tsx';
import { beginFilter, chooseFindings, useFindingFilter } from './finding-filter.ts';
import { FILTER_LOOKS, FilterMenu } from './filter-menu.tsx';
import type { FilterPart } from './filter-menu.tsx';
import { filterChoices } from './shown-findings.ts';
import type { FindingFilter } from './shown-findings.ts';
import { CATEGORIES, SEVERITIES } from './words.ts';

/** Which findings are shown: open ones or all, by severity, reviewer, round and category, and whether nits are folded. */
export function FindingFilters({ loop, findings }: { readonly loop: number; readonly findings: readonly FindingOutput[] }): JSX.Element {
  const filter = useFindingFilter();
  useEffect(() => beginFilter(loop), [loop]);
  useKeys(KEYS);
  const parts = useMemo(() => filterParts(findings, filter), [findings, filter]);
  const choices = useMemo(() => filterChoices(findings, filter), [findings, filter]);
  const isChosen = parts.some(({ options }) => options.some(({ checked }) => checked));
  return (
    // As wide as the bar lets it be: where the menus have no room they are one.
    <div className="@container flex h-full min-w-0 flex-1 items-center">
      <div role="group" aria-label="Which findings are shown" className="flex items-center gap-1 text-small whitespace-nowrap">
        <Showing open={choices.open} all={choices.all} showing={filter.showing} />
        <span className="contents @max-[500px]:hidden">
          {parts.map((one) => (
            <FilterMenu key={one.label} parts={[one]} label={one.label} />
          ))}
          <Nits count={choices.nits} folded={filter.foldNits} />
        </span>
        <span className="contents @min-[500px]:hidden">
          <FilterMenu parts={[...parts, nitsPart(choices.nits, filter.foldNits)]} label="Filter" icon />
        </span>
        {isChosen ? (
          <button
            type="button"
            className={FILTER_LOOKS}
            onClick={() => chooseFindings({ severities: [], reviewers: [], rounds: [], categories: [] })}
          >
            <Icon name="x" size={13} />
            Clear
          </button>
        ) : null}
      </div>
    </div>
  );
}

const KEYS = { '.': () => useFindingFilter.setState(({ foldNits }) => ({ foldNits: !foldNits })) };

function Showing({
  open,
  all,
  showing,
}: {
  readonly open: number;
  readonly all: number;
  readonly showing: FindingFilter['showing'];
}): JSX.Element {
  return (
    <>
      <button type="button" aria-pressed={showing === 'open'} className={FILTER_LOOKS} onClick={() => chooseFindings({ showing: 'open' })}>
        Open <b>{open}</b>
      </button>
      <button type="button" aria-pressed={showing === 'all'} className={FILTER_LOOKS} onClick={() => chooseFindings({ showing: 'all' })}>
        All <b>{all}</b>
      </button>
    </>
  );
}

function Nits({ count, folded }: { readonly count: number; readonly folded: boolean }): JSX.Element | null {
  if (count === 0) return null;
  return (
    <button
      type="button"
      aria-pressed={!folded}
      title={folded ? 'Show them whole (.)' : 'Fold them to a line each (.)'}
      className={FILTER_LOOKS}
      onClick={() => chooseFindings({ foldNits: !folded })}
    >
      {counted(count, 'nit')} {folded ? 'folded' : 'unfolded'}
    </button>
  );
}

function nitsPart(count: number, folded: boolean): FilterPart {
  const toggle = (): void => chooseFindings({ foldNits: !folded });
  return { label: 'Nits', options: count === 0 ? [] : [{ key: 'nits', label: 'Fold nits', count, checked: folded, toggle }] };
}

/** The menus; one that has nothing to choose between is left out. */
function filterParts(findings: readonly FindingOutput[], filter: FindingFilter): readonly FilterPart[] {
  const { severities, reviewers, rounds, categories } = filterChoices(findings, filter);
  const parts = [
    part(
      'Severity',
      { counts: severities, chosen: filter.severities },
      { name: (one) => SEVERITIES[one], choose: (chosen) => ({ severities: chosen }) },
    ),
    part('Reviewer', { counts: reviewers, chosen: filter.reviewers }, { name: (one) => one, choose: (chosen) => ({ reviewers: chosen }) }),
    part('Round', { counts: rounds, chosen: filter.rounds }, { name: (one) => `Round ${one}`, choose: (chosen) => ({ rounds: chosen }) }),
    part(
      'Category',
      { counts: categories, chosen: filter.categories },
      { name: (one) => CATEGORIES[one], choose: (chosen) => ({ categories: chosen }) },
    ),
  ];
  return parts.filter(({ options }) => options.length > 1 || options.some(({ checked }) => checked));
}

type Choosable<T> = { readonly counts: ReadonlyMap<T, number>; readonly chosen: readonly T[] };
type Naming<T> = { readonly name: (one: T) => string; readonly choose: (chosen: readonly T[]) => Partial<FindingFilter> };

function part<T>(label: string, { counts, chosen }: Choosable<T>, { name, choose }: Naming<T>): FilterPart {
  const gone = chosen.filter((one) => !counts.has(one)).map((one) => [one, 0] as const);
  const options = [...counts, ...gone].map(([one, count]) => {
    const checked = chosen.includes(one);
    const toggle = (): void => chooseFindings(choose(checked ? chosen.filter((other) => other !== one) : [...chosen, one]));
    return { key: String(one), label: name(one), count, checked, toggle };
  });
  return { label, options };
}
