/** One side of a booking, in minor units. */
export type Entry = { readonly account: string; readonly amount: number; readonly currency: string };

/** Whether entries balance, currency by currency. */
export function isBalanced(entries: readonly Entry[]): boolean {
  const sums = new Map<string, number>();
  for (const { amount, currency } of entries) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums.values()].every((sum) => sum === 0);
}
