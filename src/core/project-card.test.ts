import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  append,
  author,
  committed,
  dispute,
  fix,
  gate,
  headOf,
  loseReview,
  makeLoop,
  makePanel,
  makeRaised,
  makeSession,
  makeSettings,
  makeTask,
  review,
  reviewPanel,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import { applyEvent } from './apply.ts';
import { Card } from './card.ts';
import type { Event, Override } from './event.ts';
import type { Loop } from './loop.ts';
import { cardOf } from './project-card.ts';
import { refusal } from './refusal.ts';
import { plainAgent } from './settings.ts';

const ONE = makeRaised();
const OTHER = makeRaised({ file: 'b.ts', description: 'Another thing is wrong.' });
const BUILT = author(makeLoop(), committed('1'));
const TESTED = { name: 'test', run: 'npm test', cwd: '.', paths: [], network: false };

/** A fixer that says that it fixed these. */
function fixed(loop: Loop, head: string, ids: readonly string[]): Loop {
  return fix(
    loop,
    committed(head),
    ids.map((findingId) => ({ findingId, status: 'fixed', note: 'done', places: [] })),
  );
}

/** The review, the fix and again, until the rounds are used up. */
function exhausted(): Loop {
  let loop = review(BUILT, { raised: [ONE, OTHER] });
  for (const head of ['2', '3']) loop = review(fixed(loop, head, ['29.1', '29.2']), { raised: [ONE, OTHER], changed: {} });
  return step(loop);
}

function override(loop: Loop, name: Override, verdict: 'APPROVED' | 'CHANGES_REQUESTED' | null = null): Event {
  const reason = name === 'improve' ? 'so it is' : null;
  return { type: 'overridden', override: name, by: 'Test Person', reason, verdict, review: false };
}

describe('a card', () => {
  test('of a task that nobody began names who will do what, and what is to run', () => {
    const card = cardOf(makeLoop({ settings: makeSettings({ gates: [TESTED] }), task: makeTask({ dependsOn: [7] }) }));
    assert.deepEqual(Card.parse(card), card);
    assert.partialDeepStrictEqual(card, {
      seq: 1,
      author: 'alpha',
      fixer: 'alpha',
      reviewers: ['beta'],
      turns: [],
      gates: [{ name: 'test', passed: null }],
      dependsOn: [7],
      now: 'waits for #7',
      question: null,
      choices: [],
      canLand: false,
      review: 'under-way',
    });
  });

  test('of a review names no author, and a fixer only where one answers', () => {
    const task = makeTask({ kind: 'review', source: { kind: 'working-tree' } });
    assert.partialDeepStrictEqual(cardOf(makeLoop({ task })), { author: null, fixer: null });
    assert.partialDeepStrictEqual(cardOf(makeLoop({ task: { ...task, fix: true } })), { author: null, fixer: 'alpha' });
  });

  test('tells what each review asked and what each fix answered', () => {
    const first = review(BUILT, { raised: [ONE, OTHER, makeRaised({ severity: 'suggestion', file: 'c.ts' })] });
    const second = review(fixed(first, '2', ['29.1']), { raised: [OTHER], changed: { 'a.ts': [3] } });
    const silent = fix(second, committed('3'));
    assert.deepEqual(cardOf(silent).turns, [
      { kind: 'review', round: 1, count: 2 },
      { kind: 'fix', round: 1, count: 1 },
      { kind: 'review', round: 2, count: 1 },
      { kind: 'fix', round: 2, count: 1 },
    ]);
  });

  test('tells how the gates did last', () => {
    const built = author(makeLoop({ settings: makeSettings({ gates: [TESTED] }) }), committed('1'));
    assert.deepEqual(cardOf(gate(built, true)).gates, [{ name: 'test', passed: true }]);
    assert.deepEqual(cardOf(gate(built, false)).gates, [{ name: 'test', passed: false }]);
    assert.equal(cardOf(step(gate(built, false))).now, 'gate test red · fix 1 of 3');
  });

  test('can be landed when it is approved, until it is landed', () => {
    const approved = step(review(BUILT));
    assert.deepEqual([cardOf(approved).canLand, cardOf(approved).now], [true, 'proof complete']);
    const landed = append(approved, { type: 'landed', onto: 'main', commit: 'commit-1', by: 'Test Person' });
    assert.deepEqual([cardOf(landed).canLand, cardOf(landed).now], [false, 'landed on main']);
  });

  test('names the overrides that the journal takes, and no other', () => {
    for (const loop of [makeLoop(), step(BUILT), exhausted(), step(review(BUILT)), append(BUILT, override(BUILT, 'takeover'))]) {
      const { overrides } = cardOf(loop);
      for (const one of ['retry', 'refine', 'skip', 'ready', 'cancel', 'takeover', 'handback', 'improve', 'review'] as const)
        assert.equal(refusal(loop, override(loop, one)) === null, overrides.includes(one), `${one} while ${loop.state}`);
      const verdicts = (['APPROVED', 'CHANGES_REQUESTED'] as const).map((verdict) => refusal(loop, override(loop, 'verdict', verdict)));
      assert.equal(verdicts.includes(null), overrides.includes('verdict'));
    }
  });

  test('does not offer to answer findings where there is none, though guidance may still be given', () => {
    const { overrides } = cardOf(step(BUILT));
    assert.deepEqual([overrides.includes('refine'), overrides.includes('improve')], [false, true]);
    assert.ok(cardOf(exhausted()).overrides.includes('refine'));
  });
});

describe('what a card asks', () => {
  test('a round more, after the last one', () => {
    const { asks, question, choices } = cardOf(exhausted());
    assert.equal(asks, 'Max rounds reached');
    assert.equal(question, 'Two findings still block after round 3. One more round, or yours?');
    assert.deepEqual(
      choices.map(({ label }) => label),
      ['One more round', 'Accept…', 'Fix myself', 'Cancel'],
    );
  });

  test('since it was asked, whatever is said about it later', () => {
    const [asked, said, handedBack] = ['2026-01-29T11:00:00.000Z', '2026-01-29T12:00:00.000Z', '2026-01-29T13:00:00.000Z'];
    const words: Event = { type: 'commented', by: 'Test Person', text: 'Look here.', file: null, line: null, raised: null };
    let loop = review(BUILT, { raised: [ONE, OTHER] });
    for (const head of ['2', '3']) loop = review(fixed(loop, head, ['29.1', '29.2']), { raised: [ONE, OTHER], changed: {} });
    const escalated: Event = { type: 'escalated', reason: 'max-rounds', why: 'three rounds', versions: null };
    const after = (before: Loop, at: string, event: Event): Loop => applyEvent(before, { seq: before.seq + 1, at, event });
    assert.equal(cardOf(loop).restsSince, null);
    const asks = after(loop, asked, escalated);
    assert.equal(cardOf(after(asks, said, words)).restsSince, asked);
    const held = after(asks, said, override(asks, 'takeover'));
    assert.equal(cardOf(after(held, handedBack, override(held, 'handback'))).restsSince, handedBack);
  });

  test('money, and offers an amount', () => {
    const paid = plainAgent({ name: 'alpha', driver: 'command', run: ['/agents/alpha'], model: 'large', sessionUsd: 2 });
    const settings = makeSettings({ policy: { ceilingUsd: { loop: 2, run: null, day: null } } });
    const loop = makeLoop({ settings: { ...settings, agents: { ...settings.agents, alpha: paid } } });
    const started = step(loop);
    const session = makeSession('alpha', {
      role: 'author',
      usage: { costUsd: 2, inputTokens: null, outputTokens: null, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null },
      costBasis: 'reported',
    });
    const spent = append(started, {
      type: 'authored',
      token: tokenOf(started),
      outcome: committed('1'),
      summary: null,
      taskComplete: false,
      session,
    });
    const { question, choices, raiseToUsd, stake } = cardOf(step(spent));
    assert.equal(question, 'This loop has used its $2.00. Let it finish the build?');
    assert.deepEqual([choices[0]?.label, choices[0]?.needs, choices.at(-1)?.choice], ['Raise the ceiling…', 'ceilingUsd', 'cancel']);
    assert.deepEqual([raiseToUsd, stake], [3, null]);
  });

  test('whether the fixer shall answer, where it does not by itself', () => {
    const manual = author(makeLoop({ settings: makeSettings({ autoIterate: false }) }), committed('1'));
    const { asks, question, choices } = cardOf(step(review(manual, { raised: [ONE] })));
    assert.deepEqual([asks, question], ['Changes requested', 'One finding blocks after round 1. Let the fixer answer it?']);
    assert.equal(choices[0]?.choice, 'refine');
  });

  test('who is right, of a dispute about security', () => {
    const disputed = dispute(review(BUILT, { raised: [makeRaised({ category: 'security' })] }), ['29.1'], '2');
    const { question, choices } = cardOf(step(disputed));
    assert.equal(question, 'The fixer disputes one finding. Who is right?');
    assert.deepEqual(
      choices.slice(0, 2).map(({ label }) => label),
      ['Uphold', 'Refute…'],
    );
  });

  test('who else reviews, where nobody gave a verdict', () => {
    let loop = BUILT;
    for (let times = 0; times < 4 && loop.escalation === null; times += 1) loop = step(loseReview(loop, 'empty'));
    assert.equal(cardOf(loop).question, 'beta gave no verdict in round 1. Try again, or ask another agent?');
  });

  test('the question of the fixer in its own words, cut where it is long', () => {
    const asking = fix(review(BUILT, { raised: [ONE] }), { kind: 'unchanged' }, [
      { findingId: '29.1', status: 'needs_person', note: 'Should it greet in German?  Or not?', places: [] },
    ]);
    assert.equal(cardOf(step(asking)).question, 'The fixer asks: Should it greet in German?');
  });

  test('nothing while agents are at work, and what it is they do', () => {
    const settings = makePanel(['beta', 'gamma']);
    const reviewing = step(author(makeLoop({ settings }), committed('1')));
    assert.partialDeepStrictEqual(cardOf(reviewing), { question: null, asks: null, now: 'panel of two · beta, gamma at work' });
    assert.equal(cardOf(reviewPanel(reviewing, { beta: {} })).now, 'panel of two · beta done, gamma at work');
    assert.equal(cardOf(step(review(BUILT, { raised: [ONE, OTHER] }))).now, 'alpha answers 2 findings');
    assert.equal(cardOf(step(makeLoop())).now, 'alpha builds · iteration 1');
  });

  test('a person who has it to hand it back, and one who reads it to land it', () => {
    assert.equal(cardOf(append(BUILT, override(BUILT, 'takeover'))).question, 'Test Person works on it. Hand it back when it is done?');
    const ready = append(BUILT, override(BUILT, 'ready'));
    assert.partialDeepStrictEqual(cardOf(ready), { asks: 'Ready for you', canLand: true, review: 'order' });
    assert.equal(headOf('1').commit, ready.head?.commit);
  });
});
