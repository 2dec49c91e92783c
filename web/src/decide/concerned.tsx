import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { asking } from '../api/queries.ts';
import { FindingTitle } from '../finding/finding-title.tsx';
import { Severity } from '../ui/severity.tsx';

/** Which findings a decision is about. */
export type Concern = { readonly blocking: true } | { readonly status: 'disputed' };

/** The findings that a decision is about. */
export function Concerned({ loop, which }: { readonly loop: number; readonly which: Concern }): JSX.Element {
  const { data } = useQuery(asking('listFindings', { params: { id: loop }, query: { ...which, limit: 4 } }));
  const more = (data?.total ?? 0) - (data?.findings.length ?? 0);
  return (
    <ul className="mt-3 grid min-h-6 grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 gap-y-1.5 text-small">
      {data?.findings.map(({ id, severity, description }) => (
        <li key={id} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <Severity grade={severity} />
          <span className="line-clamp-2 [overflow-wrap:anywhere]">
            <FindingTitle description={description} />
          </span>
        </li>
      ))}
      {more > 0 ? <li className="col-span-2 text-fg-3">and {more} more</li> : null}
    </ul>
  );
}
