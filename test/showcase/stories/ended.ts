import type { Story } from '../story.ts';
import { approves, builds, mends, rejects } from './turns.ts';

const BUDGET = `import type { Db } from '../db.ts';

/** How many retries all workers together may take in a minute. */
export type Budget = { take(): Promise<boolean> };

const PER_MINUTE = 60;

const TAKE = \`update retry_budget
  set taken = case when minute = date_trunc('minute', now()) then taken + 1 else 1 end,
      minute = date_trunc('minute', now())
  where taken < $1 or minute < date_trunc('minute', now())
  returning taken\`;

/** A budget that lies in the database, where every worker sees it. */
export function sharedBudget(db: Db, perMinute = PER_MINUTE): Budget {
  return {
    // One statement, so that two workers never take the same retry.
    take: async () => (await db.get(TAKE, perMinute)) !== undefined,
  };
}
`;

/** Loops that came to an end today, well or not. */
export const ENDED: readonly Story[] = [
  {
    title: 'Currency-aware rounding for partial refunds',
    author: 'codex',
    reviewer: ['claude'],
    fixer: 'codex',
    minutesAgo: 121,
    turns: [
      builds({
        costUsd: 0.22,
        summary: 'Round as the currency does',
        write: {
          'src/charges/rounding.ts':
            'const DIGITS: Readonly<Record<string, number>> = { JPY: 0, EUR: 2, USD: 2 };\n\n/** A part of an amount, rounded to what the currency can pay. */\nexport function partOf(amount: number, share: number, currency: string): number {\n  return Math.round(amount * share * 10 ** DIGITS[currency]!) / 10 ** DIGITS[currency]!;\n}\n',
        },
      }),
      rejects({
        round: 1,
        costUsd: 0.11,
        issues: [
          {
            file: 'src/charges/rounding.ts',
            at: 'return Math.round',
            severity: 'high',
            category: 'logic',
            description: 'Amounts are in minor units already: the digits must not count twice.',
          },
        ],
      }),
      mends({
        round: 1,
        costUsd: 0.12,
        summary: 'Minor units are rounded as they are',
        findings: [1],
        write: {
          'src/charges/rounding.ts':
            '/** A part of an amount in minor units, rounded half to even, so that many parts add up. */\nexport function partOf(amount: number, share: number): number {\n  const exact = amount * share;\n  const floor = Math.floor(exact);\n  if (exact - floor !== 0.5) return Math.round(exact);\n  return floor % 2 === 0 ? floor : floor + 1;\n}\n',
        },
      }),
      approves({ round: 2, costUsd: 0.07 }),
    ],
  },
  {
    title: 'Strip card data from error reports',
    reviewer: ['codex', 'opencode'],
    minutesAgo: 31,
    turns: [
      builds({
        costUsd: 0.26,
        summary: 'Reports carry names, not values',
        write: {
          'src/errors.ts':
            'const SECRET = /card|pan|cvc|source/i;\n\n/** What error reports may carry; everything else stays here. */\nexport function reportOf(error: unknown, context: Readonly<Record<string, unknown>>): Record<string, unknown> {\n  const kept = Object.entries(context).filter(([name]) => !SECRET.test(name));\n  return { message: error instanceof Error ? error.message : String(error), context: Object.fromEntries(kept) };\n}\n',
        },
      }),
      rejects({
        round: 1,
        agent: 'codex',
        costUsd: 0.12,
        issues: [
          {
            file: 'src/errors.ts',
            at: 'const kept',
            severity: 'high',
            category: 'security',
            description: 'Only the top level is filtered: `context.request.card` goes out as it is.',
            impact: 'Card numbers reach the error tracker, which is outside of the vault.',
          },
        ],
      }),
      approves({ round: 1, agent: 'opencode', costUsd: 0.05 }),
      mends({
        round: 1,
        costUsd: 0.14,
        summary: 'Filter at every depth',
        findings: [1],
        write: {
          'src/errors.ts':
            "const SECRET = /card|pan|cvc|source/i;\n\n/** What error reports may carry; everything else stays here. */\nexport function reportOf(error: unknown, context: Readonly<Record<string, unknown>>): Record<string, unknown> {\n  return { message: error instanceof Error ? error.message : String(error), context: without(context) };\n}\n\nfunction without(value: unknown): unknown {\n  if (Array.isArray(value)) return value.map(without);\n  if (typeof value !== 'object' || value === null) return value;\n  return Object.fromEntries(Object.entries(value).flatMap(([name, part]) => (SECRET.test(name) ? [] : [[name, without(part)]])));\n}\n",
        },
      }),
      approves({ round: 2, agent: 'codex', costUsd: 0.09, summary: 'Card data is dropped at every depth; I sent a nested one through.' }),
      approves({ round: 2, agent: 'opencode', costUsd: 0.05 }),
    ],
  },
  {
    title: 'Retry budget shared across workers',
    author: 'codex',
    reviewer: ['claude'],
    minutesAgo: 9,
    breaks: 'The test gate could not be started: too many files are open.',
    turns: [
      builds({
        costUsd: 0.58,
        summary: 'One budget for all workers',
        write: {
          'src/acquirer/budget.ts': BUDGET,
        },
      }),
    ],
  },
  {
    title: 'Card numbers in the audit log',
    author: 'claude',
    minutesAgo: 185,
    words: [{ do: 'cancel', reason: 'The audit log moves to the vault next month.' }],
    until: 'reviewed-1',
    turns: [
      builds({
        costUsd: 0.18,
        summary: 'Mask card numbers',
        write: {
          'src/audit.ts':
            "/** A line of the audit log, with card numbers masked. */\nexport function auditLine(text: string): string {\n  return text.replace(/\\d{12}(\\d{4})/g, '************$1');\n}\n",
        },
      }),
      rejects({
        round: 1,
        costUsd: 0.08,
        issues: [
          {
            file: 'src/audit.ts',
            at: 'return text.replace',
            severity: 'high',
            category: 'security',
            description: 'Numbers with spaces or dashes are not masked.',
          },
        ],
      }),
    ],
  },
  {
    title: 'Expose authorisation expiry in the API',
    author: 'claude',
    reviewer: ['codex'],
    autoReview: false,
    minutesAgo: 18,
    turns: [
      builds({
        costUsd: 0.34,
        summary: 'Authorisations say when they end',
        replace: [
          ['docs/api/charges.md', 'Answers `201`', '`expires_at` says when an authorisation ends that was not captured.\n\nAnswers `201`'],
        ],
        write: {
          'src/charges/expiry.ts':
            'const DAYS: Readonly<Record<string, number>> = { visa: 7, mastercard: 30 };\n\n/** When an authorisation ends. */\nexport function expiresAt(authorisedAt: Date, network: string): Date {\n  return new Date(authorisedAt.getTime() + (DAYS[network] ?? 7) * 86_400_000);\n}\n',
        },
      }),
    ],
  },
  {
    title: 'Review of payouts before the freeze',
    branch: 'payouts',
    reviewer: ['codex'],
    minutesAgo: 52,
    turns: [
      rejects({
        round: 1,
        costUsd: 0.16,
        summary: 'The statement is pasted together.',
        issues: [
          {
            file: 'src/payouts/schedule.ts',
            at: 'await db.all(',
            severity: 'medium',
            category: 'security',
            description: 'The day is pasted into the statement. It comes from the clock today; the next caller will pass what a user sent.',
            suggestion: 'Bind it as a parameter.',
          },
          {
            file: 'src/payouts/schedule.ts',
            at: 'Number(row',
            severity: 'low',
            category: 'logic',
            description: '`sum` of bigints is text; above 2⁵³ the number is not exact.',
          },
        ],
      }),
    ],
  },
];
