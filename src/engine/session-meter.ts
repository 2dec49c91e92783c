import type { AgentEvent } from '../agents/agent.ts';
import type { CostBasis } from '../core/proof.ts';
import { amountOf } from '../core/readers/coerce.ts';
import type { Usage } from '../core/review.ts';
import { isPaid } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import { greaterUsage, meterUsage, NO_USAGE, startMeter, usageOfMeter, usageSince } from '../core/usage-meter.ts';

/** Whose session is metered, what it may spend, and what tokens cost. */
export type MeteredSession = {
  readonly spec: AgentSpec;
  readonly reservedUsd: number | null;
  price(this: void, model: string | null, usage: Usage): Promise<number | null>;
};

/** What a session used, and how its cost is known. */
export type Metered = { readonly usage: Usage | null; readonly costBasis: CostBasis | null };

/** Follows what one session uses while it works. */
export type SessionMeter = {
  /** Takes an event of the session; true: its reservation is used up, so it has to stop. */
  take(event: AgentEvent): Promise<boolean>;
  /** The sum, with what the agent reported at its end. */
  close(reported: Usage | null): Promise<Metered>;
};

type Cost = { readonly usd: number; readonly basis: 'reported' | 'priced' };

/** A meter for a session that begins. Money that an agent reports beats the price of its tokens. */
export function openSessionMeter({ spec, reservedUsd, price }: MeteredSession): SessionMeter {
  let meter = startMeter(null);
  let { model } = spec;
  let priced: number | null = null;
  let hasUnpriced = false;

  /** Each step is priced by itself: models may differ between steps, and long prompts may cost more. */
  const addPrice = async (before: Usage | null, after: Usage | null): Promise<void> => {
    if (after === null || !isPaid(spec)) return;
    const used = usageSince(before, after);
    if ((used.inputTokens ?? 0) + (used.outputTokens ?? 0) === 0) return;
    const usd = amountOf(await price(model, used));
    if (usd === null) hasUnpriced = true;
    else priced = (priced ?? 0) + usd;
  };
  const costSoFar = (): Cost | null => chooseCost(usageOfMeter(meter)?.costUsd ?? null, priced);
  return {
    async take(event) {
      if (event.type === 'usage') {
        const before = usageOfMeter(meter);
        meter = meterUsage(meter, event);
        model = event.model ?? model;
        await addPrice(before, usageOfMeter(meter));
      }
      return reservedUsd !== null && (costSoFar()?.usd ?? 0) > reservedUsd;
    },
    async close(reported) {
      const streamed = usageOfMeter(meter);
      const last = reported === null || isEmptyForm(reported) ? null : greaterUsage(reported, NO_USAGE);
      const usage = last === null ? streamed : greaterUsage(streamed ?? NO_USAGE, last);
      if ((last?.costUsd ?? 0) === 0) await addPrice(streamed, usage);
      const cost = greaterCost(costSoFar(), last?.costUsd ?? null);
      const isLeast = cost?.basis === 'priced' && hasUnpriced;
      return settle({ spec, reservedUsd }, { usage, cost, isLeast });
    },
  };
}

/** A cost of nothing for tokens that have a price only says that the agent does not know it. */
function chooseCost(reported: number | null, priced: number | null): Cost | null {
  if (reported !== null && (reported > 0 || (priced ?? 0) === 0)) return { usd: reported, basis: 'reported' };
  return priced === null ? null : { usd: priced, basis: 'priced' };
}

/** What an agent says at its end never lowers what was seen before. */
function greaterCost(seen: Cost | null, saidUsd: number | null): Cost | null {
  return saidUsd !== null && saidUsd >= (seen?.usd ?? 0) ? { usd: saidUsd, basis: 'reported' } : seen;
}

/** The form that prompts show has zeros; no session works without tokens, so an agent that returns it knows nothing. */
function isEmptyForm({ inputTokens, outputTokens, costUsd }: Usage): boolean {
  return inputTokens === 0 && outputTokens === 0 && costUsd === 0;
}

type Sum = { readonly usage: Usage | null; readonly cost: Cost | null; /** Some tokens have no price. */ readonly isLeast: boolean };

function settle({ spec, reservedUsd }: Pick<MeteredSession, 'spec' | 'reservedUsd'>, { usage, cost, isLeast }: Sum): Metered {
  if (!isPaid(spec) && (cost?.usd ?? 0) === 0) return { usage, costBasis: 'free' };
  const withCost = (costUsd: number): Usage => ({ ...(usage ?? NO_USAGE), costUsd });
  if (cost !== null && (!isLeast || reservedUsd === null)) return { usage: withCost(cost.usd), costBasis: cost.basis };
  if (reservedUsd === null) return { usage, costBasis: null };
  return { usage: withCost(Math.max(reservedUsd, cost?.usd ?? 0)), costBasis: 'reserved' };
}
