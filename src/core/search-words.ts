/** A text as it is searched: however it was written. */
export function foldWords(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** A word that is looked for; `number` where it may be that of a loop, as `29` or `#29`. */
export type SearchWord = { readonly text: string; readonly number: number | null };

/** The words that somebody looks for; all of them have to be found. */
export function searchWords(typed: string): readonly SearchWord[] {
  const words = foldWords(typed)
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.map((text) => {
    const digits = /^#?([1-9][0-9]{0,14})$/.exec(text)?.[1];
    return { text, number: digits === undefined ? null : Number(digits) };
  });
}
