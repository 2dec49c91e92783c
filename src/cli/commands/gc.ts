import type { Tidied, TidyReport } from '../../app-gc.ts';
import { parseAge } from '../age.ts';
import { bytesText } from '../bytes.ts';
import { hasFlag, refuseWords, textOption } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { clean, columns, paint } from '../print.ts';

const USAGE = 'gc [--dry-run] [--older-than 14d] [--caches]';
const OLDER_THAN = '14d';

/** `volley gc`: removes what no task needs any more. */
export const command: Command = {
  usage: USAGE,
  options: {
    'dry-run': { type: 'boolean', help: 'only tell what would be removed' },
    'older-than': { type: 'string', value: 'AGE', help: `how old history has to be: 12h, 14d, 2w (${OLDER_THAN})` },
    caches: { type: 'boolean', help: 'also the home of agents and gates, with their caches' },
  },
  run: async (typed, io) => {
    refuseWords(typed, USAGE);
    const olderThanMs = parseAge(textOption(typed, 'older-than') ?? OLDER_THAN);
    const dryRun = hasFlag(typed, 'dry-run');
    const { tidyUp } = await import('../../app-gc.ts');
    printTidied(await tidyUp({ cwd: io.cwd, olderThanMs, dryRun, caches: hasFlag(typed, 'caches') }), { dryRun, io });
    return 0;
  },
};

function printTidied(report: TidyReport, { dryRun, io }: { readonly dryRun: boolean; readonly io: Io }): void {
  const { tidied, freedBytes, left, cacheBytes } = report;
  for (const one of tidied) io.object({ type: 'garbage', v: 1, ...one });
  io.object({ type: 'gc', v: 1, dryRun, freedBytes, cacheBytes, left });
  for (const line of columns(tidied.map(rowOf))) io.out(line);
  for (const sentence of left) io.out(paint(io, 'dim', `  ${clean(sentence)}`));
  if (cacheBytes > 0) io.out(paint(io, 'dim', `  Caches of agents and gates stay: ${bytesText(cacheBytes)} (volley gc --caches).`));
  if (tidied.length === 0) io.out('Nothing to remove.');
  else io.out(`${dryRun ? 'Would free' : 'Freed'} ${bytesText(freedBytes)}.`);
}

function rowOf({ kind, count, bytes }: Tidied): readonly string[] {
  const size = bytes === null ? '' : bytesText(bytes);
  return [`  ${kind}`, (count === null ? '' : String(count)).padStart(COUNT_WIDTH), size.padStart(SIZE_WIDTH)];
}

const COUNT_WIDTH = 5;
const SIZE_WIDTH = 8;
