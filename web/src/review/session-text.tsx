import { memo, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { JSX, RefObject, UIEvent } from 'react';
import { ApiError } from '../../../src/api/contract/client.ts';
import { seenText } from '../ui/hidden-characters.ts';
import { Button } from '../ui/button.tsx';
import { Plain } from '../ui/plain.tsx';
import { wholeLines } from './artefact-parts.ts';
import { printed } from './printed.ts';
import { useArtefact } from './use-artefact.ts';

/** How near to its end a text has to be, so that it is followed. */
const NEAR = 48;

/** A transcript or a document as plain text, in pages; while it is written its end stays in sight of whoever is there. */
export function SessionText({
  loop,
  name,
  running,
}: {
  readonly loop: number;
  readonly name: string;
  readonly running: boolean;
}): JSX.Element {
  // Whoever has followed a session is not brought to its beginning when it ends.
  const [fromEnd] = useState(running);
  const text = useArtefact({ loop, name, fromEnd, running });
  const { parts, failure } = text;
  const drawn = useMemo(() => wholeLines(parts), [parts]);
  const { scroller, onScroll } = useEndInSight(fromEnd, parts.at(-1)?.end);
  const hasMore = text.hasMore && !running;
  return (
    <div
      ref={scroller}
      // Whoever cannot point at it scrolls it by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={seenText(name)}
      onScroll={onScroll}
      className="min-h-0 flex-1 overflow-auto px-5 py-3 focus-visible:outline-offset-[-2px] max-sm:px-4"
    >
      {text.hasEarlier ? (
        <p className="flex flex-wrap items-center gap-2">
          <Button size="small" onClick={text.readEarlier}>
            Earlier
          </Button>
          {failure?.place === 'before' ? <NotAnswered error={failure.error} /> : null}
        </p>
      ) : null}
      {drawn.map(({ offset, text: lines }) => (
        <Lines key={offset} text={lines} />
      ))}
      {text.bytes === 0 ? <p className="text-fg-3">{running ? 'It has said nothing yet.' : 'It is empty.'}</p> : null}
      {hasMore || failure?.place === 'after' ? (
        <p className="mt-3 flex flex-wrap items-center gap-2">
          {hasMore ? (
            <Button size="small" onClick={text.readMore}>
              More
            </Button>
          ) : null}
          {failure?.place === 'after' ? <NotAnswered error={failure.error} /> : null}
          {hasMore ? null : (
            <Button size="small" onClick={text.askAgain}>
              Ask again
            </Button>
          )}
        </p>
      ) : null}
      {running ? <AtWork /> : null}
    </div>
  );
}

/** Lines that stay as they are are not read again whenever others come: there may be many megabytes of them. */
const Lines = memo(function Lines({ text }: { readonly text: string }): JSX.Element {
  return (
    <pre className="text-[12px]/[18px] [overflow-wrap:anywhere] whitespace-pre-wrap">
      <Plain text={printed(text)} />
    </pre>
  );
});

function NotAnswered({ error }: { readonly error: Error }): JSX.Element {
  return (
    <span role="alert" className="text-failed">
      <Plain text={error instanceof ApiError ? `${error.message} ${error.remedy}` : error.message} />
    </span>
  );
}

type InSight = { readonly scroller: RefObject<HTMLDivElement | null>; readonly onScroll: (event: UIEvent<HTMLDivElement>) => void };

/** Keeps the end of a text in sight of whoever has not scrolled away from it. */
function useEndInSight(fromEnd: boolean, end: number | undefined): InSight {
  const scroller = useRef<HTMLDivElement>(null);
  const follows = useRef(fromEnd);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (end === undefined || element === null) return;
    const showEnd = (): void => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    };
    showEnd();
    // Lines that break anew, because something opens beside them, push the end out of sight.
    const resized = new ResizeObserver(showEnd);
    resized.observe(element);
    return () => resized.disconnect();
  }, [end]);
  return {
    scroller,
    onScroll: ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
      follows.current = fromEnd && scrollHeight - scrollTop - clientHeight < NEAR;
    },
  };
}

function AtWork(): JSX.Element {
  return (
    <p role="status" className="mt-2 inline-flex items-center gap-1.5 text-small text-fg-3">
      <i className="size-2 animate-[breathe_1.8s_var(--ease-out)_infinite_alternate] rounded-full bg-fg-3" />
      at work
    </p>
  );
}
