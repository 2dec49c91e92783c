import { Component, createElement, useSyncExternalStore, useState } from 'react';
import type { JSX, ReactNode } from 'react';
import { counted } from '../../../src/core/words.ts';
import { Button } from './button.tsx';
import { Plain } from './plain.tsx';
import { beginning, isProse, isTangled } from './safe-markdown.ts';

type Drawer = (props: { readonly text: string }) => JSX.Element;

let drawer: Drawer | null = null;
const waiting = new Set<() => void>();

/** Loads what draws Markdown. Until then texts are shown as they were written; whoever knows that some will come loads it before. */
export async function loadMarkdown(): Promise<void> {
  if (drawer !== null) return;
  ({ MarkdownBody: drawer } = await import('./markdown-body.tsx'));
  for (const tell of waiting) tell();
}

function useDrawer(): Drawer | null {
  return useSyncExternalStore(
    (tell) => {
      waiting.add(tell);
      void loadMarkdown();
      return () => waiting.delete(tell);
    },
    () => drawer,
  );
}

/**
 * What an agent or a person wrote, as Markdown: without HTML, without images, with links that say where they go, and with characters
 * that deceive named. A very long one begins, and goes on when somebody asks.
 */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const begun = beginning(text);
  const shown = whole || begun === null ? text : begun;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5 [overflow-wrap:anywhere]">
      <Body text={shown} />
      {begun === null || whole ? null : (
        <p>
          <Button size="small" onClick={() => setWhole(true)}>
            Show all, {counted(Math.ceil((text.length - begun.length) / 1000), 'thousand characters more', 'thousand characters more')}
          </Button>
        </p>
      )}
    </div>
  );
}

function Body({ text }: { readonly text: string }): JSX.Element {
  return isProse(text) || isTangled(text) ? <Written text={text} /> : <Drawn text={text} />;
}

function Drawn({ text }: { readonly text: string }): JSX.Element {
  const draw = useDrawer();
  const written = <Written text={text} />;
  if (draw === null) return written;
  return (
    <Otherwise show={written} key={text}>
      {createElement(draw, { text })}
    </Otherwise>
  );
}

/** A text as it was written, lines and all. */
function Written({ text }: { readonly text: string }): JSX.Element {
  return (
    <p className="whitespace-pre-wrap">
      <Plain text={text} />
    </p>
  );
}

/** Shows something else where a text is made so that it cannot be drawn, such as a quote in a quote in a quote, ten thousand deep. */
class Otherwise extends Component<{ readonly show: ReactNode; readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.show : this.props.children;
  }
}
