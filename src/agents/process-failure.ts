import type { ProcessEnd } from '../lib/process.ts';
import type { FailureReason } from './agent.ts';
import { lastWords } from './last-words.ts';

/** Why a session counts for nothing, in a sentence. */
export type Failure = { readonly reason: FailureReason; readonly message: string };

/** Why the process of a session was stopped by us, or never ran; null where it came to an end of its own. */
export function stoppedFailure({ kind, ...end }: ProcessEnd): Failure | null {
  switch (kind) {
    case 'not-started':
      return { reason: kind, message: `It could not be started: ${'message' in end ? end.message : ''}.` };
    case 'timed-out':
      return { reason: kind, message: 'It ran out of time.' };
    case 'idle':
      return { reason: kind, message: 'It printed nothing for too long.' };
    case 'cancelled':
      return { reason: kind, message: 'It was cancelled.' };
    case 'output-too-large':
      return { reason: kind, message: 'It printed too much.' };
    case 'signalled':
    case 'exited':
      return null;
  }
}

/** Why a process that ended by itself ended badly; null where it did not. */
export function exitFailure(end: ProcessEnd): Failure | null {
  if (end.kind === 'signalled') return { reason: 'crashed', message: `It was ended by ${end.signal}.` };
  if (end.kind !== 'exited' || end.code === 0) return null;
  return { reason: 'crashed', message: `It ended with exit code ${end.code}${lastWords(end.output)}.` };
}
