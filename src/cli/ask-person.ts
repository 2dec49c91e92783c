import { setTimeout as sleep } from 'node:timers/promises';
import { decideLoop } from '../app.ts';
import type { App } from '../app.ts';
import type { Choice } from '../core/action.ts';
import { choiceLetter, choiceNeeds, choicesOf, choiceWords, indexOfLetter } from '../core/choices.ts';
import { VolleyError } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import { tooLow } from '../core/ceilings.ts';
import { amountProblem } from './amount.ts';
import type { Io } from './command.ts';
import { clean } from './print.ts';

/** What came of asking: an answer that was written down, none for now, or that it was answered elsewhere meanwhile. */
export type Asked =
  | { readonly kind: 'decided'; readonly loop: Loop }
  | { readonly kind: 'later' }
  | { readonly kind: 'outdated'; readonly loop: Loop };

/** Asks a person at the terminal what a loop asks, and writes the answer down. */
export async function askPerson(app: App, loop: Loop, io: Io): Promise<Asked> {
  await forgetTyped();
  for (;;) {
    const answer = await askAnswer(loop);
    if (answer === null) return { kind: 'later' };
    try {
      const decided = await decideLoop(app.engine, loop.id, { ...answer, by: app.person.name });
      io.out(`Task ${loop.id}: ${answer.choice}, decided by ${clean(app.person.name)}`);
      return { kind: 'decided', loop: decided };
    } catch (error) {
      if (!(error instanceof VolleyError) || error.code !== 'refused') throw error;
      io.err(`${error.message} ${error.remedy}`);
    }
    const now = await app.load(loop.id);
    if (!asksTheSame(loop, now)) return { kind: 'outdated', loop: now };
  }
}

/** Whether a loop still asks what it asked before. */
export function asksTheSame(before: Loop, now: Loop): boolean {
  return now.escalation?.at === before.escalation?.at && choicesOf(now).join() === choicesOf(before).join();
}

const DISCARD_MS = 50;

/** Keys that were pressed while a loop ran are no answer to what nobody had asked yet. */
async function forgetTyped(): Promise<void> {
  const ignore = (): void => undefined;
  process.stdin.setRawMode(true).on('data', ignore);
  await sleep(DISCARD_MS);
  process.stdin.off('data', ignore).pause().setRawMode(false);
}

type Answer = {
  readonly choice: Choice;
  readonly reason: string | null;
  readonly agent: string | null;
  readonly ceilingUsd: number | null;
};

/** One of the offered choices, and what it cannot do without; null where somebody leaves at any point. */
async function askAnswer(loop: Loop): Promise<Answer | null> {
  const choice = await askChoice(choiceItems(loop), 'Your choice:');
  if (choice === null || choice === LATER) return null;
  const agents = Object.keys(loop.settings.agents).map((name) => ({ value: name, text: clean(name) }));
  const agent = choiceNeeds(choice) === 'agent' ? await askChoice(agents, 'Who takes over?') : NOT_ASKED;
  if (agent === null) return null;
  const ceiling = choiceNeeds(choice) === 'ceilingUsd' ? await askCeiling(loop) : NOT_ASKED;
  if (ceiling === null) return null;
  const reason = await askReason(choice);
  if (reason === null) return null;
  return {
    choice,
    reason: reason.trim() === '' ? null : reason.trim(),
    agent: agent === NOT_ASKED ? null : agent,
    ceilingUsd: ceiling === NOT_ASKED ? null : Number(ceiling),
  };
}

const LATER = 'later';
const NOT_ASKED = '';

/** One thing that can be chosen. */
export type ChoiceItem<T extends string> = { readonly value: T; readonly text: string };

/** What a person may choose for a loop, in its order and in its words. */
export function choiceItems(loop: Loop): readonly ChoiceItem<Choice | typeof LATER>[] {
  const items = choicesOf(loop).map((value) => ({ value, text: choiceWords(loop, value) }));
  return [...items, { value: LATER, text: 'Decide later' }];
}

/** By arrow keys and return, or by the letter in front. */
async function askChoice<T extends string>(items: readonly ChoiceItem<T>[], message: string): Promise<T | null> {
  const { isCancel, select } = await import('@clack/prompts');
  const forget = pickByLetter(items.length);
  const options = items.map(({ value, text }, index) => ({ value: value as string, label: `${choiceLetter(index)}) ${text}` }));
  try {
    const picked = await select({ message, options, showInstructions: false });
    return isCancel(picked) ? null : (items.find(({ value }) => value === picked)?.value ?? null);
  } finally {
    forget();
  }
}

type Key = { readonly name?: string | undefined; readonly ctrl?: boolean };

const STEP: Readonly<Record<string, number>> = { up: -1, left: -1, k: -1, h: -1, down: 1, right: 1, j: 1, l: 1 };

/** A letter is taken for as many steps down as its line is away, and return. */
function pickByLetter(count: number): () => void {
  let at = 0;
  const onKey = (_: string | undefined, { name = '', ctrl = false }: Key = {}): void => {
    const to = ctrl ? null : indexOfLetter(name);
    if (to === null || to >= count) {
      at = (at + (STEP[name] ?? 0) + count) % count;
      return;
    }
    const steps = (to - at + count) % count;
    process.stdin.off('keypress', onKey);
    for (let step = 0; step < steps; step += 1) process.stdin.emit('keypress', undefined, { name: 'down' });
    process.stdin.emit('keypress', undefined, { name: 'return' });
  };
  process.stdin.on('keypress', onKey);
  return () => void process.stdin.off('keypress', onKey);
}

async function askCeiling(loop: Loop): Promise<string | null> {
  return await askText('The new ceiling in dollars:', '', (typed) => amountProblem(typed) ?? tooLow(loop, Number(typed)));
}

async function askReason(choice: Choice): Promise<string | null> {
  if (choice === 'answer')
    return await askText('Your answer:', 'every role reads it', (typed) => (typed.trim() === '' ? 'An answer needs words.' : null));
  const readers = choice === 'accept' || choice === 'cancel' ? 'it stands in the journal' : 'author and fixer read it';
  return await askText('Why?', `${readers}; return leaves it out`, () => null);
}

async function askText(message: string, placeholder: string, problemOf: (typed: string) => string | null): Promise<string | null> {
  const { isCancel, text } = await import('@clack/prompts');
  const typed = await text({ message, placeholder, defaultValue: '', validate: (value) => problemOf(value ?? '') ?? undefined });
  return isCancel(typed) ? null : typed;
}
