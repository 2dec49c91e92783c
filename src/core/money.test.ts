import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Session } from './event.ts';
import { bookLost, bookSession, ceilingWarning, costsMoney, isOutOfMoney, moneyLeft, moneyWhy, reservationOf, spendText } from './money.ts';
import type { Purse } from './money.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { plainAgent } from './settings.ts';
import { NO_USAGE } from './usage-meter.ts';

const AGENTS = {
  paid: plainAgent({ name: 'paid', driver: 'claude' }),
  frugal: plainAgent({ name: 'frugal', driver: 'claude', sessionUsd: 0.5 }),
  flat: plainAgent({ name: 'flat', driver: 'claude', billing: 'subscription' }),
  free: plainAgent({ name: 'free', driver: 'command' }),
};

function purse({
  countSubscription = false,
  ...given
}: Partial<Purse['spend']> & { ceilingUsd?: number; countSubscription?: boolean } = {}): Purse {
  const { ceilingUsd = null, ...spend } = given;
  return {
    ceilingUsd,
    spend: { usd: 0, estimated: false, warned: false, subscriptionUsd: 0, ...spend },
    sessions: [],
    settings: { agents: AGENTS, policy: { ...DEFAULT_POLICY, countSubscription } },
  };
}

function session(agent: string, costUsd: number | null, rest: Partial<Session> = {}): Session {
  return {
    agent,
    role: 'author',
    startedAt: '2026-01-29T10:00:00.000Z',
    endedAt: '2026-01-29T10:01:00.000Z',
    exit: 'completed',
    exitCode: 0,
    usage: costUsd === null ? null : { ...NO_USAGE, costUsd },
    reservedUsd: null,
    costBasis: costUsd === null ? null : 'reported',
    transcript: null,
    model: null,
    billing: null,
    resumeId: null,
    confinement: null,
    network: null,
    ...rest,
  };
}

test('models cost money, commands do not until one reports a cost', () => {
  const loop = purse();
  assert.deepEqual(
    Object.keys(AGENTS).map((agent) => costsMoney(loop, agent)),
    [true, true, false, false],
  );
  assert.equal(costsMoney({ ...loop, sessions: [session('free', 0.1)] }, 'free'), true);
  assert.equal(costsMoney(loop, 'nobody'), false);
});

test('a subscription costs money where it counts', () => {
  assert.equal(costsMoney(purse({ countSubscription: true }), 'flat'), true);
});

test('what is left is the ceiling without the spend, never less than nothing', () => {
  assert.equal(moneyLeft(purse({ usd: 1 })), null);
  assert.equal(moneyLeft(purse({ ceilingUsd: 2, usd: 0.5 })), 1.5);
  assert.equal(moneyLeft(purse({ ceilingUsd: 2, usd: 3 })), 0);
  assert.equal(moneyLeft(purse({ ceilingUsd: 0.8, usd: 0.7 + 0.1 })), 0);
});

test('under a ceiling a session gets its share of what is left, at most its own limit or two dollars', () => {
  assert.equal(reservationOf(purse({ ceilingUsd: 1, usd: 0.4 }), 'paid', 2), 0.3);
  assert.equal(reservationOf(purse({ ceilingUsd: 50 }), 'paid', 1), 2);
  assert.equal(reservationOf(purse({ ceilingUsd: 50 }), 'frugal', 3), 0.5);
  assert.equal(reservationOf(purse({ ceilingUsd: 1, usd: 1 }), 'frugal', 1), 0);
});

test('without a ceiling only a limit of its own holds a session', () => {
  assert.equal(reservationOf(purse(), 'paid', 1), null);
  assert.equal(reservationOf(purse(), 'frugal', 1), 0.5);
});

test('nothing is reserved for what costs nothing', () => {
  assert.equal(reservationOf(purse({ ceilingUsd: 5 }), 'free', 1), null);
  assert.equal(reservationOf(purse({ ceilingUsd: 5 }), 'flat', 1), null);
  assert.equal(reservationOf(purse({ ceilingUsd: 5, countSubscription: true }), 'flat', 1), 2);
});

test('money is out when a paid session is due and nothing is left', () => {
  const spent = purse({ ceilingUsd: 2, usd: 2 });
  assert.equal(isOutOfMoney(spent, ['free', 'paid']), true);
  assert.equal(isOutOfMoney(spent, ['free', 'flat']), false);
  assert.equal(isOutOfMoney(spent, []), false);
  assert.equal(isOutOfMoney(purse({ ceilingUsd: 2, usd: 1.99 }), ['paid']), false);
  assert.equal(isOutOfMoney(purse({ usd: 100 }), ['paid']), false);
  assert.equal(moneyWhy(spent), '$2.00 of $2.00 are spent');
});

test('most of the ceiling spent is said once', () => {
  assert.equal(ceilingWarning(purse({ ceilingUsd: 2, usd: 1.59 })), null);
  assert.equal(ceilingWarning(purse({ ceilingUsd: 2, usd: 1.6 })), 'Spent $1.60 of $2.00.');
  assert.equal(
    ceilingWarning(purse({ ceilingUsd: 2, usd: 2.1, estimated: true })),
    'Spent about $2.10 of $2.00: no further paid session starts without your word.',
  );
  assert.equal(ceilingWarning(purse({ ceilingUsd: 2, usd: 1.6, warned: true })), null);
  assert.equal(ceilingWarning(purse({ ceilingUsd: 0 })), null);
  assert.equal(ceilingWarning(purse({ usd: 100 })), null);
});

test('a reported cost is exact, a priced one is an estimate', () => {
  const before = { usd: 1, estimated: false, warned: true, subscriptionUsd: 0 };
  assert.deepEqual(bookSession(purse(before), session('paid', 0.25)), { ...before, usd: 1.25 });
  assert.deepEqual(bookSession(purse(before), session('paid', 0.25, { costBasis: 'priced' })), { ...before, usd: 1.25, estimated: true });
});

test('once it is an estimate, spend stays one', () => {
  assert.deepEqual(bookSession(purse({ usd: 1, estimated: true }), session('paid', 0.25)), {
    ...purse().spend,
    usd: 1.25,
    estimated: true,
  });
});

test('a model about which nothing is known counts its whole reservation', () => {
  const spend = bookSession(purse({ ceilingUsd: 5 }), session('paid', null, { reservedUsd: 0.75 }));
  assert.deepEqual([spend.usd, spend.estimated], [0.75, true]);
  const reserved = bookSession(purse({ ceilingUsd: 5 }), session('paid', 0.75, { reservedUsd: 0.75, costBasis: 'reserved' }));
  assert.deepEqual(reserved, spend);
});

test('a session that was journalled without its reservation counts what it could have had', () => {
  assert.equal(bookSession(purse({ ceilingUsd: 5, usd: 4 }), session('paid', null)).usd, 5);
  assert.equal(bookSession(purse({ ceilingUsd: 5 }), session('frugal', null)).usd, 0.5);
});

test('without a limit an unmeasured model adds nothing, but the spend is an estimate from then on', () => {
  const spend = bookSession(purse({ usd: 1 }), session('paid', null));
  assert.deepEqual([spend.usd, spend.estimated], [1, true]);
});

test('free agents add nothing, unless they report a cost', () => {
  const loop = purse({ ceilingUsd: 5, usd: 1 });
  assert.deepEqual(bookSession(loop, session('free', null)), loop.spend);
  assert.deepEqual(bookSession(loop, session('free', 0, { costBasis: 'free' })), loop.spend);
  assert.equal(bookSession(loop, session('free', 0.5)).usd, 1.5);
});

test('a subscription is kept apart, and counts as an estimate where it counts', () => {
  const apart = bookSession(purse({ ceilingUsd: 5, usd: 1 }), session('flat', 0.5));
  assert.deepEqual(apart, { usd: 1, estimated: false, warned: false, subscriptionUsd: 0.5 });
  const counted = bookSession(purse({ ceilingUsd: 5, usd: 1, countSubscription: true }), session('flat', 0.5));
  assert.deepEqual(counted, { usd: 1.5, estimated: true, warned: false, subscriptionUsd: 0.5 });
});

test('a cost that cannot be is as good as none', () => {
  for (const usd of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    assert.equal(bookSession(purse({ ceilingUsd: 5, usd: 1 }), session('paid', usd, { reservedUsd: 0.5 })).usd, 1.5);
    assert.equal(bookSession(purse({ usd: 1 }), session('free', usd)).usd, 1);
  }
  assert.equal(bookSession(purse({ usd: 1e308 }), session('paid', 1e308)).usd, Number.MAX_VALUE);
});

test('sessions that died with their driver count what was reserved for them', () => {
  const lost = bookLost(purse({ ceilingUsd: 3, usd: 1 }), ['paid', 'frugal', 'free', 'flat', 'paid']);
  assert.equal(lost.usd.toFixed(4), (1 + 2 / 3 + 0.5 + 2 / 3).toFixed(4));
  assert.equal(lost.estimated, true);
});

test('where nothing paid was lost, nothing is booked', () => {
  const loop = purse({ ceilingUsd: 3, usd: 1 });
  assert.deepEqual(bookLost(loop, ['free']), loop.spend);
  assert.deepEqual(bookLost(purse({ usd: 1 }), ['frugal']), { ...loop.spend, estimated: true });
});

test('spend is told against its ceiling', () => {
  assert.equal(spendText(purse({ usd: 0.42, ceilingUsd: 2 })), '$0.42 of $2.00');
  assert.equal(spendText(purse({ usd: 0.42, ceilingUsd: 2, estimated: true })), 'about $0.42 of $2.00');
  assert.equal(spendText(purse({ usd: 0.42 })), '$0.42');
  assert.equal(spendText(purse({ usd: 0.42, subscriptionUsd: 1.2 })), '$0.42, and about $1.20 on a subscription');
  assert.equal(spendText(purse({ usd: 1.62, subscriptionUsd: 1.2, countSubscription: true })), '$1.62');
});

const amount = fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.double(), fc.constant(null));
/** A panel of sessions that were started together; `lost` ones never report. */
const panels = fc.array(
  fc.array(
    fc.record({
      agent: fc.constantFrom(...Object.keys(AGENTS)),
      costUsd: amount,
      costBasis: fc.constantFrom('reported', 'priced', null),
      lost: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  { maxLength: 12 },
);

test('whatever sessions come, spend never falls and passes its ceiling by no more than they overran', () => {
  fc.assert(
    fc.property(panels, fc.double({ min: 0, max: 10, noNaN: true }), fc.boolean(), (given, ceilingUsd, countSubscription) => {
      let loop = purse({ ceilingUsd, countSubscription });
      let overrun = 0;
      const become = (spend: Purse['spend'], sessions = loop.sessions): void => {
        assert.ok(Number.isFinite(spend.usd) && spend.usd >= loop.spend.usd && spend.subscriptionUsd >= loop.spend.subscriptionUsd);
        loop = { ...loop, spend, sessions };
      };
      for (const panel of given) {
        if (
          isOutOfMoney(
            loop,
            panel.map(({ agent }) => agent),
          )
        )
          continue;
        const among = panel.filter(({ agent }) => costsMoney(loop, agent)).length;
        const started = panel.map((one) => ({ ...one, reservedUsd: reservationOf(loop, one.agent, among) }));
        for (const { agent, costUsd, costBasis, reservedUsd } of started.filter(({ lost }) => !lost)) {
          const ended = session(agent, costUsd, { costBasis, reservedUsd });
          const isCounted = agent !== 'flat' || countSubscription;
          if (isCounted && costUsd !== null && costUsd < Infinity) overrun += Math.max(0, costUsd - (reservedUsd ?? 0));
          become(bookSession(loop, ended), [...loop.sessions, ended]);
        }
        become(
          bookLost(
            loop,
            started.filter(({ lost }) => lost).map(({ agent }) => agent),
          ),
        );
      }
      assert.ok(loop.spend.usd <= (ceilingUsd + overrun) * (1 + 1e-9) + 1e-9, `${loop.spend.usd} of ${ceilingUsd}, overrun by ${overrun}`);
    }),
    { numRuns: 500 },
  );
});
