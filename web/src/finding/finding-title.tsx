import type { JSX } from 'react';
import { firstSentence } from './first-sentence.ts';
import { Sentence } from './sentence.tsx';

/** What a finding says first, wherever it is named in a line or two. */
export function FindingTitle({ description }: { readonly description: string }): JSX.Element {
  return <Sentence text={firstSentence(description).first} />;
}
