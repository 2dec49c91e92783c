import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  append,
  author,
  committed,
  headOf,
  makeFinding,
  makeLoop,
  makeMemberReview,
  makePanel,
  makeRound,
  makeSession,
  review,
  reviewOutcome,
  step,
  tokenOf,
} from '../../test/support/loops.ts';
import { applyEvent } from './apply.ts';
import type { Session } from './event.ts';
import type { Loop } from './loop.ts';
import { findingOutput } from './project-output.ts';
import { loopView, MOST_SHOWN_FINDINGS, roundSummary, sessionViews } from './project-view.ts';
import type { Role } from './settings.ts';

test('of very many findings those that block are shown, in the order of their numbers', () => {
  const loop = makeLoop();
  const minor = Array.from({ length: MOST_SHOWN_FINDINGS + 5 }, (_, index) => makeFinding(`1.${index + 1}`, { severity: 'suggestion' }));
  const grave = makeFinding(`1.${minor.length + 1}`, { severity: 'critical' });
  const view = loopView({ ...loop, findings: [...minor, grave] }, { driven: false, needsYou: false });
  assert.equal(view.findingCount, MOST_SHOWN_FINDINGS + 6);
  assert.equal(view.findings.length, MOST_SHOWN_FINDINGS);
  assert.equal(view.findings.at(-1)?.id, grave.id);
  assert.equal(view.findings[0]?.id, '1.1');
});

test('what to type is told of a loop that nobody drives, and of one at rest whose driver has not let go of it yet', () => {
  const next = (loop: Loop, driven: boolean): string | null => loopView(loop, { driven, needsYou: false }).next;
  const approved = step(review(author(makeLoop(), committed('1'))));
  assert.deepEqual([next(makeLoop(), false), next(makeLoop(), true)], ['volley work 29', null]);
  assert.deepEqual([next(approved, false), next(approved, true)], ['volley land 29', 'volley land 29']);
});

test('a loop tells when it came to its end and when it landed, which may be days apart', () => {
  const approved = step(review(author(makeLoop(), committed('1'))));
  const at = '2099-01-02T00:00:00.000Z';
  const event = { type: 'landed', onto: 'main', commit: headOf('1').commit, by: 'Ada' } as const;
  const view = loopView(applyEvent(approved, { seq: approved.seq + 1, at, event }), { driven: false, needsYou: false });
  assert.deepEqual([view.endedAt, view.landed?.at], [approved.updatedAt, at]);
});

test('of a panel only those are at work who have not answered yet', () => {
  const reviewing = step(author(makeLoop({ settings: makePanel(['beta', 'gamma']) }), committed('1')));
  const session = makeSession('beta', {
    role: 'reviewer',
    transcript: '.volley/transcripts/task-1-4-reviewer-1.log',
    resumeId: 'to-resume',
  });
  const loop = append(reviewing, {
    type: 'reviewed',
    token: tokenOf(reviewing),
    member: 'beta',
    agent: 'beta',
    outcome: reviewOutcome(reviewing, 'beta'),
    session,
  });
  const views = sessionViews(loop).slice(-2);
  assert.deepEqual(
    views.map(({ agent, endedAt, transcript }) => [agent, endedAt, transcript]),
    [
      ['beta', session.endedAt, 'task-1-4-reviewer-1.log'],
      ['gamma', null, `task-${loop.id}-${tokenOf(reviewing)}-reviewer-2.log`],
    ],
  );
  assert.ok(!JSON.stringify(views).includes('to-resume'));
});

const NO_TOKENS = { inputTokens: null, outputTokens: null, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };

/** A session of a role that cost so much, and whose transcript is named after it. */
function paid(role: Role, costUsd: number | null, costBasis: Session['costBasis'] = 'reported'): Session {
  const usage = costUsd === null ? null : { ...NO_TOKENS, costUsd };
  return makeSession('beta', { role, usage, costBasis, transcript: `.volley/transcripts/${role}.log` });
}

test('what was built, reviewed and fixed is told with what each of them took', () => {
  const review1 = paid('reviewer', 0.5, 'priced');
  const round = makeRound({
    verdict: 'changes_requested',
    reviews: [makeMemberReview(headOf('1'), { session: review1 })],
    fix: {
      agent: 'alpha',
      summary: null,
      commits: ['commit-2'],
      resolutions: [
        { findingId: '29.1', status: 'fixed', note: '', places: [] },
        { findingId: '29.2', status: 'disputed', note: '', places: [] },
      ],
      sentBack: false,
    },
  });
  const sessions = [paid('author', 0.75), paid('fixer', 0.125), paid('reviewer', null), review1, paid('fixer', 0.25)];
  const loop: Loop = { ...makeLoop(), rounds: [round], sessions };
  const { build } = loopView(loop, { driven: false, needsYou: false });
  assert.partialDeepStrictEqual(build, { agent: 'beta', iterations: 1, spendUsd: 0.875, estimated: false });
  assert.deepEqual(build?.transcripts, ['author.log', 'fixer.log'], 'the fix for the gates was before any review');
  const { review: asked, fix } = roundSummary(loop, round);
  assert.partialDeepStrictEqual(asked, { spendUsd: 0.5, estimated: true });
  assert.equal(asked.transcripts.length, 2, 'also the one that came to nothing');
  assert.partialDeepStrictEqual(fix, { spendUsd: 0.25, estimated: false, fixed: 1, disputed: 1, needsPerson: 0, agent: 'alpha' });
});

test('a cost that nobody knows is none, and what nobody did took no time', () => {
  const loop: Loop = { ...makeLoop(), sessions: [paid('author', null)] };
  assert.partialDeepStrictEqual(loopView(loop, { driven: false, needsYou: false }).build, { spendUsd: null, estimated: false });
  const { review: asked } = roundSummary({ ...makeLoop(), rounds: [makeRound()] }, makeRound());
  assert.deepEqual(asked, { startedAt: null, endedAt: null, spendUsd: null, estimated: false, transcripts: [] });
});

test('a finding that lies elsewhere now tells where it was last raised', () => {
  const moved = makeFinding('29.1', { line: 7, anchor: 'moved', origin: { commit: 'commit-1', file: 'a.ts', line: 3, lineEnd: null } });
  assert.deepEqual(findingOutput(makeLoop(), moved).movedFrom, { file: 'a.ts', line: 3 });
  assert.equal(findingOutput(makeLoop(), makeFinding('29.1')).movedFrom, null);
});
