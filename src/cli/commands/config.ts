import { VolleyError } from '../../core/errors.ts';
import type { Command } from '../command.ts';
import { clean, columns, paint } from '../print.ts';

/** `volley config show`. */
export const command: Command = {
  usage: 'config show',
  options: {},
  run: async (typed, io) => {
    if (typed.positionals.join(' ') !== 'show')
      throw new VolleyError('bad-usage', `'${typed.positionals.join(' ')}' is not a part of config.`, 'Write volley config show.');
    const { settingRows } = await import('../../app-start.ts');
    const rows = await settingRows(io.cwd);
    for (const row of rows) io.object({ type: 'setting', v: 1, path: row.path, value: row.value, origin: row.origin });
    for (const line of columns(rows.map((row) => [row.path, clean(row.text), paint(io, 'dim', row.origin)]))) io.out(line);
    return 0;
  },
};
