import type { Tally } from './event.ts';
import type { Loop } from './loop.ts';
import type { CeilingOf } from './policy.ts';

/** What money questions need to know of a loop. */
export type Purse = Pick<Loop, 'ceilingUsd' | 'spend' | 'tally' | 'sessions'> &
  Partial<Pick<Loop, 'sessionsLimited'>> & { readonly settings: Pick<Loop['settings'], 'agents' | 'policy'> };

/** A limit that holds for a loop, with what is used of it. */
export type Ceiling = {
  readonly of: CeilingOf;
  readonly limitUsd: number;
  readonly spentUsd: number;
  /** What sessions of other loops may still spend of it. */
  readonly reservedUsd: number;
  readonly estimated: boolean;
  readonly leftUsd: number;
};

/** From this share of a ceiling on people are warned of it. */
export const WARN_AT = 0.8;
/** No session can be paid with less than this; it is what is left by rounding. */
const LEAST_USD = 0.000_001;

/** The ceiling of which least is left, the loop's before its run's and that before the day's; null where none holds. */
export function tightest(loop: Purse): Ceiling | null {
  return ceilingsOf(loop).reduce<Ceiling | null>((least, one) => (least === null || one.leftUsd < least.leftUsd ? one : least), null);
}

/** What may still be spent; null without a ceiling. */
export function moneyLeft(loop: Purse): number | null {
  return tightest(loop)?.leftUsd ?? null;
}

/** The lesser of the loop's ceiling and its run's, which has no other loop; null without either. */
export function ownCeilingUsd({ ceilingUsd: { loop, run } }: Pick<Purse, 'ceilingUsd'>): number | null {
  return loop === null || run === null ? (loop ?? run) : Math.min(loop, run);
}

/** Why no paid session starts. */
export function moneyWhy(loop: Purse): string {
  const ceiling = tightest(loop);
  if (ceiling === null) return 'nothing limits it';
  const spent = `${against(ceiling)} are spent`;
  if (ceiling.of === 'loop') return spent;
  if (ceiling.of === 'run') return `the run's ceiling: ${spent}`;
  return `the day's ceiling: ${spent} by all loops today${reservedWords(ceiling.reservedUsd)}`;
}

/** The warnings that are due because most of a ceiling is spent, without those that were given before. */
export function ceilingWarnings(loop: Purse): readonly { readonly ceiling: CeilingOf; readonly text: string }[] {
  return ceilingsOf(loop).flatMap((ceiling) => {
    const { of, limitUsd, spentUsd, leftUsd } = ceiling;
    if (limitUsd === 0 || spentUsd < limitUsd * WARN_AT || loop.spend.warned.includes(of)) return [];
    const spent = `Spent ${against(ceiling)}${WHERE[of]}`;
    return [{ ceiling: of, text: leftUsd === 0 ? `${spent}: no further paid session starts without your word.` : `${spent}.` }];
  });
}

const WHERE: Record<CeilingOf, string> = { loop: '', run: ' in this run', day: ' by all loops today' };

/** Why the ceiling that a person is asked about cannot be raised to this, or null if it can. */
export function tooLow(loop: Purse, usd: number | null): string | null {
  const asked = tightest(loop);
  const used = asked === null ? loop.spend.usd : asked.spentUsd + asked.reservedUsd;
  if (usd !== null && usd > used) return null;
  if (asked?.of !== 'day') return `the new ceiling must be above ${dollars(used)}, which are spent already`;
  return `the new ceiling must be above ${dollars(used)}, which all loops have spent or reserved on ${loop.tally?.day ?? 'that day'}`;
}

/** The loop with another limit in the place of the one that a person is asked about; the day's is another for this loop alone. */
export function withCeiling<L extends Purse>(loop: L, usd: number | null): L {
  const of = tightest(loop)?.of ?? 'loop';
  const warned = loop.spend.warned.filter((one) => one !== of);
  return { ...loop, ceilingUsd: { ...loop.ceilingUsd, [of]: usd }, spend: { ...loop.spend, warned } };
}

/** Whether a look at the day's spend tells a loop something new. */
export function isNews(known: Tally | null, { day, spentUsd, reservedUsd, estimated }: Tally): boolean {
  if (known === null || known.day !== day || known.estimated !== estimated) return true;
  return Math.abs(known.spentUsd - spentUsd) >= LEAST_USD || Math.abs(known.reservedUsd - reservedUsd) >= LEAST_USD;
}

/** Spend against the ceiling of the loop or its run, for people: `about $0.42 of $2.00`. */
export function againstOwn(loop: Purse): string {
  const { usd: spentUsd, estimated } = loop.spend;
  return against({ spentUsd, estimated, limitUsd: ownCeilingUsd(loop) });
}

/** What all loops spent on a day, for people. */
export function tallyText({ day, reservedUsd, ...tally }: Tally, limitUsd: number | null = null): string {
  return `${against({ ...tally, limitUsd })} by all loops on ${day}${reservedWords(reservedUsd)}`;
}

/** An amount of money as programs are told it: to the millionth of a dollar, without what adding up left behind. */
export function toldUsd(usd: number): number {
  const micros = Math.round(usd * 1_000_000);
  return Number.isSafeInteger(micros) ? micros / 1_000_000 : usd;
}

/** An amount of money, for people. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

function ceilingsOf({ ceilingUsd, spend, tally }: Purse): readonly Ceiling[] {
  const own = { spentUsd: spend.usd, reservedUsd: 0, estimated: spend.estimated };
  return [
    ...limit('loop', ceilingUsd.loop, own),
    ...limit('run', ceilingUsd.run, own),
    ...(tally === null ? [] : limit('day', ceilingUsd.day, tally)),
  ];
}

function limit(of: CeilingOf, limitUsd: number | null, used: Pick<Ceiling, 'spentUsd' | 'reservedUsd' | 'estimated'>): Ceiling[] {
  if (limitUsd === null) return [];
  const { spentUsd, reservedUsd, estimated } = used;
  const leftUsd = limitUsd - spentUsd - reservedUsd;
  return [{ of, limitUsd, spentUsd, reservedUsd, estimated, leftUsd: leftUsd < LEAST_USD ? 0 : leftUsd }];
}

function reservedWords(reservedUsd: number): string {
  return reservedUsd < LEAST_USD ? '' : `, and ${dollars(reservedUsd)} are reserved for sessions at work`;
}

function against({ spentUsd, estimated, limitUsd }: Pick<Ceiling, 'spentUsd' | 'estimated'> & { limitUsd: number | null }): string {
  return `${estimated ? 'about ' : ''}${dollars(spentUsd)}${limitUsd === null ? '' : ` of ${dollars(limitUsd)}`}`;
}
