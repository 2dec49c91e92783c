import type { ListedLoop } from '../../../src/api/contract/loops.ts';
import { standingOf } from './columns.ts';

/** Whether a loop has all the words of a filter, each somewhere: in its title, number, run, agents, branch, state or question. */
export function matches(loop: ListedLoop, filter: string): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = textOf(loop);
  return words.every((word) => text.includes(word));
}

function textOf(loop: ListedLoop): string {
  const { id, title, kind, group, branch, agent, card } = loop;
  const agents = card === null ? [agent] : [agent, card.author, card.fixer, ...card.reviewers];
  return [`#${id}`, title, kind, group, branch, standingOf(loop).word, card?.asks, card?.question, ...agents]
    .filter((part) => part !== null && part !== undefined)
    .join('\n')
    .toLowerCase();
}
