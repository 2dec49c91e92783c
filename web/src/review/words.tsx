import type { JSX } from 'react';
import { Markdown } from '../ui/markdown.tsx';

/** What somebody wrote, as Markdown. */
export function Words({ text }: { readonly text: string }): JSX.Element {
  return (
    <div className="mt-1 text-body [overflow-wrap:anywhere] text-fg-2">
      <Markdown text={text} />
    </div>
  );
}
