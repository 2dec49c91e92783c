import { counted, numberWord, sentence, someOf } from '../../../src/core/words.ts';
import type { LoopView } from '../../../src/core/view.ts';
import type { Turn } from '../ui/state-word.tsx';
import { shortId } from './range.ts';

/** What the turn says: whose it is, where the loop stands, the sentence that matters, and what to know beside it. */
export type TurnWords = {
  readonly turn: Turn;
  readonly state: string;
  /** Behind the state, more quietly. */
  readonly aside: string | null;
  readonly title: string;
  readonly text: string | null;
  /** Since when it is so; null where nobody counts. */
  readonly since: string | null;
};

/** Whose turn it is, in the words of the product. `files` is how many the newest change has, where that is known. */
export function turnWords(loop: LoopView, files: number | null): TurnWords {
  const { phase, card, approval, landed, state, waiting } = loop;
  if (landed !== null || state === 'merged') return landedWords(loop);
  if (approval !== null && phase === null) return approvedWords(loop, approval, files);
  if (state === 'failed') return failedWords(loop);
  if (card.question !== null) return askedWords(loop, card.question);
  if (phase !== null) return phaseWords(loop, { phase, files });
  if (state === 'cancelled') return still(loop, { state: 'Cancelled', title: 'Nobody works on it any more' });
  if (waiting !== null) return still(loop, { state: 'Waiting', title: asTitle(loop, card.now ?? `waits for ${waiting.for}`) });
  return betweenWords(loop);
}

function still(loop: LoopView, { state, title }: { readonly state: string; readonly title: string }): TurnWords {
  return { turn: 'waiting', state, aside: null, title, text: said(loop), since: restedAt(loop) };
}

/** When it came to where it stands: what is said about it afterwards, or where its work is brought, is no news of that. */
function restedAt({ card, updatedAt }: LoopView): string {
  return card.restsSince ?? updatedAt;
}

function said({ ending, next, driven }: LoopView): string | null {
  if (ending !== null && ending.why !== '') return sentence(ending.why);
  return next === null || driven ? null : `To go on from here: ${next}`;
}

/** Words as a title: with a capital letter, unless they begin with the name of an agent, which is written as it is. */
function asTitle({ card, phase }: LoopView, words: string): string {
  const names = [card.author, card.fixer, ...card.reviewers, ...(phase?.agents ?? [])];
  const named = names.some((name) => name !== null && words.startsWith(`${name} `));
  return named ? words : sentence(words).replace(/\.$/, '');
}

function roundOf({ rounds, maxRounds }: LoopView, more = 0): string {
  const round = Math.max(1, rounds.length + more);
  return `${round}/${Math.max(round, maxRounds)}`;
}

function landedWords({ landed, approval, updatedAt, finalVerdict }: LoopView): TurnWords {
  const by = approval?.by === 'person' ? ` by ${approval.name}` : '';
  return {
    turn: 'settled',
    state: approval === null && finalVerdict !== 'APPROVED' ? 'Landed' : `Approved${by}`,
    aside: landed === null ? null : 'landed',
    title: landed === null ? 'It is merged' : `The work is on ${landed.onto}`,
    text: landed === null ? null : `As ${shortId(landed.commit)}. Nothing is left to do.`,
    since: updatedAt,
  };
}

function approvedWords(loop: LoopView, approval: NonNullable<LoopView['approval']>, files: number | null): TurnWords {
  const { head, start, ending, card } = loop;
  const base = { turn: 'settled' as const, state: 'Approved', since: restedAt(loop) };
  if (approval.by === 'person')
    return {
      ...base,
      aside: `by a person · round ${roundOf(loop)}`,
      title: `${approval.name} approved it`,
      text: approval.reason ?? 'Not by review: the proof says what the reviewers said.',
    };
  const all = files === null ? '' : files === 1 ? ', its one file' : `, all ${files} files`;
  return {
    ...base,
    aside: `round ${approval.round}/${Math.max(approval.round, loop.maxRounds)}${card.now === null ? '' : ` · ${card.now}`}`,
    title: `${someOf(approval.proofs.map(({ agent }) => agent))} approved ${shortId(head ?? start.commit)}${all}`,
    text: ending === null ? null : sentence(ending.why),
  };
}

function failedWords(loop: LoopView): TurnWords {
  const { ending, card, commits } = loop;
  const kept =
    commits.length === 0 ? 'No commit was made yet.' : `All ${commits.length === 1 ? 'that was committed' : 'commits'} of it are kept.`;
  return {
    turn: 'failed',
    state: 'Failed',
    aside: null,
    title: ending === null ? 'Something broke' : sentence(ending.why).replace(/\.$/, ''),
    text: card.question ?? `Nothing was lost. ${kept}`,
    since: restedAt(loop),
  };
}

function askedWords(loop: LoopView, question: string): TurnWords {
  const { card, escalation, rounds } = loop;
  const round = rounds.length === 0 ? null : `round ${roundOf(loop)}`;
  const aside = (...parts: readonly (string | null)[]): string | null => parts.filter((part) => part !== null).join(' · ') || null;
  const max = escalation?.reason === 'max-rounds';
  return {
    turn: 'you',
    state: max ? 'Max rounds reached — needs human review' : 'Needs you',
    aside: max ? round : aside(card.asks, round),
    title: question,
    text: card.stake ?? (escalation === undefined ? null : sentence(escalation.why)),
    since: restedAt(loop),
  };
}

function phaseWords(
  loop: LoopView,
  { phase, files }: { readonly phase: NonNullable<LoopView['phase']>; readonly files: number | null },
): TurnWords {
  const { startedAt: since, agents } = phase;
  const who = someOf(agents);
  const verb = agents.length > 1 ? 'are' : 'is';
  const text = sentence(phase.why);
  const base = { aside: null, since, text };
  const answered = loop.rounds.at(-1);
  switch (phase.do) {
    case 'review':
      return {
        ...base,
        turn: 'reviewer',
        state: `Round ${roundOf(loop, 1)} — Reviewing…`,
        title: answered === undefined ? `${who} ${verb} reading the change` : `${who} ${verb} checking ${answersOf(loop)}`,
        text: `${readWords(loop, files)}You need not wait.`,
      };
    case 'fix':
      return {
        ...base,
        turn: 'author',
        state: `Round ${roundOf(loop)} — Author addressing feedback…`,
        title: asTitle(loop, loop.card.now ?? `${who} is at it`),
        text: 'Then the gates, then re-requesting review. You need not wait.',
      };
    case 'arbitrate':
      return {
        ...base,
        turn: 'reviewer',
        state: `Round ${roundOf(loop)} — Arbiter ruling…`,
        title: `${who} ${verb} ruling on what is disputed`,
      };
    case 'gates':
      return {
        ...base,
        turn: 'author',
        state: answered?.round === undefined ? 'Implementing…' : `Round ${roundOf(loop, 1)} — Re-requesting review…`,
        title: 'The gates run on the newest commit',
      };
    default:
      return { ...base, turn: 'author', state: 'Implementing…', title: `${who} ${verb} building it` };
  }
}

function readWords({ head, start }: LoopView, files: number | null): string {
  return `Given ${shortId(head ?? start.commit)}${files === null ? '' : `, ${counted(files, 'file')}`}, in a fresh session. `;
}

function answersOf({ card }: LoopView): string {
  const last = card.turns.findLast(({ kind }) => kind === 'fix');
  if (last === undefined || last.count === 0) return 'the change again';
  return last.count === 1 ? 'the answer' : `the ${numberWord(last.count)} answers`;
}

/** Nobody is at it, and nobody is asked. */
function betweenWords(loop: LoopView): TurnWords {
  const { card, rounds, head, state } = loop;
  const now = asTitle(loop, card.now ?? 'it is about to go on');
  if (state === 'refining' && rounds.length > 0 && head !== null)
    return { ...still(loop, { state: `Round ${roundOf(loop, 1)} — Re-requesting review…`, title: now }), turn: 'author' };
  return still(loop, { state: state === 'queued' ? 'Queued' : 'Next', title: now });
}
