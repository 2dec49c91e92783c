/** Dollars as they are told: with a sign where they are estimated. */
export function usd(amount: number, estimated = false): string {
  return `${estimated ? '≈ ' : ''}$${amount.toFixed(2)}`;
}
