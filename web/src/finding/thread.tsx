import { useQuery } from '@tanstack/react-query';
import type { JSX } from 'react';
import { asking } from '../api/queries.ts';
import type { FindingOutput } from '../../../src/core/output.ts';
import type { FindingStep, LoopView } from '../../../src/core/view.ts';
import { Age } from '../ui/age.tsx';
import { Markdown } from '../ui/markdown.tsx';
import { Plain } from '../ui/plain.tsx';
import { Person, Tile } from '../ui/tile.tsx';
import { threadOf } from './thread.ts';
import type { ThreadEntry } from './thread.ts';

/** What was said about a finding after it was raised: by the fixer, by arbiters, and by people. */
export function Thread({
  loop,
  finding,
  history,
}: {
  readonly loop: LoopView;
  readonly finding: FindingOutput;
  readonly history: readonly FindingStep[];
}): JSX.Element | null {
  const { data: health } = useQuery(asking('health'));
  const entries = threadOf(finding, { history, comments: loop.comments, agents: agentsOf(loop) });
  if (entries.length === 0) return null;
  return (
    <ol aria-label="What was said about it" className="mt-2.5 grid grid-cols-[minmax(0,1fr)] gap-2">
      {entries.map((entry, index) => (
        <Entry key={index} entry={entry} isMe={entry.is === 'person' && entry.by === health?.person} />
      ))}
    </ol>
  );
}

function agentsOf({ roles: { author, reviewer, fixer, arbiter, fallback } }: LoopView): readonly string[] {
  return [author, fixer, arbiter, ...reviewer, ...fallback].filter((name) => name !== null);
}

function Entry({ entry, isMe }: { readonly entry: ThreadEntry; readonly isMe: boolean }): JSX.Element {
  const { by, is, does, at, round, text, places } = entry;
  return (
    <li className="grid grid-cols-[18px_minmax(0,1fr)] gap-x-2.5">
      {is === 'person' ? <Person name={by} /> : <Tile agent={by} role={is === 'fixer' ? 'writes' : 'reviews'} />}
      <p className="text-small/[18px] text-fg-3">
        <b className="text-fg">{isMe ? 'You' : <Plain text={by} />}</b> {is === 'person' || by === is ? '' : is} {does}
        {round === null || is === 'person' ? null : ` · round ${round}`}
        {at === null ? null : (
          <>
            {' · '}
            <Age at={at} /> ago
          </>
        )}
      </p>
      <div className="col-start-2 min-w-0 text-fg">
        {text === '' ? null : <Markdown text={text} />}
        {places.length === 0 ? null : (
          <p className="mt-0.5 flex flex-wrap gap-x-3 font-mono text-small text-fg-3">
            {places.slice(0, 8).map(({ file, line }) => (
              <span key={`${file}:${line}`} className="min-w-0 [overflow-wrap:anywhere]">
                <Plain text={line === null ? file : `${file}:${line}`} />
              </span>
            ))}
          </p>
        )}
      </div>
    </li>
  );
}
