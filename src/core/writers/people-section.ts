import type { Comment, Decision, Loop, Round } from '../loop.ts';
import { shownPlace } from '../prompts/sections.ts';
import { inline } from './harmless.ts';

/** What people decided and said about a round, until the next one. */
export type Said = { readonly decisions: readonly Decision[]; readonly comments: readonly Omit<Comment, 'submission'>[] };

/** The words of people that belong to a round's document; what came before the first one belongs to that. */
export function saidAbout({ decisions, comments }: Pick<Loop, 'decisions' | 'comments'>, { round, at }: Pick<Round, 'round' | 'at'>): Said {
  const isFirst = round === 1;
  return {
    decisions: decisions.filter((one) => one.round === round || (isFirst && one.round === 0)),
    comments: comments.filter((one) => isFirst || one.at >= at).map(({ submission: _submission, ...comment }) => comment),
  };
}

/** Who decided what after a round, and what they said about it; nothing where nobody did. */
export function peopleSection(loop: Pick<Loop, 'decisions' | 'comments'>, round: Pick<Round, 'round' | 'at'>): readonly string[] {
  const { decisions, comments } = saidAbout(loop, round);
  const lines = [
    ...decisions.map(({ at, by, what, reason }) => ({
      at,
      text: `${inline(by)} decided: ${inline(what)}${reason === null ? '' : `: ${inline(reason)}`}`,
    })),
    ...comments.map(({ at, by, text, file, line, lineEnd, findingId }) => {
      const place = file === null ? '' : ` on ${shownPlace({ file, line, lineEnd })}`;
      const did = findingId === null ? 'commented' : `asked for changes (${findingId})`;
      return { at, text: `${inline(by)} ${did}${place}: ${inline(text)}` };
    }),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
  if (lines.length === 0) return [];
  return [['## People\n', ...lines.map(({ at, text }) => `- ${at.slice(0, 16).replace('T', ' ')} ${text}`)].join('\n')];
}
