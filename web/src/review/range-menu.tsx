import { useState } from 'react';
import type { FormEvent, JSX } from 'react';
import type { RoundSummary } from '../../../src/core/view.ts';
import { duration } from '../ui/age.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { Plain } from '../ui/plain.tsx';
import type { LastLook } from './last-look.ts';
import { isWhole, pointWords, rangeOffers, rangePoints, rangeText, rangeWords, WHOLE } from './range.ts';
import type { Range } from './range.ts';

type Given = {
  readonly range: Range;
  readonly rounds: readonly RoundSummary[];
  readonly head: string;
  /** What was looked at before this visit. */
  readonly look: LastLook | null;
  readonly onRange: (range: Range) => void;
};

/** Which part of the loop's life is shown: all of it, what is new, or what lies between any two rounds. */
export function RangeMenu({ range, rounds, head, look, onRange }: Given): JSX.Element {
  const [picking, setPicking] = useState(false);
  const offers = rangeOffers(rounds, head);
  const same = (other: Range): boolean => rangeText(other) === rangeText(range);
  const entries: readonly MenuEntry[] = [
    { kind: 'item', label: 'The whole change', checked: isWhole(range), onSelect: () => onRange(WHOLE) },
    seenEntry({ look, head, chosen: range === 'seen', onRange }),
    ...(offers.length === 0 ? [] : [{ kind: 'label', label: 'Between rounds' } as const]),
    ...offers.map(({ label, why, range: offered }): MenuEntry => ({
      kind: 'item',
      label,
      why,
      checked: same(offered),
      onSelect: () => onRange(offered),
    })),
    ...(rounds.length === 0
      ? []
      : [{ kind: 'line' } as const, { kind: 'item', label: 'Any two points…', onSelect: () => setPicking(true) } as const]),
  ];
  return (
    <>
      <Menu entries={entries}>
        <button
          type="button"
          className="inline-flex h-[26px] min-w-0 items-center gap-1.5 rounded-2 px-1 text-fg-2 hover:bg-hover coarse:h-11"
        >
          <span className="@max-[620px]:sr-only max-sm:sr-only">Showing</span>
          <b className="truncate font-semibold text-fg">
            <Plain as="name" text={rangeWords(range)} />
          </b>
          <Icon name="down" size={14} />
        </button>
      </Menu>
      {picking ? <AnyTwo rounds={rounds} range={range} onRange={onRange} onClose={() => setPicking(false)} /> : null}
    </>
  );
}

function seenEntry({ look, head, chosen, onRange }: Pick<Given, 'look' | 'head' | 'onRange'> & { readonly chosen: boolean }): MenuEntry {
  const label = 'Since I last looked';
  if (look === null)
    return { kind: 'item', label, why: 'This browser sees it for the first time', disabled: true, onSelect: () => undefined };
  const ago = `${duration(Date.now() - Date.parse(look.at))} ago`;
  if (look.commit === head) return { kind: 'item', label, why: `Nothing is new since ${ago}`, disabled: true, onSelect: () => undefined };
  return { kind: 'item', label, why: `you saw ${pointWords(look.commit)} ${ago}`, checked: chosen, onSelect: () => onRange('seen') };
}

function AnyTwo({
  rounds,
  range,
  onRange,
  onClose,
}: Pick<Given, 'rounds' | 'range' | 'onRange'> & { readonly onClose: () => void }): JSX.Element {
  const points = rangePoints(rounds);
  const start = range === 'seen' ? WHOLE : range;
  const known = (point: string, other: string): string => (points.includes(point) ? point : other);
  const [from, setFrom] = useState(known(start === 'seen' ? 'base' : start.from, 'base'));
  const [to, setTo] = useState(known(start === 'seen' ? 'head' : start.to, 'head'));
  const show = (event: FormEvent): void => {
    event.preventDefault();
    const [first, second] = points.indexOf(from) <= points.indexOf(to) ? [from, to] : [to, from];
    onRange({ from: first, to: second });
    onClose();
  };
  return (
    <Dialog title="Show what changed" onClose={onClose}>
      <form className="mt-4 grid gap-4" onSubmit={show}>
        <div className="grid grid-cols-2 gap-3">
          <PointPick name="From" value={from} points={points} onPick={setFrom} />
          <PointPick name="To" value={to} points={points} onPick={setTo} />
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Not now</Button>
          <Button kind="primary" type="submit" disabled={from === to}>
            Show
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function PointPick({
  name,
  value,
  points,
  onPick,
}: {
  readonly name: string;
  readonly value: string;
  readonly points: readonly string[];
  readonly onPick: (point: string) => void;
}): JSX.Element {
  return (
    <label className="block">
      <span className="mb-1 block text-small text-fg-2">{name}</span>
      <select
        value={value}
        onChange={({ target }) => onPick(target.value)}
        className="h-[30px] w-full rounded-2 bg-surface px-2 shadow-[inset_0_0_0_1px_var(--control)] coarse:h-11"
      >
        {points.map((point) => (
          <option key={point} value={point}>
            {pointWords(point)}
          </option>
        ))}
      </select>
    </label>
  );
}
