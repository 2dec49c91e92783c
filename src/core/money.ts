import type { Session } from './event.ts';
import type { Loop } from './loop.ts';
import { amountOf } from './readers/coerce.ts';
import { isPaid } from './settings.ts';
import type { AgentSpec } from './settings.ts';

/** What money questions need to know of a loop. */
export type Purse = Pick<Loop, 'ceilingUsd' | 'spend' | 'sessions'> &
  Partial<Pick<Loop, 'sessionsLimited'>> & { readonly settings: Pick<Loop['settings'], 'agents' | 'policy'> };

const SESSION_USD = 2;
const WARN_AT = 0.8;
/** No session can be paid with less than this; it is what is left by rounding. */
const LEAST_USD = 0.000_001;

/** Whether sessions of an agent draw on the ceiling. One that reported a cost once is not free, whatever its kind. */
export function costsMoney(loop: Purse, agent: string): boolean {
  const spec = loop.settings.agents[agent];
  if (!isCounted(loop, spec)) return false;
  return isPaid(spec) || loop.sessions.some((session) => session.agent === agent && (session.usage?.costUsd ?? 0) > 0);
}

/** What may still be spent; null without a ceiling. */
export function moneyLeft({ ceilingUsd, spend }: Purse): number | null {
  if (ceilingUsd === null) return null;
  const left = ceilingUsd - spend.usd;
  return left < LEAST_USD ? 0 : left;
}

/** What one session of an agent may spend while `among` paid sessions share what is left; null where nothing limits it. */
export function reservationOf(loop: Purse, agent: string, among: number): number | null {
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

/** Why no paid session starts. */
export function moneyWhy(loop: Purse): string {
  return `${againstCeiling(loop)} are spent`;
}

/** The warning that is due because most of the ceiling is spent; null if there is none, or it was given before. */
export function ceilingWarning(loop: Purse): string | null {
  const { ceilingUsd, spend } = loop;
  if (ceilingUsd === null || ceilingUsd === 0 || spend.warned || spend.usd < ceilingUsd * WARN_AT) return null;
  const spent = `Spent ${againstCeiling(loop)}`;
  return moneyLeft(loop) === 0 ? `${spent}: no further paid session starts without your word.` : `${spent}.`;
}

/** The spend after a session, whatever becomes of its result. Unmeasured is not zero: a model's whole reservation counts. */
export function bookSession(loop: Purse, session: Session): Loop['spend'] {
  const spec = loop.settings.agents[session.agent];
  const known = amountOf(session.usage?.costUsd);
  if (known === null && !isPaid(spec)) return loop.spend;
  const usd = known ?? unmeasured(loop, session);
  return booked(loop, spec, { usd, estimated: known === null || session.costBasis === 'priced' || session.costBasis === 'reserved' });
}

/** The spend after sessions that died with their driver: each paid one counts its reservation under the ceiling. */
export function bookLost(loop: Purse, agents: readonly string[]): Loop['spend'] {
  const paid = agents.filter((agent) => isPaid(loop.settings.agents[agent]));
  const among = paid.filter((agent) => costsMoney(loop, agent)).length;
  return paid.reduce((spend, agent) => {
    const usd = loop.ceilingUsd === null ? 0 : (reservationOf(loop, agent, among) ?? 0);
    return booked({ ...loop, spend }, loop.settings.agents[agent], { usd, estimated: true });
  }, loop.spend);
}

/** Spend against its ceiling, for people: `about $0.42 of $2.00`. */
export function spendText(loop: Purse): string {
  const { subscriptionUsd } = loop.spend;
  const beside = subscriptionUsd > 0 && !loop.settings.policy.countSubscription;
  return `${againstCeiling(loop)}${beside ? `, and about ${dollars(subscriptionUsd)} on a subscription` : ''}`;
}

function isCounted(loop: Purse, spec: AgentSpec | undefined): boolean {
  return spec?.billing !== 'subscription' || loop.settings.policy.countSubscription;
}

/** A session of an old journal names no reservation; under a ceiling it had all that it could have. */
function unmeasured(loop: Purse, { agent, reservedUsd }: Session): number {
  return amountOf(reservedUsd) ?? (loop.ceilingUsd === null ? null : reservationOf(loop, agent, 1)) ?? 0;
}

function booked(loop: Purse, spec: AgentSpec | undefined, cost: { readonly usd: number; readonly estimated: boolean }): Loop['spend'] {
  const { spend } = loop;
  const isSubscription = spec?.billing === 'subscription';
  const subscriptionUsd = isSubscription ? plus(spend.subscriptionUsd, cost.usd) : spend.subscriptionUsd;
  if (!isCounted(loop, spec)) return { ...spend, subscriptionUsd };
  return { ...spend, subscriptionUsd, usd: plus(spend.usd, cost.usd), estimated: spend.estimated || cost.estimated || isSubscription };
}

function plus(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_VALUE);
}

function againstCeiling({ ceilingUsd, spend }: Purse): string {
  return `${spend.estimated ? 'about ' : ''}${dollars(spend.usd)}${ceilingUsd === null ? '' : ` of ${dollars(ceilingUsd)}`}`;
}

function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
