import { VolleyError } from '../../core/errors.ts';
import { refuseWords, textOption } from '../command.ts';
import type { Command } from '../command.ts';
import { statsLines } from '../stats-lines.ts';

/** `volley stats`: what the loops of this project came to. */
export const command: Command = {
  usage: 'stats [--days N]',
  options: { days: { type: 'string', value: 'N', help: 'only the last N days, today included (the days of UTC)' } },
  run: async (typed, io) => {
    refuseWords(typed, 'stats [--days N]');
    const days = daysOf(textOption(typed, 'days'));
    const { readAnalytics } = await import('../../app-stats.ts');
    const numbers = await readAnalytics(io.cwd, days);
    io.object(numbers);
    io.out(statsLines(numbers, { io, days }).join('\n'));
    return 0;
  },
};

const MOST_DAYS = 3650;

function daysOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const days = /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : Infinity;
  if (days <= MOST_DAYS) return days;
  throw new VolleyError('bad-usage', `'${text}' is no number of days.`, `Write one from 1 to ${MOST_DAYS}, such as --days 30.`);
}
