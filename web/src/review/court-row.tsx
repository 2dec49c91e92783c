import type { JSX, ReactNode } from 'react';
import { Plain } from '../ui/plain.tsx';
import { Court } from './court.tsx';
import { FoldedCourt } from './folded-court.tsx';
import { usePlace } from './place.ts';
import { SmallCourt } from './small-court.tsx';
import { FoldedTurn, Turn } from './turn.tsx';
import { turnWords } from './turn-words.ts';
import { isWhole } from './range.ts';
import { useNarrow } from './use-media.ts';
import type { PanelFacts } from './use-panel.ts';

/** The court and the turn that its line runs into. While somebody reads, both are one line. */
export function CourtRow({
  facts,
  folded,
  onOpen,
}: {
  readonly facts: PanelFacts;
  readonly folded: boolean;
  readonly onOpen: () => void;
}): JSX.Element {
  const { loop, rounds, sessions, change, range } = facts;
  const { place, go } = usePlace();
  const narrow = useNarrow();
  const words = turnWords(loop, change !== undefined && isWhole(range) ? change.totals.files : null);
  return (
    <div>
      <Foldable shown={!folded}>
        <div className="grid grid-cols-[minmax(0,1fr)_424px] px-4 pt-1 pb-3.5 max-md:grid-cols-1 max-md:gap-y-2.5 max-sm:px-2 max-sm:pb-1">
          {narrow ? (
            <div className="px-2">
              <p aria-hidden className="text-[19px]/[24px] font-semibold tracking-[-.012em] text-balance">
                <Plain text={loop.task.title} />
              </p>
              <SmallCourt loop={loop} rounds={rounds} />
            </div>
          ) : (
            <section aria-label="The rally so far" className="min-w-0 pr-3.5 max-md:pr-0">
              <Court
                loop={loop}
                rounds={rounds}
                range={place.range}
                onRange={(next) => go({ range: next, file: undefined, line: undefined })}
              />
            </section>
          )}
          <Turn loop={loop} words={words} sessions={sessions} />
        </div>
      </Foldable>
      <Foldable shown={folded}>
        <div className="flex items-center gap-3 px-4 pb-2 max-sm:px-2">
          <FoldedCourt loop={loop} rounds={rounds} onOpen={onOpen} />
          <FoldedTurn loop={loop} words={words} />
        </div>
      </Foldable>
    </div>
  );
}

/** Something that takes its room away with it, without a jump. */
function Foldable({ shown, children }: { readonly shown: boolean; readonly children: ReactNode }): JSX.Element {
  return (
    <div
      inert={!shown}
      className={`grid transition-[grid-template-rows,opacity] duration-(--slow) ease-out ${shown ? 'grid-rows-[1fr]' : 'grid-rows-[0fr] opacity-0'}`}
    >
      <div className="min-h-0 overflow-hidden">{children}</div>
    </div>
  );
}
