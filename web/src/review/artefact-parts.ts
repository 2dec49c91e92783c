/** A part of an artefact that was read: from where in it, and how far. */
export type Part = { readonly offset: number; readonly end: number; readonly text: string };

/** What is asked for at once, in bytes. */
export const PAGE = 64 * 1024;

/** The least that the server gives, in bytes, so that nothing smaller may be left over before the first part. */
export const LEAST = 4;

/** The page that ends where the first part that was read begins. */
export function pageBefore(first: number): { readonly offset: number; readonly limit: number } {
  const offset = first - PAGE < LEAST ? 0 : first - PAGE;
  return { offset, limit: first - offset };
}

/** The parts in their order with another one, which comes before or after all of them; what is there already is not read twice. */
export function joined(parts: readonly Part[], part: Part, place: 'before' | 'after'): readonly Part[] {
  if (part.text === '' || parts.some(({ offset }) => offset === part.offset)) return parts;
  return place === 'before' ? [part, ...parts] : [...parts, part];
}

/**
 * The parts as they are drawn: each ends where a line does, and what is behind its last line belongs to the next one. A page and a look
 * end anywhere, also within a word, a colour or the two letters that end a line.
 */
export function wholeLines(parts: readonly Part[]): readonly Pick<Part, 'offset' | 'text'>[] {
  let begun = '';
  return parts.flatMap(({ offset, text }, index) => {
    const end = index === parts.length - 1 ? text.length : text.lastIndexOf('\n') + 1;
    // Nothing of it ends here: the line goes on in the next part.
    if (end === 0) {
      begun += text;
      return [];
    }
    const lines = begun + text.slice(0, end);
    begun = text.slice(end);
    return [{ offset, text: lines }];
  });
}
