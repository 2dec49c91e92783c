import type { Entry } from './entry.ts';

/** The ledger as the accountants import it. */
export function exportEntries(entries: readonly Entry[]): string {
  const lines = entries.map(({ account, amount, currency }) => `${account};${(amount / 100).toFixed(2)};${currency}`);
  return ['account;amount;currency', ...lines].join('\n');
}
