import type { FindingOutput } from '../../../src/core/output.ts';

/** What a panel knows of its findings, from all of them to those that are drawn. */
export type Sieve = {
  /** Undefined until they have come. */
  readonly all: readonly FindingOutput[] | undefined;
  /** Those that were there at the commit that is shown. */
  readonly past: readonly FindingOutput[];
  /** Without those that came while somebody read. */
  readonly known: readonly FindingOutput[];
  /** What the filter lets through. */
  readonly drawn: readonly FindingOutput[];
};

/** Why a finding that the address names is not drawn. */
export type Missing = 'no-such' | 'later' | 'new' | 'filtered';

/** Why a finding is not drawn; null where it is, or where nobody knows yet. */
export function whyMissing(id: string, { all, past, known, drawn }: Sieve): Missing | null {
  const isIn = (some: readonly FindingOutput[]): boolean => some.some((finding) => finding.id === id);
  if (all === undefined || isIn(drawn)) return null;
  if (!isIn(all)) return 'no-such';
  if (!isIn(past)) return 'later';
  return isIn(known) ? 'filtered' : 'new';
}
