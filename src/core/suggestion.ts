import { currentHead } from './choices.ts';
import { isBlocking } from './convergence.ts';
import { applyPatches } from './exact-patch.ts';
import type { Finding } from './finding.ts';
import { isLanded } from './land-problem.ts';
import type { Loop } from './loop.ts';
import { findSecrets } from './secrets.ts';

/** A finding whose suggestion a person can apply. */
export type Suggestion = Finding & { readonly file: string; readonly patch: string };

/** A finding of a loop with its suggestion, or why a person cannot apply that now, as the rest of a sentence. */
export function suggestionOf(loop: Loop, finding: Finding): Suggestion | string {
  if (loop.ending?.state === 'cancelled') return 'the loop was cancelled';
  if (isLanded(loop)) return `the work has landed on ${loop.landed?.onto ?? ''}`;
  if (currentHead(loop) === null) return 'there is no change yet';
  if (loop.pushed !== null && !loop.pushed.descends) return `${loop.branch} was moved away from its work`;
  const { file, patch } = finding;
  if (file === null || patch === null) return `${finding.id} comes without an exact patch`;
  return { ...finding, file, patch };
}

/** A file with a suggestion applied to the letter, or why that cannot be, as a sentence without its end. */
export function applySuggestionTo(text: string, suggestion: Suggestion): { readonly text: string } | string {
  const patched = applyPatches(suggestion.file, text, [suggestion]);
  const answer = patched.answers.get(suggestion.id);
  const never = (why: string): string => `The patch of ${suggestion.id} cannot be applied: ${why}`;
  if (answer?.kind === 'outdated') return `The patch of ${suggestion.id} does not apply any more: ${answer.why}`;
  if (answer?.kind === 'refused') return never(answer.why);
  if (answer?.kind !== 'applied' || patched.text === text) return never('its patch changes nothing');
  return findSecrets(patched.text).length > findSecrets(text).length
    ? never('its patch adds what looks like a secret')
    : { text: patched.text };
}

/** Whether a suggestion would throw a fix away that is under way, for something that blocks nothing: the fix is worth more. */
export function costsFix({ current, settings }: Loop, suggestion: Suggestion): boolean {
  return current?.action.do === 'fix' && !isBlocking(suggestion, settings.policy);
}

/** Whether a person could apply the suggestion of a finding now, as far as that can be told without a look at the file. */
export function isApplicable(loop: Loop, finding: Finding): boolean {
  const suggestion = suggestionOf(loop, finding);
  return typeof suggestion !== 'string' && !costsFix(loop, suggestion);
}

/** What the commit of an applied suggestion says. */
export function suggestionMessage({ id, description }: Suggestion): string {
  return `fix: apply the suggestion of finding ${id} - ${description}`;
}

/** Who applied a suggestion, in words. */
export function appliedWords({ findingId, by }: { readonly findingId: string; readonly by: string }): string {
  return `${by} applied the suggestion of ${findingId}`;
}
