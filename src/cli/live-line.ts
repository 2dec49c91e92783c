import { cutTo } from './cut.ts';
import type { LiveLine } from './live.ts';
import { paint } from './print.ts';
import { textWidth } from './report/text-width.ts';
import { elapsedWords } from './time-words.ts';

const LEAST_ACTIVITY = 8;

/** A live line as it is drawn: never wider than the terminal, what the agent did last is the first to be cut. */
export function drawLine(
  line: LiveLine,
  did: string,
  view: { readonly nowMs: number; readonly width: number; readonly color: boolean },
): string {
  const { id, phase, round, agent, startedAtMs, spend } = line;
  const parts = [`#${id}`, phase, round, agent, elapsedWords(view.nowMs - startedAtMs), spend];
  const head = cutTo(`→ ${parts.filter((part) => part !== null).join(' ')}`, view.width);
  const room = view.width - textWidth(head) - 2;
  return room < LEAST_ACTIVITY || did === '' ? head : `${head}  ${paint(view, 'dim', cutTo(did, room))}`;
}

const KEPT_CHARS = 2000;

/** The newest words of an agent, as far as they are needed to know what it did last. */
export function latestWords(before: string, text: string): string {
  return `${before}${text}`.slice(-KEPT_CHARS);
}

/** The last line of an agent's words that says something. */
export function lastLine(words: string): string {
  return (
    words
      .trimEnd()
      .split(/[\r\n]+/)
      .at(-1) ?? ''
  );
}
