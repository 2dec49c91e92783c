/** Things one below the other: how many, and where each begins. */
export type Stack = { readonly count: number; readonly topOf: (index: number) => number };

/** The last one that begins at or above a height; the first where all begin below it. */
export function indexAt({ count, topOf }: Stack, height: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (topOf(middle) <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The part of a page that is seen. */
export type Window = { readonly top: number; readonly height: number };

/** Which of them are within a distance of what is seen, in the order in which they are needed: seen, below, above. */
export function near(stack: Stack, { top, height }: Window, distance: number): number[] {
  if (stack.count === 0) return [];
  const bottom = top + height;
  const seen: number[] = [];
  const below: number[] = [];
  const above: number[] = [];
  for (let index = indexAt(stack, top - distance); index < stack.count; index++) {
    const from = stack.topOf(index);
    const end = index + 1 < stack.count ? stack.topOf(index + 1) : Infinity;
    if (from > bottom + distance) break;
    if (from > bottom) below.push(index);
    else if (end < top) above.unshift(index);
    else seen.push(index);
  }
  return [...seen, ...below, ...above];
}
