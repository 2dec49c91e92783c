import type { Looked } from './questions.ts';

/** What an address names of a change without a loop. */
export type LookedPlace = { readonly branch?: string | undefined; readonly base?: string | undefined; readonly range?: string | undefined };

/** What is looked at: a range, a branch, or else the working tree. */
export function lookedAt({ branch, base, range }: LookedPlace): Looked {
  if (range !== undefined && range !== '') return { kind: 'range', range };
  if (branch !== undefined && branch !== '') return { kind: 'branch', branch, base: base ?? null };
  return base === undefined || base === '' ? { kind: 'working-tree' } : { kind: 'working-tree', base };
}

/** The same, as an address has it. */
export function lookedPlace(looked: Looked): Required<LookedPlace> {
  const nothing = { branch: undefined, base: undefined, range: undefined };
  switch (looked.kind) {
    case 'range':
      return { ...nothing, range: looked.range };
    case 'branch':
      return { ...nothing, branch: looked.branch, base: looked.base ?? undefined };
    case 'working-tree':
      return { ...nothing, base: looked.base };
  }
}

/** What is looked at, in words. */
export function lookedWords(looked: Looked): string {
  switch (looked.kind) {
    case 'range':
      return looked.range;
    case 'branch':
      return `${looked.branch === 'HEAD' ? 'the current branch' : looked.branch}${looked.base === null ? '' : ` against ${looked.base}`}`;
    case 'working-tree':
      return looked.base === undefined ? 'what is not committed' : `the working tree against ${looked.base}`;
  }
}

/** Why nothing is shown, and the range that may be meant. A range is what its right end has since it left the left one, as for a review. */
export function nothingWords(
  looked: Looked,
  { base, head }: { readonly base: string; readonly head: string },
): { readonly text: string; readonly instead: string | null } {
  if (looked.kind === 'working-tree' && looked.base === undefined)
    return {
      text: 'The working tree is as its newest commit. Choose a branch or a range above to look at what was committed.',
      instead: null,
    };
  if (base !== head) return { text: 'What was committed there leaves every file as it was.', instead: null };
  const [left = '', dots = '..', right = ''] = endsIn(looked);
  if (left === right) return { text: 'Both ends are the same.', instead: null };
  return { text: `${right} has nothing that ${left} lacks.`, instead: looked.kind === 'range' ? `${right}${dots}${left}` : null };
}

/** The names of both ends with the dots between them; an end that is left out is the newest commit. */
function endsIn(looked: Looked): readonly string[] {
  if (looked.kind === 'range') return looked.range.split(/(\.{2,3})/).map((end) => end || 'HEAD');
  if (looked.kind === 'working-tree') return [looked.base ?? 'HEAD', '..', 'The working tree'];
  return [looked.base ?? 'its base', '..', looked.branch === 'HEAD' ? 'The current branch' : looked.branch];
}
