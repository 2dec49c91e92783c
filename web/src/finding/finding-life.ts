import { useQuery } from '@tanstack/react-query';
import { asking } from '../api/queries.ts';
import { askFindings } from '../review/questions.ts';
import type { ListedFinding } from '../../../src/api/contract/loops.ts';
import type { FindingStep, LoopView, ReviewView } from '../../../src/core/view.ts';
import { numberOf } from './words.ts';

/** What is known of a finding beside what its loop tells. */
export type FindingLife = {
  readonly history: readonly FindingStep[];
  readonly patch: string | null;
  /** Why its patch cannot be applied; undefined while nobody knows. */
  readonly patchProblem: string | null | undefined;
  readonly reviews: readonly ReviewView[];
};

/** The most reviews that the server gives at once; evidence of those before is with their rounds. */
const MOST_REVIEWS = 500;

/**
 * The life of one finding; `whole` also asks what was run for it, and whether its patch fits, which only a look at the file tells. A
 * finding that brings its history is shown as it was then, and what came later is not told.
 */
export function useFindingLife({ id }: Pick<LoopView, 'id'>, finding: ListedFinding, whole: boolean): FindingLife {
  const { data: listed } = useQuery(askFindings(id));
  const { data: reviewed } = useQuery({ ...asking('listReviews', { params: { id }, query: { limit: MOST_REVIEWS } }), enabled: whole });
  const short = listed?.find((one) => one.id === finding.id);
  const asked = asking('showFinding', { params: { id, number: numberOf(finding.id) } });
  const { data: shown } = useQuery({ ...asked, enabled: whole && listed !== undefined && isCut(short) });
  return {
    history: (shown?.history ?? short?.history ?? []).slice(0, finding.history?.length),
    patch: shown?.patch ?? short?.patch ?? null,
    patchProblem: shown?.patchProblem,
    reviews: reviewed?.reviews ?? [],
  };
}

/** Whether the list does not tell all of it: it is not listed, it has a patch that may fit, or its words are long. */
function isCut(listed: ListedFinding | undefined): boolean {
  if (listed?.history === undefined) return true;
  return (listed.patch ?? null) !== null || listed.history.some(({ note }) => note.endsWith('…'));
}
