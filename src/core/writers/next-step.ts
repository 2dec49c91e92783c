import { unreachable } from '../errors.ts';
import type { Loop, Round } from '../loop.ts';

/** What follows from a round's review, in words for people. */
export function nextStep(loop: Pick<Loop, 'task' | 'maxRounds' | 'autoIterate'>, round: Round): string {
  switch (round.verdict) {
    case 'approved':
      return 'Nothing blocks this change; go on with it.';
    case 'needs_discussion':
      return 'Ask a person: the reviewer raised a question that needs a decision.';
    case 'changes_requested': {
      const count = round.blockingIds.length;
      const blocking = `the ${count === 1 ? 'blocking finding' : `${count} blocking findings`}`;
      if (loop.task.kind === 'review' && !loop.task.fix) return `Fix ${blocking}.`;
      if (round.round >= loop.maxRounds) return `Ask a person about ${blocking}: all ${loop.maxRounds} review rounds are used.`;
      if (!loop.autoIterate) return `Choose whether to refine, accept or cancel: ${blocking} wait for a decision.`;
      return `Fix ${blocking}, then review again (round ${round.round + 1} of ${loop.maxRounds}).`;
    }
    default:
      return unreachable(round.verdict);
  }
}
