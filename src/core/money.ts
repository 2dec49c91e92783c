import { againstOwn, dollars, moneyLeft, tallyText } from './ceilings.ts';
import type { Purse } from './ceilings.ts';
import type { Effect } from './action.ts';
import { agentsOf } from './action.ts';
import type { Event, Session } from './event.ts';
import type { Loop } from './loop.ts';
import { amountOf } from './readers/coerce.ts';
import { isPaid } from './settings.ts';
import type { AgentSpec, Role } from './settings.ts';

const SESSION_USD = 2;

/** A loop's money, with the sessions that it may be running. */
type AtWork = Purse & Pick<Loop, 'current'>;

/** What one session counts for. */
export type Booking = {
  readonly agent: string;
  readonly role: Role;
  /** What counts against the ceilings. */
  readonly usd: number;
  readonly subscriptionUsd: number;
  readonly estimated: boolean;
};

/** Whether sessions of an agent draw on the ceilings. One that reported a cost once is not free, whatever its kind. */
export function costsMoney(loop: Purse, agent: string): boolean {
  const spec = loop.settings.agents[agent];
  if (!isCounted(loop, spec)) return false;
  return isPaid(spec) || loop.sessions.some((session) => session.agent === agent && (session.usage?.costUsd ?? 0) > 0);
}

/** What each of the sessions that start together may spend: paid ones share what is left; null where nothing limits one. */
export function reservationsOf(loop: Purse, agents: readonly string[]): readonly (number | null)[] {
  const among = agents.filter((agent) => costsMoney(loop, agent)).length;
  return agents.map((agent) => reservationOf(loop, agent, among));
}

function reservationOf(loop: Purse, agent: string, among: number): number | null {
  const spec = loop.settings.agents[agent];
  const isLimited = loop.sessionsLimited !== false;
  const own = isPaid(spec) && isLimited ? (spec?.sessionUsd ?? null) : null;
  const left = moneyLeft(loop);
  if (left === null || !costsMoney(loop, agent)) return own;
  const share = left / Math.max(1, among);
  return isLimited ? Math.min(share, own ?? SESSION_USD) : share;
}

/** Whether a paid session among these agents' has nothing left to be paid with. */
export function isOutOfMoney(loop: Purse, agents: readonly string[]): boolean {
  return moneyLeft(loop) === 0 && agents.some((agent) => costsMoney(loop, agent));
}

/** Whether a paid session has nothing left only because sessions of other loops have reserved it, and may give it back. */
export function isMoneyHeld(loop: Purse, agents: readonly string[]): boolean {
  const { tally } = loop;
  if (tally === null || !isOutOfMoney(loop, agents)) return false;
  return !isOutOfMoney({ ...loop, tally: { ...tally, reservedUsd: 0 } }, agents);
}

/** Whether an action has to look first what all loops have spent today. */
export function drawsOnDay(loop: Purse, action: Effect): boolean {
  return loop.ceilingUsd.day !== null && agentsOf(action).some((agent) => costsMoney(loop, agent));
}

/** What the sessions under way may spend that draw on the ceilings, without those that have reported. */
export function reservedUsd(loop: AtWork): number {
  return running(loop).reduce((sum, session) => (costsMoney(loop, session.agent) ? sum + (session.reservedUsd ?? 0) : sum), 0);
}

/** The sessions that an event books: its own, or those that died with their driver. */
export function bookingsOf(loop: AtWork, event: Event): readonly Booking[] {
  if ('session' in event && event.session !== null) return [bookingOf(loop, event.session)];
  return event.type === 'interrupted' ? lostBookings(loop) : [];
}

/** What a session counts for, whatever becomes of its result. Unmeasured is not zero: a model's whole reservation counts. */
export function bookingOf(loop: Purse, session: Session): Booking {
  const spec = loop.settings.agents[session.agent];
  const known = amountOf(session.usage?.costUsd);
  if (known === null && !isPaid(spec)) return { agent: session.agent, role: session.role, usd: 0, subscriptionUsd: 0, estimated: false };
  const usd = known ?? unmeasured(loop, session);
  return booking(loop, session, { usd, estimated: known === null || session.costBasis === 'priced' || session.costBasis === 'reserved' });
}

/** What the sessions under way count for if they died with their driver: under a ceiling, each paid one all that it might have spent. */
export function lostBookings(loop: AtWork): readonly Booking[] {
  const isLimited = moneyLeft(loop) !== null;
  return running(loop)
    .filter(({ agent }) => isPaid(loop.settings.agents[agent]))
    .map((lost) => booking(loop, lost, { usd: isLimited ? (lost.reservedUsd ?? 0) : 0, estimated: true }));
}

/** The loop after these sessions; what they count for is spent of the day too. */
export function withBookings<L extends Purse>(loop: L, bookings: readonly Booking[]): L {
  return bookings.reduce((before, { usd, subscriptionUsd, estimated }) => {
    const { spend, tally } = before;
    return {
      ...before,
      spend: {
        ...spend,
        usd: plus(spend.usd, usd),
        subscriptionUsd: plus(spend.subscriptionUsd, subscriptionUsd),
        estimated: spend.estimated || estimated,
      },
      tally: tally === null ? null : { ...tally, spentUsd: plus(tally.spentUsd, usd), estimated: tally.estimated || estimated },
    };
  }, loop);
}

/** Spend against its ceilings, for people: `about $0.42 of $2.00`. */
export function spendText(loop: Purse): string {
  const { subscriptionUsd } = loop.spend;
  const beside = subscriptionUsd > 0 && !loop.settings.policy.countSubscription;
  return `${againstOwn(loop)}${beside ? `, and about ${dollars(subscriptionUsd)} on a subscription` : ''}${dayText(loop)}`;
}

/** What others had reserved when a session started tells nothing later. */
function dayText({ tally, ceilingUsd }: Purse): string {
  return tally === null || ceilingUsd.day === null ? '' : `; ${tallyText({ ...tally, reservedUsd: 0 }, ceilingUsd.day)}`;
}

type Running = Pick<Session, 'agent' | 'role' | 'reservedUsd'>;

const ROLE: Record<Exclude<Effect['do'], 'gates'>, Role> = { author: 'author', review: 'reviewer', fix: 'fixer', arbitrate: 'arbiter' };

function running({ current }: AtWork): readonly Running[] {
  if (current === null || current.action.do === 'gates') return [];
  const { action, reported } = current;
  const sessions = agentsOf(action).map((agent, index) => ({
    agent,
    role: ROLE[action.do],
    reservedUsd: current.reservedUsd[index] ?? null,
  }));
  return action.do === 'review' ? sessions.filter((_, index) => !reported.includes(action.sessions[index]?.member ?? '')) : sessions;
}

function isCounted(loop: Purse, spec: AgentSpec | undefined): boolean {
  return spec?.billing !== 'subscription' || loop.settings.policy.countSubscription;
}

/** A session of an old journal names no reservation; under a ceiling of the loop it had all that it could have. */
function unmeasured(loop: Purse, { agent, reservedUsd: reserved }: Session): number {
  return amountOf(reserved) ?? (loop.ceilingUsd.loop === null ? null : reservationOf(loop, agent, 1)) ?? 0;
}

function booking(loop: Purse, { agent, role }: Pick<Session, 'agent' | 'role'>, cost: Pick<Booking, 'usd' | 'estimated'>): Booking {
  const spec = loop.settings.agents[agent];
  const isSubscription = spec?.billing === 'subscription';
  const counts = isCounted(loop, spec);
  return {
    agent,
    role,
    usd: counts ? cost.usd : 0,
    subscriptionUsd: isSubscription ? cost.usd : 0,
    estimated: counts && (cost.estimated || isSubscription),
  };
}

function plus(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_VALUE);
}
