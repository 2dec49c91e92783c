/** What is wrong with an amount of money that somebody typed, in dollars; null if nothing is. */
export function amountProblem(text: string): string | null {
  return /^[0-9]+(\.[0-9]+)?$/.test(text.trim()) ? null : `'${text}' is not an amount of money.`;
}
