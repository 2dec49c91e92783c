import type { JSX } from 'react';
import { HIDDEN_LOOK, seenParts } from './hidden-characters.ts';
import type { Wording } from './hidden-characters.ts';

/** What somebody else wrote, as it is written: text and nothing else, in which characters that deceive are named. */
export function Plain({ text, as }: { readonly text: string; readonly as?: Wording }): JSX.Element {
  return (
    <>
      {seenParts(text, as).map((part, index) =>
        part.hidden ? (
          <span key={index} className={HIDDEN_LOOK}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}
