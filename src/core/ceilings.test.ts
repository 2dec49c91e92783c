import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { append, author, committed, makeLoop, makeSettings, step } from '../../test/support/loops.ts';
import { ceilingWarnings, isNews, moneyLeft, moneyWhy, ownCeilingUsd, tallyText, tightest, tooLow, withCeiling } from './ceilings.ts';
import type { Purse } from './ceilings.ts';
import { choicesOf, choiceText } from './choices.ts';
import { decide } from './decide.ts';
import type { Event, Tally } from './event.ts';
import type { Loop } from './loop.ts';
import { nextCommand } from './next-command.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { loopOutput } from './project-output.ts';
import { refusal } from './refusal.ts';
import { plainAgent } from './settings.ts';
import { waitForTasks, waitingWords } from './waiting.ts';

const person = { by: 'Test Person', reason: null, agent: null } as const;

type Given = Partial<Purse['spend']> & Partial<Purse['ceilingUsd']> & { readonly tally?: Tally };

function purse({ loop = null, run = null, day = null, tally, ...spend }: Given): Purse {
  return {
    ceilingUsd: { loop, run, day },
    spend: { usd: 0, estimated: false, warned: [], subscriptionUsd: 0, ...spend },
    tally: tally ?? null,
    sessions: [],
    settings: { agents: {}, policy: DEFAULT_POLICY },
  };
}

function tallied(spentUsd: number, reservedUsd = 0, day = '2026-01-29'): Tally {
  return { day, spentUsd, reservedUsd, estimated: false };
}

test('what is left is the ceiling without the spend, never less than nothing', () => {
  assert.equal(moneyLeft(purse({ usd: 1 })), null);
  assert.equal(moneyLeft(purse({ loop: 2, usd: 0.5 })), 1.5);
  assert.equal(moneyLeft(purse({ loop: 2, usd: 3 })), 0);
  assert.equal(moneyLeft(purse({ loop: 0.8, usd: 0.7 + 0.1 })), 0);
});

test('the ceiling of which least is left holds', () => {
  const tally = tallied(8, 1.5);
  assert.deepEqual([tightest(purse({ loop: 5, run: 3, usd: 1 }))?.of, moneyLeft(purse({ loop: 5, run: 3, usd: 1 }))], ['run', 2]);
  assert.deepEqual([tightest(purse({ loop: 5, run: 3, day: 10, usd: 1, tally }))?.of], ['day']);
  assert.equal(moneyLeft(purse({ loop: 5, run: 3, day: 10, usd: 1, tally })), 0.5);
  assert.equal(tightest(purse({ loop: 2, run: 2, usd: 2 }))?.of, 'loop', 'the nearer one where they are even');
  assert.equal(tightest(purse({ day: 10 })), null, 'nobody has looked at the day yet');
});

test('a loop alone in its run has the lesser of both ceilings', () => {
  assert.deepEqual(
    [{ loop: 5, run: 3 }, { loop: 2, run: 3 }, { run: 3 }, { loop: 2 }, {}].map((given) => ownCeilingUsd(purse(given))),
    [3, 2, 3, 2, null],
  );
});

test('the question names the ceiling that is spent', () => {
  assert.equal(moneyWhy(purse({ loop: 2, usd: 2 })), '$2.00 of $2.00 are spent');
  assert.equal(moneyWhy(purse({ loop: 5, run: 2, usd: 2, estimated: true })), "the run's ceiling: about $2.00 of $2.00 are spent");
  assert.equal(moneyWhy(purse({ day: 10, tally: tallied(10) })), "the day's ceiling: $10.00 of $10.00 are spent by all loops today");
  assert.equal(
    moneyWhy(purse({ day: 10, tally: { ...tallied(8.5, 1.5), estimated: true } })),
    "the day's ceiling: about $8.50 of $10.00 are spent by all loops today, and $1.50 are reserved for sessions at work",
  );
});

test('most of a ceiling spent is said once of each', () => {
  const texts = (given: Given): string[] => ceilingWarnings(purse(given)).map(({ text }) => text);
  assert.deepEqual(texts({ loop: 2, usd: 1.59 }), []);
  assert.deepEqual(texts({ loop: 2, usd: 1.6 }), ['Spent $1.60 of $2.00.']);
  assert.deepEqual(texts({ loop: 2, usd: 2.1, estimated: true }), [
    'Spent about $2.10 of $2.00: no further paid session starts without your word.',
  ]);
  assert.deepEqual(texts({ loop: 2, run: 2, day: 10, usd: 1.6, tally: tallied(8), warned: ['loop'] }), [
    'Spent $1.60 of $2.00 in this run.',
    'Spent $8.00 of $10.00 by all loops today.',
  ]);
  assert.deepEqual(texts({ loop: 0 }), []);
  assert.deepEqual(texts({ usd: 100 }), []);
});

test('raising replaces the ceiling that is asked about, and no other', () => {
  const spent = purse({ loop: 5, run: 2, day: 10, usd: 2, tally: tallied(4), warned: ['run', 'day'] });
  const raised = withCeiling(spent, 4);
  assert.deepEqual([raised.ceilingUsd, raised.spend.warned], [{ loop: 5, run: 4, day: 10 }, ['day']]);
  assert.deepEqual(withCeiling(purse({ usd: 1 }), 4).ceilingUsd, { loop: 4, run: null, day: null });
});

test('a new ceiling must be above what is spent of it', () => {
  assert.equal(tooLow(purse({ loop: 2, usd: 2 }), 2.5), null);
  assert.equal(tooLow(purse({ loop: 2, usd: 2 }), 2), 'the new ceiling must be above $2.00, which are spent already');
  assert.equal(tooLow(purse({ loop: 2, usd: 2 }), null), 'the new ceiling must be above $2.00, which are spent already');
  assert.equal(
    tooLow(purse({ day: 3, tally: tallied(2, 1) }), 3),
    'the new ceiling must be above $3.00, which all loops have spent or reserved on 2026-01-29',
  );
});

test('what was seen of a day is told with what was reserved', () => {
  assert.equal(tallyText(tallied(1.5)), '$1.50 by all loops on 2026-01-29');
  assert.equal(tallyText(tallied(1.5, 2), 10), '$1.50 of $10.00 by all loops on 2026-01-29, and $2.00 are reserved for sessions at work');
});

test('a look at the day is news if anything changed by more than rounding', () => {
  assert.equal(isNews(null, tallied(0)), true);
  assert.equal(isNews(tallied(0.3), tallied(0.1 + 0.2)), false);
  assert.equal(isNews(tallied(1), tallied(1.01)), true);
  assert.equal(isNews(tallied(1), tallied(1, 0.5)), true);
  assert.equal(isNews(tallied(1), tallied(1, 0, '2026-01-30')), true);
});

const SETTINGS = makeSettings({
  policy: { ceilingUsd: { loop: null, run: null, day: 10 } },
  agents: { alpha: plainAgent({ name: 'alpha', driver: 'command', sessionUsd: 1 }), beta: plainAgent({ name: 'beta', driver: 'command' }) },
});

function look(loop: Loop, tally: Tally): Loop {
  return append(loop, { type: 'tallied', ...tally });
}

function raise(ceilingUsd: number): Event {
  return { type: 'decided', choice: 'raise-ceiling', ...person, ceilingUsd };
}

test("a loop asks when the day's ceiling is spent by others, and goes on with a ceiling of its own", () => {
  const asking = step(look(makeLoop({ settings: SETTINGS }), tallied(10)));
  assert.deepEqual(
    [asking.escalation?.reason, asking.escalation?.why],
    ['ceiling', "the day's ceiling: $10.00 of $10.00 are spent by all loops today"],
  );
  assert.deepEqual(choicesOf(asking), ['fix-manually', 'raise-ceiling', 'retry', 'cancel']);
  assert.match(choiceText(asking, 'retry'), /another day/);
  assert.match(choiceText(asking, 'raise-ceiling'), /day's ceiling for this loop/);
  assert.match(refusal(asking, raise(10)) ?? '', /above \$10\.00/);
  const raised = append(asking, raise(12));
  assert.deepEqual([raised.ceilingUsd.day, decide(raised).do], [12, 'author']);
  assert.deepEqual(loopOutput(raised).spend.day, { day: '2026-01-29', usd: 10, estimated: false, ceilingUsd: 12 });
});

test('a loop waits while others have only reserved what is left of the day, and goes on or asks when they are done', () => {
  const waiting = step(look(makeLoop({ settings: SETTINGS }), tallied(4, 6)));
  assert.deepEqual([waiting.escalation, waiting.waiting?.for, waiting.waiting?.agent, decide(waiting).do], [null, 'slot', null, 'rest']);
  assert.equal(
    waitingWords(waiting.waiting ?? waitForTasks([])),
    "other sessions have reserved what is left of the day's ceiling: $4.00 of $10.00 are spent by all loops today, and $6.00 are reserved for sessions at work",
  );
  assert.equal(nextCommand(waiting), `volley work ${waiting.id}`);
  const again: Event = { type: 'postponed', until: '2026-01-29T11:00:00.000Z', why: 'the same' };
  assert.equal(append(waiting, again).waiting?.until, again.until, 'somebody looked again');
  const woken = append(waiting, { type: 'woken' });
  assert.deepEqual([woken.waiting, decide(woken).do], [null, 'wait'], 'nobody has looked yet');
  assert.equal(decide(look(woken, tallied(9))).do, 'author');
  assert.equal(decide(look(woken, tallied(10))).do, 'escalate');
  assert.equal(refusal(look(woken, tallied(9)), again), 'nothing holds it up now');
  assert.equal(refusal(makeLoop({ settings: SETTINGS }), again), 'nothing holds it up now');
});

test('a ceiling that is spent is asked about, whatever others have reserved', () => {
  const settings = makeSettings({ ...SETTINGS, policy: { ceilingUsd: { loop: 0, run: null, day: 10 } } });
  assert.equal(decide(look(makeLoop({ settings }), tallied(0, 10))).do, 'escalate', "the loop's own is spent");
  assert.equal(decide(look(makeLoop({ settings: SETTINGS }), tallied(10, 3))).do, 'escalate');
});

test('a person is asked only when spent money leaves nothing, and nothing starts that others may still pay with', () => {
  const usd = fc.oneof(fc.double({ min: 0, max: 12, noNaN: true }), fc.constantFrom(0, 4, 6, 10));
  fc.assert(
    fc.property(usd, usd, (spentUsd, reservedUsd) => {
      const next = decide(look(makeLoop({ settings: SETTINGS }), tallied(spentUsd, reservedUsd)));
      const left = (used: number): boolean => 10 - used >= 0.000_001;
      assert.equal(next.do, left(spentUsd + reservedUsd) ? 'author' : left(spentUsd) ? 'wait' : 'escalate');
    }),
    { numRuns: 1000 },
  );
});

test('a retry asks again on the same day and goes on after a look at the next one', () => {
  const asking = step(look(makeLoop({ settings: SETTINGS }), tallied(10)));
  const retry: Event = { type: 'overridden', override: 'retry', by: 'Test Person', reason: null, verdict: null, review: false };
  const again = append(asking, retry);
  assert.equal(decide(again).do, 'escalate');
  const tomorrow = look(again, tallied(0, 0, '2026-01-30'));
  assert.deepEqual([decide(tomorrow).do, step(tomorrow).current?.reservedUsd], ['author', [1]]);
});

test("what costs nothing goes on though the day's ceiling is spent", () => {
  const authored = author(makeLoop({ settings: SETTINGS }), committed('1'));
  assert.equal(decide(look(authored, tallied(10))).do, 'review', 'the reviewer is free');
});

test('each day is warned of once', () => {
  const warn: Event = { type: 'warned', about: 'ceiling', ceiling: 'day', text: 'Most of it is spent.' };
  const loop = append(look(makeLoop({ settings: SETTINGS }), tallied(9)), warn);
  assert.deepEqual(ceilingWarnings(look(loop, tallied(9.5))), []);
  assert.equal(ceilingWarnings(look(loop, tallied(9, 0, '2026-01-30'))).length, 1);
});

test('nobody looks at the day while an action is under way, or without a ceiling for it', () => {
  const event: Event = { type: 'tallied', ...tallied(1) };
  assert.match(refusal(makeLoop(), event) ?? '', /no paid action/);
  assert.match(refusal(step(makeLoop({ settings: SETTINGS })), event) ?? '', /no paid action/);
});
