import { z } from 'zod';

const DURATION_RULE = 'must be a duration like 90s, 60m or 2h, at most 500h';
const LONGEST_MS = 500 * 3_600_000;
const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A length of time as people write it: `90s`, `60m`, `2h`. Timers cannot wait longer than 24 days, hence the limit. */
export const Duration = z
  .string({ error: DURATION_RULE })
  .regex(/^[0-9]+(\.[0-9]+)?(s|m|h)$/, { error: DURATION_RULE })
  .refine((text) => isTimerLength(durationMs(text)), { error: DURATION_RULE });

/** The milliseconds of a duration; NaN if the text is none. */
export function durationMs(text: string): number {
  const unit = text.at(-1);
  return unit === 's' || unit === 'm' || unit === 'h' ? Number(text.slice(0, -1)) * UNIT_MS[unit] : Number.NaN;
}

/** A length of time in the form that the file takes. */
export function durationText(ms: number): string {
  const unit = ms % UNIT_MS.m === 0 ? 'm' : 's';
  return `${ms / UNIT_MS[unit]}${unit}`;
}

const MONEY_RULE = 'must be an amount in dollars, like 2.50, or none';

/** An amount in US dollars, or `none` for no limit. */
export const Money = z.union([z.number().nonnegative({ error: MONEY_RULE }), z.literal('none')], { error: MONEY_RULE });
export type Money = z.infer<typeof Money>;

/** The amount in dollars, null for none. */
export function moneyUsd(money: Money): number | null {
  return money === 'none' ? null : money;
}

/** An amount in US dollars. */
export const Dollars = z.number().nonnegative({ error: 'must be 0 or more' });

const NAME_RULE = 'must be a name of letters, digits, - and _';

/** The name of an agent; it has no dot, comma or slash, because names stand in paths, lists and branches. */
export const Name = z.string({ error: NAME_RULE }).regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, { error: NAME_RULE });

const VARIABLE_RULE = 'must be the name of an environment variable, without its value';

/** The name of an environment variable. */
export const VariableName = z.string({ error: VARIABLE_RULE }).regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: VARIABLE_RULE });

const SECRET_RULE = 'must name an environment variable, like env:SLACK_WEBHOOK; secrets are never written in the file';

/** A secret, which the file never holds: it names the environment variable that does. */
export const SecretReference = z.string({ error: SECRET_RULE }).regex(/^env:[A-Za-z_][A-Za-z0-9_]*$/, { error: SECRET_RULE });

const INSIDE_RULE = 'must be a path inside the project, relative to its root and outside of .git';

/** A relative path that neither leaves the project nor reaches into its git folder. */
export const InsidePath = z.string({ error: INSIDE_RULE }).regex(/^(?!\/)(?!(.*\/)?(\.\.|\.git)(\/|$)).+$/, { error: INSIDE_RULE });

/** A whole number from `least` up, or up to `most`. */
export function count(least: number, most: number | null = null): z.ZodNumber {
  const error = `must be a whole number of at least ${least}`;
  const number = z.int({ error }).min(least, { error });
  return most === null ? number : number.max(most, { error: `must be at most ${most}` });
}

/** A list that names nothing twice. */
export function distinct<T extends z.ZodType>(item: T): z.ZodArray<T> {
  return z.array(item).refine((list) => new Set(list).size === list.length, { error: 'must not name anything twice' });
}

/** Text with `{names}`, of which only the given ones exist and the needed ones must be there. */
export function template(known: readonly string[], needed: readonly string[]): z.ZodString {
  return z.string().superRefine((text, context) => {
    for (const [, name = ''] of text.matchAll(/\{([^{}]*)\}/g)) {
      if (!known.includes(name)) context.addIssue({ code: 'custom', message: `must not use {${name}}; it may use ${braced(known)}` });
    }
    const missing = needed.filter((name) => !text.includes(`{${name}}`));
    if (missing.length > 0) context.addIssue({ code: 'custom', message: `must contain ${braced(missing)}` });
  });
}

function isTimerLength(ms: number): boolean {
  return ms > 0 && ms <= LONGEST_MS;
}

function braced(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(', ');
}
