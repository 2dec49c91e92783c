import { VolleyError } from '../core/errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The milliseconds of an age as people write it: `12h`, `14d`, `2w`. */
export function parseAge(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  const ms = Number(number) * (UNIT_MS[unit] ?? Number.NaN);
  if (number !== '' && !Number.isNaN(ms)) return ms;
  throw new VolleyError('bad-usage', `'${text}' is not an age.`, 'Write a number with m, h, d or w, such as 12h, 14d or 2w.');
}
