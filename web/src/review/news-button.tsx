import type { JSX } from 'react';
import { counted } from '../../../src/core/words.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { shortId } from './range.ts';
import type { News } from './held-back.ts';

/** Offers what came meanwhile, in the place of changing what is being read. */
export function NewsButton({ news, onShow }: { readonly news: News | null; readonly onShow: () => void }): JSX.Element {
  const parts =
    news === null
      ? []
      : [
          ...(news.findings === 0 ? [] : [counted(news.findings, 'new finding')]),
          ...(news.comments === 0 ? [] : [counted(news.comments, 'new comment')]),
          ...(news.head === null ? [] : [`commit ${shortId(news.head)}`]),
        ];
  return (
    <span aria-live="polite" className="shrink-0">
      {parts.length === 0 ? null : (
        <Button size="small" kind="primary" title="Came while you were reading" onClick={onShow}>
          <Icon name="retry" size={13} />
          Show {parts.join(' and ')}
        </Button>
      )}
    </span>
  );
}
