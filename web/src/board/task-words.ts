import { agentsOf } from '../../../src/core/action.ts';
import type { Action } from '../../../src/core/action.ts';
import { dollars } from '../../../src/core/ceilings.ts';
import { HOOKS_GATE } from '../../../src/core/settings.ts';
import { reviewersWords, stepWords } from '../../../src/core/step-words.ts';
import type { PreviewOutput } from '../../../src/core/task-output.ts';
import { counted, sentence, someOf } from '../../../src/core/words.ts';

/** What a task would do, in a sentence or two: by its longest path, so that nothing is promised that does not happen. */
export function previewWords({ task, settings, steps }: Pick<PreviewOutput, 'task' | 'settings' | 'steps'>): string {
  const actions = steps.map(({ action }) => action);
  const gates = actions.some(({ do: what }) => what === 'gates') ? gateNames(settings) : [];
  const gated = gates.length === 0 ? '' : ` ${gates.length === 1 ? 'Gate' : 'Gates'}: ${someOf(gates)}.`;
  const { loop } = settings.policy.ceilingUsd;
  const limit = loop === null ? ' No ceiling.' : ` At most ${dollars(loop)}.`;
  const waits =
    task.dependsOn.length === 0
      ? ''
      : ` It begins once ${task.dependsOn.map((id) => `#${id}`).join(' and ')} ${task.dependsOn.length === 1 ? 'is' : 'are'} done.`;
  return `${sentence([...builtWords(actions), reviewedWords(settings, actions)].join(', '))}${waits}${gated}${limit}`;
}

function builtWords(actions: readonly Action[]): readonly string[] {
  const author = actions.find((action) => action.do === 'author');
  return author === undefined ? [] : [stepWords(author, [])];
}

function reviewedWords({ review }: PreviewOutput['settings'], actions: readonly Action[]): string {
  const reviews = actions.filter((action) => action.do === 'review');
  const [first] = reviews;
  if (first === undefined)
    return review.enabled ? 'nobody reviews it until you ask for that' : 'nobody reviews it: reviews are switched off';
  const by = reviewersWords(agentsOf(first));
  const fix = actions.find((action) => action.do === 'fix' && action.cause === 'review');
  return fix?.do === 'fix' ? `${by}, ${fix.agent} answers, up to ${counted(reviews.length, 'round')}` : `${by} once`;
}

/** The names of all gates that run, the repository's own hooks among them. */
export function gateNames({ gates, commitHooks }: Pick<PreviewOutput['settings'], 'gates' | 'commitHooks'>): readonly string[] {
  return [...gates.map(({ name }) => name), ...(commitHooks.length === 0 ? [] : [HOOKS_GATE])];
}
