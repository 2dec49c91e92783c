import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { asking } from '../api/queries.ts';
import { useLoops } from '../board/loops.ts';
import { waitingForYou } from '../board/order.ts';
import { seenText } from '../ui/hidden-characters.ts';

/** Names the tab of the browser after the page and the project, and counts in it what waits for a person. */
export function useTitle(page: string | null): void {
  const { data: health } = useQuery(asking('health'));
  const waiting = useLoops(({ loops }) => waitingForYou(loops.values()).length);
  const project = health?.project;
  useEffect(() => {
    const count = waiting === 0 ? '' : `(${waiting}) `;
    document.title = seenText(`${count}${[page, project, 'Volley'].filter((part) => part !== null && part !== undefined).join(' · ')}`);
  }, [page, project, waiting]);
}
