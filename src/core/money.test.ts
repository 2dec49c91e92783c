import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Session } from './event.ts';
import { moneyLeft } from './ceilings.ts';
import type { Purse } from './ceilings.ts';
import type { Loop } from './loop.ts';
import {
  bookingOf,
  bookingsOf,
  costsMoney,
  drawsOnDay,
  isOutOfMoney,
  lostBookings,
  reservationsOf,
  reservedUsd,
  spendText,
  withBookings,
} from './money.ts';
import { DEFAULT_POLICY } from './policy.ts';
import { plainAgent } from './settings.ts';
import { NO_USAGE } from './usage-meter.ts';

const AGENTS = {
  paid: plainAgent({ name: 'paid', driver: 'claude' }),
  frugal: plainAgent({ name: 'frugal', driver: 'claude', sessionUsd: 0.5 }),
  flat: plainAgent({ name: 'flat', driver: 'claude', billing: 'subscription' }),
  free: plainAgent({ name: 'free', driver: 'command' }),
};

type Given = Partial<Purse['spend']> & { ceilingUsd?: number; dayUsd?: number; tally?: Purse['tally']; countSubscription?: boolean };

function purse({ countSubscription = false, ...given }: Given = {}): Purse {
  const { ceilingUsd = null, dayUsd = null, tally = null, ...spend } = given;
  return {
    ceilingUsd: { loop: ceilingUsd, run: null, day: dayUsd },
    tally,
    spend: { usd: 0, estimated: false, warned: [], subscriptionUsd: 0, ...spend },
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

function tallied(spentUsd: number, reserved = 0): NonNullable<Purse['tally']> {
  return { day: '2026-01-29', spentUsd, reservedUsd: reserved, estimated: false };
}

function bookSession(loop: Purse, ended: Session): Purse['spend'] {
  return withBookings(loop, [bookingOf(loop, ended)]).spend;
}

/** A panel at work; those that are named have reported. */
function atWork(loop: Purse, agents: readonly string[], reported: readonly string[] = []): Purse & Pick<Loop, 'current'> {
  const sessions = agents.map((agent, index) => ({ member: `${agent}-${index}`, agent, attempt: 1, repair: false }));
  const action = { do: 'review', round: 1, sessions, why: '' } as const;
  return { ...loop, current: { token: 2, action, startedAt: '', reported, asked: [], reservedUsd: reservationsOf(loop, agents) } };
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

test('under a ceiling sessions share what is left, each at most its own limit or two dollars', () => {
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 1, usd: 0.4 }), ['paid', 'free', 'paid']), [0.3, null, 0.3]);
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 50 }), ['paid']), [2]);
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 50 }), ['frugal', 'paid', 'paid']), [0.5, 2, 2]);
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 1, usd: 1 }), ['frugal']), [0]);
});

test('what is left of the day is shared too, where it is less', () => {
  const loop = purse({ ceilingUsd: 5, usd: 1, dayUsd: 10, tally: tallied(8, 1) });
  assert.deepEqual(reservationsOf(loop, ['paid', 'paid']), [0.5, 0.5]);
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 1, dayUsd: 10, tally: tallied(2) }), ['paid']), [1]);
  assert.deepEqual(reservationsOf(purse({ dayUsd: 10 }), ['paid']), [null], 'nobody has looked at the day yet');
});

test('without a ceiling only a limit of its own holds a session', () => {
  assert.deepEqual(reservationsOf(purse(), ['paid', 'frugal']), [null, 0.5]);
});

test('nothing is reserved for what costs nothing', () => {
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 5 }), ['free', 'flat']), [null, null]);
  assert.deepEqual(reservationsOf(purse({ ceilingUsd: 5, countSubscription: true }), ['flat']), [2]);
});

test('money is out when a paid session is due and nothing is left', () => {
  const spent = purse({ ceilingUsd: 2, usd: 2 });
  assert.equal(isOutOfMoney(spent, ['free', 'paid']), true);
  assert.equal(isOutOfMoney(spent, ['free', 'flat']), false);
  assert.equal(isOutOfMoney(spent, []), false);
  assert.equal(isOutOfMoney(purse({ ceilingUsd: 2, usd: 1.99 }), ['paid']), false);
  assert.equal(isOutOfMoney(purse({ usd: 100 }), ['paid']), false);
  assert.equal(isOutOfMoney(purse({ dayUsd: 10, tally: tallied(7, 3) }), ['paid']), true);
});

test('only a paid action under a ceiling of the day has to look at the day', () => {
  const author = (agent: string) => ({ do: 'author', iteration: 1, agent, why: '' }) as const;
  assert.equal(drawsOnDay(purse({ dayUsd: 10 }), author('paid')), true);
  assert.equal(drawsOnDay(purse({ dayUsd: 10 }), author('free')), false);
  assert.equal(drawsOnDay(purse({ dayUsd: 10 }), { do: 'gates', why: '' }), false);
  assert.equal(drawsOnDay(purse({ ceilingUsd: 10 }), author('paid')), false);
});

test('what sessions under way may spend is reserved until each reports', () => {
  const loop = purse({ ceilingUsd: 3 });
  assert.equal(reservedUsd(atWork(loop, ['paid', 'frugal', 'free', 'flat'])), 2);
  assert.equal(reservedUsd(atWork(loop, ['paid', 'frugal', 'free'], ['paid-0'])), 0.5);
  assert.equal(reservedUsd({ ...loop, current: null }), 0);
});

test('a reported cost is exact, a priced one is an estimate', () => {
  const before = { usd: 1, estimated: false, warned: ['loop' as const], subscriptionUsd: 0 };
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
  assert.deepEqual(apart, { usd: 1, estimated: false, warned: [], subscriptionUsd: 0.5 });
  const counted = bookSession(purse({ ceilingUsd: 5, usd: 1, countSubscription: true }), session('flat', 0.5));
  assert.deepEqual(counted, { usd: 1.5, estimated: true, warned: [], subscriptionUsd: 0.5 });
});

test('a cost that cannot be is as good as none', () => {
  for (const usd of [Number.NaN, Number.POSITIVE_INFINITY, -1]) {
    assert.equal(bookSession(purse({ ceilingUsd: 5, usd: 1 }), session('paid', usd, { reservedUsd: 0.5 })).usd, 1.5);
    assert.equal(bookSession(purse({ usd: 1 }), session('free', usd)).usd, 1);
  }
  assert.equal(bookSession(purse({ usd: 1e308 }), session('paid', 1e308)).usd, Number.MAX_VALUE);
});

test('sessions that died with their driver count what was reserved for them when they started', () => {
  const loop = atWork(purse({ ceilingUsd: 3, usd: 1 }), ['paid', 'frugal', 'free', 'flat', 'paid'], ['paid-4']);
  const lost = withBookings({ ...loop, spend: { ...loop.spend, usd: 2.9 } }, lostBookings(loop)).spend;
  assert.equal(lost.usd.toFixed(4), (2.9 + 2 / 3 + 0.5).toFixed(4));
  assert.equal(lost.estimated, true);
});

test('where nothing paid was lost, nothing is booked', () => {
  assert.deepEqual(lostBookings(atWork(purse({ ceilingUsd: 3 }), ['free'])), []);
  assert.deepEqual(lostBookings({ ...purse({ ceilingUsd: 3 }), current: null }), []);
  const frugal = { agent: 'frugal', role: 'reviewer', usd: 0, subscriptionUsd: 0, estimated: true };
  assert.deepEqual(lostBookings(atWork(purse(), ['frugal'])), [frugal]);
});

test('an event books its session, or those that were lost with their driver', () => {
  const loop = atWork(purse({ ceilingUsd: 3 }), ['paid', 'frugal']);
  const stopped = { type: 'interrupted', token: 2, why: '', session: null } as const;
  assert.deepEqual(
    bookingsOf(loop, stopped).map(({ agent, role, usd }) => [agent, role, usd]),
    [
      ['paid', 'reviewer', 1.5],
      ['frugal', 'reviewer', 0.5],
    ],
  );
  const refused = { type: 'refused', event: 'authored', why: '', session: session('paid', 0.25) } as const;
  assert.deepEqual(bookingsOf(loop, refused), [{ agent: 'paid', role: 'author', usd: 0.25, subscriptionUsd: 0, estimated: false }]);
  assert.deepEqual(bookingsOf(loop, { ...refused, session: null }), []);
  assert.deepEqual(bookingsOf(loop, { type: 'woken' }), []);
});

test('what a session counts for is spent of the day too', () => {
  const loop = purse({ dayUsd: 10, tally: tallied(4) });
  const after = withBookings(loop, [bookingOf(loop, session('paid', 0.5, { costBasis: 'priced' })), bookingOf(loop, session('flat', 3))]);
  assert.deepEqual([after.spend.usd, after.tally], [0.5, { ...tallied(4.5), estimated: true }]);
});

test('spend is told against its ceiling', () => {
  assert.equal(spendText(purse({ usd: 0.42, ceilingUsd: 2 })), '$0.42 of $2.00');
  assert.equal(spendText(purse({ usd: 0.42, ceilingUsd: 2, estimated: true })), 'about $0.42 of $2.00');
  assert.equal(spendText(purse({ usd: 0.42 })), '$0.42');
  assert.equal(spendText(purse({ usd: 0.42, subscriptionUsd: 1.2 })), '$0.42, and about $1.20 on a subscription');
  assert.equal(spendText(purse({ usd: 1.62, subscriptionUsd: 1.2, countSubscription: true })), '$1.62');
  const day = purse({ usd: 0.42, dayUsd: 10, tally: tallied(3.1, 2) });
  assert.equal(spendText(day), '$0.42; $3.10 of $10.00 by all loops on 2026-01-29');
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
        const reserved = reservationsOf(
          loop,
          panel.map(({ agent }) => agent),
        );
        const started = panel.map((one, index) => ({ ...one, reservedUsd: reserved[index] ?? null }));
        const left = moneyLeft(loop) ?? 0;
        assert.ok(started.reduce((sum, one) => sum + (costsMoney(loop, one.agent) ? (one.reservedUsd ?? 0) : 0), 0) <= left + 1e-9);
        const lost = atWork(
          loop,
          panel.map(({ agent }) => agent),
          panel.flatMap((one, index) => (one.lost ? [] : [`${one.agent}-${index}`])),
        );
        for (const { agent, costUsd, costBasis, reservedUsd: mine } of started.filter((one) => !one.lost)) {
          const ended = session(agent, costUsd, { costBasis, reservedUsd: mine });
          const isCounted = agent !== 'flat' || countSubscription;
          if (isCounted && costUsd !== null && costUsd < Infinity) overrun += Math.max(0, costUsd - (mine ?? 0));
          become(bookSession(loop, ended), [...loop.sessions, ended]);
        }
        become(withBookings(loop, lostBookings(lost)).spend);
      }
      assert.ok(loop.spend.usd <= (ceilingUsd + overrun) * (1 + 1e-9) + 1e-9, `${loop.spend.usd} of ${ceilingUsd}, overrun by ${overrun}`);
    }),
    { numRuns: 500 },
  );
});
