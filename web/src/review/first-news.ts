import { numberOf } from '../finding/words.ts';
import type { Drawn } from './held-back.ts';
import type { PlacePatch } from './place.ts';

const NOWHERE = { finding: undefined, file: undefined, line: undefined, side: undefined };

/**
 * Where the first of what was held back stands, in the order of the diff: what belongs to no file of it stands above all, and is found
 * without any place. Null where nothing but a commit is new.
 */
export function firstNews(shown: Drawn, newest: Drawn, paths: readonly string[]): PlacePatch | null {
  const known = new Set(shown.findings.map(({ id }) => id));
  const drawn = new Set(shown.comments);
  const places = [
    ...newest.findings
      .filter(({ id }) => !known.has(id))
      .map(({ id, file, line }) => ({ file, line, patch: { ...NOWHERE, finding: numberOf(id) } })),
    ...newest.comments.filter((comment) => !drawn.has(comment)).map(({ file, line }) => ({ file, line, patch: commentPlace(file, line) })),
  ].map((place) => ({ ...place, index: place.file === null ? -1 : paths.indexOf(place.file) }));
  const [first] = places.toSorted((a, b) => a.index - b.index || (a.line ?? 0) - (b.line ?? 0));
  if (first === undefined) return null;
  return first.index === -1 && first.patch.finding === undefined ? NOWHERE : first.patch;
}

function commentPlace(file: string | null, line: number | null): PlacePatch {
  if (file === null) return NOWHERE;
  return line === null ? { ...NOWHERE, file } : { ...NOWHERE, file, line, side: 'new' };
}
