import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { JSX } from 'react';
import { asking } from '../api/queries.ts';
import { Plain } from '../ui/plain.tsx';
import { Tile } from '../ui/tile.tsx';
import { leadWords, useTaskDraft } from './task-draft.ts';
import { TaskForm } from './task-form.tsx';

/** A board without loops: the field for a task is the page. */
export function EmptyBoard(): JSX.Element {
  const lead = useTaskDraft(({ draft }) => leadWords(draft));
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto p-6">
      <div className="grid w-full max-w-[560px] justify-items-center gap-2 text-center">
        <svg viewBox="0 0 214 54" className="mb-2 w-[214px]" aria-hidden>
          <path d="M4 27H210" className="stroke-line-strong" />
          <path
            d="M8 27 48 8 88 47 128 15 160 36 190 27"
            className="fill-none stroke-fg-3 stroke-[1.6]"
            strokeDasharray="2 3.5"
            strokeLinejoin="round"
          />
          <rect x="4" y="23.5" width="7" height="7" rx="1.2" className="fill-author-solid" />
          <circle cx="190" cy="27" r="5.5" className="fill-bg stroke-fg-3 stroke-[1.5]" strokeDasharray="2 2.5" />
        </svg>
        <h1 className="text-page font-semibold tracking-tight">Nothing in play</h1>
        <p className="mb-3 max-w-[44ch] text-body text-balance text-fg-2">Describe a task. {lead}</p>
        <div className="w-full rounded-3 bg-surface p-4 shadow-card">
          <TaskForm onStarted={() => undefined} />
        </div>
        <Found />
        <p className="text-small text-fg-3">
          or{' '}
          <Link to="/change" className="text-fg-2 underline underline-offset-2">
            read what you have not committed
          </Link>
        </p>
      </div>
    </div>
  );
}

/** The agents that are found here, and how they are held. */
function Found(): JSX.Element | null {
  const { data } = useQuery(asking('listAgents'));
  const { data: health } = useQuery(asking('health'));
  const agents = data?.agents.filter(({ available }) => available) ?? [];
  if (agents.length === 0) return null;
  return (
    <p className="mt-1 flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 text-small text-fg-3">
      Found here:
      {agents.map(({ name, roles }) => (
        <span key={name} className="inline-flex items-center gap-1.5 text-fg-2">
          <Tile agent={name} role={roles.includes('author') ? 'writes' : 'reviews'} />
          <Plain text={name} />
        </span>
      ))}
      {health === undefined ? null : <span>· sandbox {health.confinement}</span>}
    </p>
  );
}
