import type { JSX } from 'react';
import { ApiError } from '../../../src/api/contract/client.ts';
import { remedyForPeople } from '../api/remedy.ts';
import { Plain } from '../ui/plain.tsx';

/** What is wrong, and what to do about it; the words of the task are still there. */
export function Mistake({ error }: { readonly error: unknown }): JSX.Element {
  const remedy = error instanceof ApiError ? remedyForPeople(error.remedy) : null;
  return (
    <p role="alert" className="rounded-2 bg-failed-tint px-3 py-2 text-small text-failed">
      <b>
        <Plain text={error instanceof Error ? error.message : String(error)} />
      </b>
      {remedy === null ? null : (
        <span className="block whitespace-pre-wrap text-fg-2">
          <Plain text={remedy} />
        </span>
      )}
    </p>
  );
}
