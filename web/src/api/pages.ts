/** A page of a list, with the cursor of the next one. */
type Paged = { readonly next: string | null };

/** Asks for page after page, until the last; a list that never ends is a mistake of whoever gives it. */
export async function everyPage<P extends Paged>(page: (cursor: string | undefined) => Promise<P>): Promise<readonly P[]> {
  const pages: P[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const answer = await page(cursor);
    pages.push(answer);
    cursor = answer.next ?? undefined;
    if (cursor !== undefined && seen.has(cursor)) throw new Error('The pages of this list do not end.');
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return pages;
}
