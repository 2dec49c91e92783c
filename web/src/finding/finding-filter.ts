import { create } from 'zustand';
import { NO_FILTER } from './shown-findings.ts';
import type { FindingFilter } from './shown-findings.ts';

/** Which findings are shown now; what was chosen holds for one loop. */
export const useFindingFilter = create<FindingFilter>(() => NO_FILTER);

/** Chooses something. */
export function chooseFindings(chosen: Partial<FindingFilter>): void {
  useFindingFilter.setState(chosen);
}

let filtered: number | null = null;

/** Forgets what was chosen for another loop, whose reviewers and rounds are others; how nits are shown stays. */
export function beginFilter(loop: number): void {
  if (filtered === loop) return;
  filtered = loop;
  useFindingFilter.setState(({ foldNits }) => ({ ...NO_FILTER, foldNits }));
}
