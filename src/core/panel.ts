import type { ReviewSession } from './action.ts';
import type { Attempt, Loop, Seat } from './loop.ts';
import { BUILTIN } from './settings.ts';
import { isHindered } from './waiting.ts';

/** The seats of the round under way, in the order of the panel; those that a person goes on without are empty. */
export function seatsOf(loop: Loop): readonly Seat[] {
  return loop.roles.reviewer
    .filter((member) => !loop.without.includes(member))
    .map((member) => loop.seats.find((seat) => seat.member === member) ?? { member, attempts: [], answer: null });
}

/** The members whose approvals the quorum counts: static analysis beside others is not one of them. */
export function countedMembers(loop: Loop): readonly string[] {
  const members = seatsOf(loop).map(({ member }) => member);
  const others = members.filter((member) => loop.settings.agents[member]?.driver !== BUILTIN);
  return others.length > 0 ? others : members;
}

/** The sessions that the round under way still needs: one for every seat that has no answer and somebody left to try. */
export function nextSessions(loop: Loop): readonly ReviewSession[] {
  const taken: string[] = [];
  return seatsOf(loop).flatMap((seat) => {
    const agent = seat.answer === null ? nextAgent(loop, seat, taken) : null;
    if (agent === null) return [];
    taken.push(agent);
    const last = seat.attempts.at(-1);
    const repair = last !== undefined && last.agent === agent && last.answer !== null && isRepairable(last);
    return [{ member: seat.member, agent, attempt: seat.attempts.length + 1, repair }];
  });
}

/** The seats that nobody is left to take. */
export function lostSeats(loop: Loop): readonly Seat[] {
  const wanted = nextSessions(loop).map(({ member }) => member);
  return seatsOf(loop).filter((seat) => seat.answer === null && !wanted.includes(seat.member));
}

/** The panel with what happened to one of its seats. */
export function withSeat(loop: Loop, seat: Seat): Loop {
  return { ...loop, seats: [...loop.seats.filter(({ member }) => member !== seat.member), seat] };
}

/** The member, once more, then each fallback that sits nowhere else; whoever tampered never again. */
function nextAgent(loop: Loop, seat: Seat, taken: readonly string[]): string | null {
  const elsewhere = [
    ...loop.roles.reviewer.filter((member) => member !== seat.member),
    ...taken,
    ...loop.seats
      .filter(({ member }) => member !== seat.member)
      .flatMap(({ attempts, answer }) => [...attempts.map(({ agent }) => agent), ...(answer === null ? [] : [answer.agent])]),
  ];
  // Static analysis beside others is no second opinion, so it takes nobody's seat there.
  const isAlone = seatsOf(loop).length === 1;
  const mayStepIn = (name: string): boolean => isAlone || loop.settings.agents[name]?.driver !== BUILTIN;
  const fallback = loop.roles.fallback.filter((name) => name !== seat.member && !elsewhere.includes(name) && mayStepIn(name));
  // What did not fit, or passes by itself, is no better at once.
  const isPointless = seat.attempts.some(({ agent, reason }) => agent === seat.member && (reason === 'too-large' || isHindered(reason)));
  const tried = seat.attempts.map(({ agent }) => agent);
  for (const candidate of [seat.member, ...(isPointless ? [] : [seat.member]), ...fallback]) {
    const index = tried.indexOf(candidate);
    if (index >= 0) tried.splice(index, 1);
    else if (!loop.tampered.includes(candidate)) return candidate;
  }
  return null;
}

/** What a reviewer can mend if it is told what was wrong with its answer. */
function isRepairable({ reason }: Attempt): boolean {
  return reason === 'no-finding' || reason === 'unreadable' || reason === 'text-approval';
}
