import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JSX } from 'react';
import { stepWords } from '../../../src/core/step-words.ts';
import { counted, sentence } from '../../../src/core/words.ts';
import { asking } from '../api/queries.ts';
import { Plain } from '../ui/plain.tsx';
import { Mistake } from './mistake.tsx';
import type { Order } from './task-order.ts';
import { gateNames, previewWords } from './task-words.ts';

/** Nobody is asked while somebody types. */
const PAUSE_MS = 450;

/** What a task will do, before it is started: in a sentence, and step by step. */
export function TaskPreview({ order }: { readonly order: Order | null }): JSX.Element | null {
  const settled = useSettled(order === null ? null : JSON.stringify(order));
  // What was settled came out of an order.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const body = settled === null ? {} : (JSON.parse(settled) as Order);
  const { data, error } = useQuery({
    ...asking('previewTask', { body }),
    enabled: settled !== null,
    placeholderData: (before) => before,
    retry: false,
  });
  if (order === null || settled === null) return <p className="min-h-4 text-small text-fg-3">The first line is its title.</p>;
  if (error !== null) return <Mistake error={error} />;
  if (data === undefined) return <p className="min-h-4 text-small text-fg-3">…</p>;
  const { preview, note } = data;
  return (
    <div aria-live="polite" className="text-small text-fg-2">
      {preview === null ? <Plain text={note ?? 'Nothing would be started.'} /> : <Plain text={previewWords(preview)} />}
      {preview === null ? null : (
        <details>
          <summary className="w-fit cursor-pointer rounded-1 text-fg-3 select-none hover:text-fg">
            {counted(preview.steps.length, 'step')} at most
          </summary>
          <ol className="mt-1 grid max-h-40 list-decimal gap-0.5 overflow-y-auto pl-6 text-fg-3">
            {preview.steps.map(({ action }, index) => (
              <li key={index}>
                <Plain text={sentence(stepWords(action, gateNames(preview.settings)))} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
