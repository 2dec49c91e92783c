import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { create } from 'zustand';
import { remedyForPeople } from '../api/remedy.ts';
import { Button } from './button.tsx';
import { Plain } from './plain.tsx';

/** What somebody did, told for a moment: never what needs them. A mistake says what is wrong and what to do. */
type Toast = {
  readonly id: number;
  readonly kind: 'done' | 'refused';
  readonly text: string;
  readonly act?: { readonly label: string; readonly run: () => void };
};

const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));
let last = 0;

/** Tells something for a moment. */
export function toast(given: Omit<Toast, 'id'>): void {
  last += 1;
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.slice(-2), { ...given, id: last }] }));
}

/** Tells why something could not be done, and that nothing changed. */
export function refused(error: unknown): void {
  const remedy = error instanceof Error && 'remedy' in error ? ` ${remedyForPeople(String(error.remedy)) ?? ''}` : '';
  toast({ kind: 'refused', text: `${error instanceof Error ? error.message : String(error)}${remedy}` });
}

/** The place where they are told, also to screen readers. */
export function Toasts(): JSX.Element {
  const { toasts } = useToasts();
  return (
    <div aria-live="polite" className="fixed right-4 bottom-12 z-(--z-toast) grid w-[min(420px,calc(100vw-32px))] gap-2">
      {toasts.map((one) => (
        <Told key={one.id} toast={one} />
      ))}
    </div>
  );
}

const SHOWN_MS = 6000;

function Told({ toast: { id, kind, text, act } }: { readonly toast: Toast }): JSX.Element {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => drop(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, id]);
  return (
    <div
      role={kind === 'refused' ? 'alert' : 'status'}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      className={`flex items-center gap-2.5 rounded-3 py-2.5 pr-2 pl-3.5 shadow-dialog ${kind === 'done' ? 'bg-ink text-on-ink' : 'bg-raised text-fg'}`}
    >
      <span className="min-w-0 flex-1 break-words">
        <Plain text={text} />
      </span>
      {act === undefined ? null : (
        <Button size="small" kind="ghost" className="!text-current" onClick={() => (act.run(), drop(id))}>
          {act.label}
        </Button>
      )}
      <Button size="small" kind="ghost" className="!text-current" aria-label="Dismiss" onClick={() => drop(id)}>
        ×
      </Button>
    </div>
  );
}

function drop(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }));
}
