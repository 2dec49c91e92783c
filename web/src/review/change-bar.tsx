import { Link, useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { FormEvent, JSX } from 'react';
import { Button, buttonLooks } from '../ui/button.tsx';
import { FIELD } from '../ui/field.tsx';
import { seenText } from '../ui/hidden-characters.ts';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { lookedPlace } from './looked.ts';
import type { Looked } from './questions.ts';

type Given = { readonly looked: Looked; readonly busy: boolean; readonly onAgain: () => void };

/** Where one chooses what to look at: the working tree, a branch, or a range. */
export function ChangeBar({ looked, busy, onAgain }: Given): JSX.Element {
  const navigate = useNavigate();
  const [next, setNext] = useState(looked);
  const show = (event: FormEvent): void => {
    event.preventDefault();
    if (JSON.stringify(next) === JSON.stringify(looked)) onAgain();
    else void navigate({ to: '/change', search: lookedPlace(next) });
  };
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-2.5 px-4 py-1.5 max-sm:px-2">
      <Link to="/" aria-label="Back to the board" className={`${buttonLooks({ kind: 'ghost', size: 'small' })} w-[26px] !px-0 coarse:w-11`}>
        <Icon name="left" />
      </Link>
      <h1 className="text-title font-semibold tracking-tight">A change</h1>
      <form onSubmit={show} className="flex min-w-0 flex-wrap items-center gap-2 text-small">
        <Kind value={next.kind} onPick={(kind) => setNext(fresh(kind, next))} />
        <Fields looked={next} onChange={setNext} />
        <Button size="small" type="submit" disabled={busy}>
          Look
        </Button>
      </form>
    </div>
  );
}

const KINDS = { 'working-tree': 'Working tree', branch: 'Branch', range: 'Range' } as const;

function Kind({ value, onPick }: { readonly value: Looked['kind']; readonly onPick: (kind: Looked['kind']) => void }): JSX.Element {
  return (
    <span role="group" aria-label="What to look at" className="inline-flex rounded-2 shadow-[inset_0_0_0_1px_var(--line-strong)]">
      {(['working-tree', 'branch', 'range'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          aria-pressed={kind === value}
          onClick={() => onPick(kind)}
          className="h-[26px] rounded-2 px-2.5 text-fg-2 hover:text-fg aria-pressed:bg-selected aria-pressed:font-medium aria-pressed:text-fg aria-pressed:shadow-[inset_0_0_0_1px_var(--line-strong)] coarse:h-11"
        >
          {KINDS[kind]}
        </button>
      ))}
    </span>
  );
}

/** What is looked at next, once another kind is chosen. */
function fresh(kind: Looked['kind'], before: Looked): Looked {
  if (kind === before.kind) return before;
  if (kind === 'range') return { kind, range: '' };
  if (kind === 'branch') return { kind, branch: 'HEAD', base: null };
  return { kind };
}

function Fields({ looked, onChange }: { readonly looked: Looked; readonly onChange: (looked: Looked) => void }): JSX.Element {
  switch (looked.kind) {
    case 'range':
      return <Ref name="Range" hint="main..feature" value={looked.range} required onChange={(range) => onChange({ ...looked, range })} />;
    case 'branch':
      return (
        <>
          <Ref name="Branch" hint="HEAD" value={looked.branch} required onChange={(branch) => onChange({ ...looked, branch })} />
          <span className="text-fg-3">against</span>
          <Ref
            name="Base"
            hint="its base"
            value={looked.base ?? ''}
            onChange={(base) => onChange({ ...looked, base: base === '' ? null : base })}
          />
        </>
      );
    case 'working-tree':
      return (
        <>
          <span className="text-fg-3">against</span>
          <Ref
            name="Base"
            hint="its newest commit"
            value={looked.base ?? ''}
            onChange={(base) => onChange(base === '' ? { kind: 'working-tree' } : { kind: 'working-tree', base })}
          />
        </>
      );
  }
}

function Ref({
  name,
  hint,
  value,
  required = false,
  onChange,
}: {
  readonly name: string;
  readonly hint: string;
  readonly value: string;
  readonly required?: boolean;
  readonly onChange: (value: string) => void;
}): JSX.Element {
  const deceives = seenText(value, 'name') !== value;
  const note = useId();
  return (
    <span className="inline-grid gap-1">
      <input
        aria-label={name}
        aria-describedby={deceives ? note : undefined}
        placeholder={hint}
        value={value}
        required={required}
        maxLength={1000}
        spellCheck={false}
        autoCapitalize="none"
        onChange={({ target }) => onChange(target.value)}
        className={`${FIELD} !inline-block h-[26px] !w-44 font-mono !text-small coarse:h-11`}
      />
      {deceives ? (
        <span id={note} className="max-w-80 text-small [overflow-wrap:anywhere] text-fg-2">
          It is not what it looks like: <Plain as="name" text={value} />
        </span>
      ) : null}
    </span>
  );
}
