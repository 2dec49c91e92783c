import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { JSX } from 'react';
import type { LoopView } from '../../../src/core/view.ts';
import { movesOf } from '../board/moves.ts';
import { propose } from '../decide/propose.ts';
import { Button, buttonLooks } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { Plain } from '../ui/plain.tsx';
import { copyText } from '../ui/copy.ts';
import { usePlace } from './place.ts';

/** The bar of a loop: the way back, what it is about, where its work lies, and what is one click away. */
export function LoopBar({ loop, base }: { readonly loop: LoopView; readonly base: string | null }): JSX.Element {
  const { place, go } = usePlace();
  const open = place.drawer?.startsWith('proof') === true;
  return (
    <div className="flex h-11 min-w-0 items-center gap-2.5 px-4 max-sm:px-2">
      <Link to="/" aria-label="Back to the board" className={`${buttonLooks({ kind: 'ghost', size: 'small' })} w-[26px] !px-0 coarse:w-11`}>
        <Icon name="left" />
      </Link>
      <span className="font-mono text-small text-fg-3">#{loop.id}</span>
      <h1 className="truncate text-title font-semibold tracking-tight max-sm:sr-only">
        <Plain text={loop.task.title} />
      </h1>
      <span className="hidden min-w-0 items-center gap-1.5 text-small whitespace-nowrap text-fg-3 lg:inline-flex">
        <Icon name="branch" size={14} />
        <code className="truncate text-fg-2">
          <Plain text={loop.branch} />
        </code>
        {base === null ? null : (
          <>
            into
            <code className="text-fg-2">
              <Plain text={base} />
            </code>
          </>
        )}
      </span>
      <span className="flex-1" />
      <Button
        kind="ghost"
        size="small"
        aria-pressed={open}
        disabled={loop.rounds.length === 0}
        title={loop.rounds.length === 0 ? 'There is no review yet, and so no proof of one' : 'What proves the reviews (⇧P)'}
        onClick={() => go({ drawer: open ? undefined : 'proof' })}
        className="aria-pressed:bg-selected aria-pressed:text-fg"
      >
        <Icon name="shield" size={14} />
        Proof
      </Button>
      <More loop={loop} />
    </div>
  );
}

function More({ loop }: { readonly loop: LoopView }): JSX.Element {
  const { go } = usePlace();
  const entries = useMemo((): readonly MenuEntry[] => {
    const moves = movesOf({ state: loop.state, rounds: loop.rounds.length, card: loop.card });
    return [
      { kind: 'item', label: 'Copy link', why: 'to this place: range, file and finding', onSelect: () => void copyLink() },
      { kind: 'item', label: 'Artefacts', why: 'review documents and transcripts', onSelect: () => go({ drawer: 'artefacts' }) },
      { kind: 'item', label: 'Output of the gates', onSelect: () => go({ drawer: 'gates' }) },
      { kind: 'item', label: 'History', why: 'every iteration, round and decision', onSelect: () => go({ tab: 'history' }) },
      ...(moves.length === 0 ? [] : [{ kind: 'line' } as const, { kind: 'label', label: 'What may be done now' } as const]),
      ...moves.map(({ label, does, deed }): MenuEntry => ({
        kind: 'item',
        label,
        why: does,
        danger: (deed.kind === 'override' && deed.override === 'cancel') || (deed.kind === 'choice' && deed.choice === 'cancel'),
        onSelect: () => propose({ loop: loop.id, seq: loop.card.seq, label, does, deed, raiseToUsd: loop.card.raiseToUsd }),
      })),
    ];
  }, [loop.id, loop.state, loop.rounds.length, loop.card, go]);
  return (
    <Menu entries={entries} align="end">
      <Button kind="ghost" size="small" aria-label="More" className="w-[26px] !px-0 coarse:w-11">
        <Icon name="dots" />
      </Button>
    </Menu>
  );
}

async function copyLink(): Promise<void> {
  await copyText(location.href, { said: 'The address of this place is copied.', instead: 'The address bar has the same address.' });
}
