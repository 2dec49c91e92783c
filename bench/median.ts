/** The middle of some figures. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = sorted.length % 2 === 0 ? sorted.slice(middle - 1) : [sorted[middle], sorted[middle]];
  return (low + high) / 2;
}

/** Times several things by turns, so that whatever else the machine does meets all of them; the medians, in their order. */
export async function alternate(times: number, things: readonly (() => number | Promise<number>)[]): Promise<number[]> {
  const taken = things.map((): number[] => []);
  for (let turn = 0; turn < times; turn += 1) {
    for (const [index, thing] of things.entries()) taken[index]?.push(await thing());
  }
  return taken.map(median);
}
