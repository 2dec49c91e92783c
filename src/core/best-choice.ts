import type { Choice } from './action.ts';
import { choicesOf } from './choices.ts';
import type { Loop } from './loop.ts';
import { lostSeats } from './panel.ts';
import { BUILTIN } from './settings.ts';

/** The choice that goes on, where there is one; else the first. */
export function bestChoice(loop: Loop): Choice {
  const choices = choicesOf(loop);
  // The built-in fixer reads no answer and does the same every time.
  if (choices.includes('reassign') && loop.settings.agents[loop.roles.fixer ?? '']?.driver === BUILTIN && asksPerson(loop))
    return 'fix-manually';
  // What does not fit does not fit the second time either.
  const isPointless = (choice: Choice): boolean => choice === 'retry' && isTooLarge(loop);
  return choices.find((choice) => !ALWAYS.includes(choice) && !isPointless(choice)) ?? choices[0] ?? 'cancel';
}

/** What ends the work of agents, in the order in which it is offered: none of it is the way on. */
const ALWAYS: readonly Choice[] = ['accept', 'fix-manually', 'cancel'];

/** What a person may answer, the way on first and the way out last. */
export function choicesInOrder(loop: Loop): readonly Choice[] {
  const offered = choicesOf(loop);
  if (offered.length === 0) return [];
  const best = bestChoice(loop);
  const others = offered.filter((choice) => choice !== best && !ALWAYS.includes(choice));
  return [best, ...others, ...ALWAYS.filter((choice) => choice !== best && offered.includes(choice))];
}

function isTooLarge(loop: Loop): boolean {
  const attempts = lostSeats(loop).flatMap((seat) => seat.attempts.slice(-1));
  return attempts.length > 0 && attempts.every(({ reason }) => reason === 'too-large');
}

function asksPerson({ findings }: Loop): boolean {
  return findings.some((one) => one.resolution?.status === 'needs_person');
}
