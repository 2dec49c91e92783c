import { choicesInOrder } from './best-choice.ts';
import type { Card } from './card.ts';
import { dollars, moneyLeft, tightest, toldUsd } from './ceilings.ts';
import { choiceLabel, choiceNeeds, choicesOf, choiceWords } from './choices.ts';
import { gatesApply } from './decide.ts';
import { Override } from './event.ts';
import { isLanded, landProblem } from './land-problem.ts';
import type { Loop, Round } from './loop.ts';
import { bookingOf } from './money.ts';
import { nowWords } from './now-words.ts';
import { questionOf } from './question.ts';
import { refusal } from './refusal.ts';
import { sessionsIn } from './round.ts';
import { HOOKS_GATE } from './settings.ts';
import { reviewStart } from './start-review.ts';

/** What the board and the panel show of a loop beside its row. */
export function cardOf(loop: Loop): Card {
  const { seq, roles, task, rounds } = loop;
  const asked = questionOf(loop);
  return {
    seq,
    author: task.kind === 'implement' ? roles.author : null,
    fixer: task.kind === 'implement' || task.fix || rounds.some(({ fix }) => fix !== null) ? roles.fixer : null,
    reviewers: [...roles.reviewer],
    turns: rounds.flatMap(turnsOf),
    gates: gatesOf(loop),
    dependsOn: [...task.dependsOn],
    now: nowWords(loop),
    asks: asked?.asks ?? null,
    question: asked?.question ?? null,
    restsSince: loop.restsSince,
    stake: stakeOf(loop),
    choices: choicesInOrder(loop).map((choice) => ({
      choice,
      label: choiceLabel(loop, choice),
      text: choiceWords(loop, choice),
      needs: choiceNeeds(choice),
    })),
    raiseToUsd: raiseToUsd(loop),
    overrides: Override.options.filter((override) => isLegal(loop, override)),
    canLand: landProblem(loop) === null && loop.commits.length > 0 && !isLanded(loop),
    review: reviewStart(loop).kind,
  };
}

function turnsOf({ round, blockingIds, fix }: Round): Card['turns'] {
  const asked = { kind: 'review' as const, round, count: blockingIds.length };
  return fix === null ? [asked] : [asked, { kind: 'fix', round, count: answeredBy(fix, blockingIds.length) }];
}

/** A fixer that says nothing about single findings was asked about all, and answered where it committed something. */
function answeredBy({ resolutions, commits }: NonNullable<Round['fix']>, asked: number): number {
  if (resolutions.length > 0) return new Set(resolutions.map(({ findingId }) => findingId)).size;
  return commits.length > 0 ? asked : 0;
}

function gatesOf(loop: Loop): Card['gates'] {
  const { gates, settings } = loop;
  const ran = gates.results.map(({ name, passed, redBefore }) => ({ name, passed: passed || redBefore }));
  if (!gatesApply(loop)) return ran;
  const configured = [...settings.gates.map(({ name }) => name), ...(settings.commitHooks === null ? [] : [HOOKS_GATE])];
  // A gate that this change does not touch has no result although the others have run.
  const waiting = gates.tree === null ? configured.filter((name) => !ran.some((one) => one.name === name)) : [];
  return [...ran, ...waiting.map((name) => ({ name, passed: null }))];
}

/** What a round costs, and what is left, where going on is one of the choices. */
function stakeOf(loop: Loop): string | null {
  if (choicesOf(loop).length === 0) return null;
  const usd = roundUsd(loop);
  const left = moneyLeft(loop);
  const costs = usd === null ? [] : [`A round costs about ${dollars(usd)}`];
  const rest = left === null || left < 0.005 ? [] : [`${dollars(left)} is left`];
  const words = [...costs, ...rest].join('; ');
  return words === '' ? null : `${words}.`;
}

/** What its rounds cost on average, reviews, fixes and rulings together; null where nobody knows. */
function roundUsd(loop: Loop): number | null {
  const usd = loop.rounds.flatMap((round) => sessionsIn(loop, round)).reduce((sum, session) => sum + bookingOf(loop, session).usd, 0);
  return usd < 0.005 ? null : usd / loop.rounds.length;
}

/** Half as much again, in amounts that people name: whole dollars, or half ones where the ceiling is low. */
function raiseToUsd(loop: Loop): number | null {
  if (!choicesOf(loop).includes('raise-ceiling')) return null;
  const ceiling = tightest(loop);
  const used = ceiling === null ? loop.spend.usd : Math.max(ceiling.limitUsd, ceiling.spentUsd + ceiling.reservedUsd);
  const step = used < 2 ? 0.5 : 1;
  return toldUsd(Math.max(step, Math.ceil((used * 1.5) / step) * step));
}

/** Whether the journal would take it now: to improve takes guidance, everything else is done without a word. */
function isLegal(loop: Loop, override: Override): boolean {
  const said = { type: 'overridden', override, by: '', reason: override === 'improve' ? 'words' : null, review: false } as const;
  const verdicts = override === 'verdict' ? (['APPROVED', 'CHANGES_REQUESTED'] as const) : [null];
  return verdicts.some((verdict) => refusal(loop, { ...said, verdict }) === null);
}
