import type { JSX, ReactNode } from 'react';
import { Plain } from '../ui/plain.tsx';

/** One thing that is known, with its name. */
export type Fact = { readonly name: string; readonly value: ReactNode; readonly mono?: boolean };

/** Names and what is known under them. */
export function Facts({ facts, tight = false }: { readonly facts: readonly Fact[]; readonly tight?: boolean }): JSX.Element {
  return (
    <dl className={`grid gap-x-3 text-small leading-[22px] ${tight ? 'grid-cols-[72px_minmax(0,1fr)]' : 'grid-cols-[96px_minmax(0,1fr)]'}`}>
      {facts.map(({ name, value, mono = false }) => (
        <div key={name} className="contents">
          <dt className="text-fg-3">
            <Plain text={name} />
          </dt>
          <dd className={`min-w-0 [overflow-wrap:anywhere] ${mono ? 'font-mono text-[11.5px]' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
