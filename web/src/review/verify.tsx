import { useState } from 'react';
import type { JSX } from 'react';
import type { Answered } from '../../../src/api/contract/client.ts';
import { counted } from '../../../src/core/words.ts';
import { ask } from '../api/queries.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { refused } from '../ui/toast.tsx';

type Verified = Answered<'verifyLoop'>;

/** Checks everything again that the loop claims, from git and the documents, and says what came out. */
export function Verify({ loop, round }: { readonly loop: number; readonly round: number | null }): JSX.Element {
  const [found, setFound] = useState<Verified | null>(null);
  const [busy, setBusy] = useState(false);
  const verify = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      setFound(await ask('verifyLoop', { params: { id: loop } }));
    } catch (error) {
      refused(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="px-5 pt-4" aria-live="polite">
      <div className="flex items-center gap-2 rounded-2 bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 truncate text-[12px]">volley verify {loop}</code>
        {/* A button that is disabled would lose the focus of whoever pressed it. */}
        <Button size="small" aria-disabled={busy} onClick={() => void verify()}>
          {busy ? 'Verifying…' : found === null ? 'Verify again' : 'Once more'}
        </Button>
      </div>
      {found === null ? null : <Result found={found} round={round} />}
    </section>
  );
}

function Result({ found, round }: { readonly found: Verified; readonly round: number | null }): JSX.Element {
  const mine = found.checks.filter((check) => check.round === null || check.round === round);
  const others = found.checks.length - mine.length;
  return (
    <>
      <p
        className={`mt-3 flex items-start gap-1.5 text-small font-semibold ${found.failed > 0 ? 'text-failed' : found.holds ? 'text-settled' : 'text-fg-2'}`}
      >
        <Icon name={found.failed > 0 ? 'x' : found.holds ? 'check' : 'minus'} size={14} />
        <Plain
          text={`${found.why}${found.failed === 0 ? '' : ` · ${counted(found.failed, 'check')} failed`}${found.unchecked === 0 ? '' : ` · ${found.unchecked} could not be told`}`}
        />
      </p>
      <ul className="mt-2 grid gap-1.5 text-small">
        {mine.map((check, index) => (
          <li key={index} className="grid grid-cols-[14px_minmax(0,1fr)] gap-x-2">
            <span className={`pt-px ${check.ok === true ? 'text-settled' : check.ok === false ? 'text-failed' : 'text-fg-3'}`}>
              <Icon name={check.ok === true ? 'check' : check.ok === false ? 'x' : 'minus'} size={14} />
              <span className="sr-only">{check.ok === true ? 'holds' : check.ok === false ? 'fails' : 'cannot be told'}</span>
            </span>
            <span className="[overflow-wrap:anywhere]">
              <Plain text={check.what} />
              {check.detail === '' ? null : (
                <span className="text-fg-3">
                  {' '}
                  · <Plain text={check.detail} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {others === 0 ? null : <p className="mt-2 text-small text-fg-3">{counted(others, 'check')} of other rounds are not listed here.</p>}
    </>
  );
}
