import type { JSX } from 'react';
import type { LoopView, SessionView } from '../../../src/core/view.ts';
import { Plain } from '../ui/plain.tsx';
import { SessionText } from './session-text.tsx';

/** For a loop that has no change yet: what happens now, and the session as it goes. */
export function AuthorAtWork({ loop, sessions }: { readonly loop: LoopView; readonly sessions: readonly SessionView[] }): JSX.Element {
  const session = sessions.findLast(({ transcript }) => transcript !== null);
  return (
    <div className="flex min-h-0 flex-1 flex-col bg-surface">
      <div className="px-5 pt-8 pb-4">
        <h2 className="text-title font-semibold tracking-tight">
          {loop.phase === null ? 'There is no change yet' : 'The first change is being made'}
        </h2>
        <p className="mt-1 max-w-[64ch] text-body text-fg-2">
          <Plain
            text={
              loop.phase === null
                ? (loop.next ?? 'It appears here with the first commit.')
                : `It appears here with the first commit of ${loop.phase.agents.join(' and ') || 'the author'}. This is what happens meanwhile.`
            }
          />
        </p>
      </div>
      {session === undefined || session.transcript === null ? null : (
        <SessionText key={session.transcript} loop={loop.id} name={session.transcript} running={session.endedAt === null} />
      )}
    </div>
  );
}
