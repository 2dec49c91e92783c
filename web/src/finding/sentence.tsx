import type { JSX } from 'react';
import { Plain } from '../ui/plain.tsx';
import { inlineParts } from './first-sentence.ts';

/** One sentence of somebody else's, in which only code looks different. */
export function Sentence({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {inlineParts(text).map(({ text: part, code }, index) =>
        code ? (
          <code key={index} className="font-mono text-[.92em]">
            <Plain text={part} />
          </code>
        ) : (
          <Plain key={index} text={part} />
        ),
      )}
    </>
  );
}
