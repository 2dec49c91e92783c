import { parseArgs } from 'node:util';
import { buildPackage } from './built-package.ts';
import { measureBoard } from './board.ts';
import type { BuiltPackage } from './built-package.ts';
import { measureCards } from './cards.ts';
import { measureChanges } from './changes.ts';
import { measureConfine } from './confine.ts';
import { measureDiff } from './diff.ts';
import { measureEngine } from './engine.ts';
import { measureIdle } from './idle.ts';
import { measureLive } from './live.ts';
import { measureLoop } from './loop.ts';
import { measurePanel } from './panel.ts';
import { measurePrompt } from './prompt.ts';
import { measureReview } from './review.ts';
import { tableLines } from './row.ts';
import type { Row } from './row.ts';
import { measureStatus } from './status.ts';
import { measureTold } from './told.ts';

const MEASUREMENTS: Readonly<Record<string, (built: BuiltPackage) => Promise<readonly Row[]> | readonly Row[]>> = {
  diff: measureDiff,
  changes: measureChanges,
  prompt: measurePrompt,
  status: measureStatus,
  board: measureBoard,
  engine: measureEngine,
  idle: measureIdle,
  live: measureLive,
  loop: measureLoop,
  confine: measureConfine,
  review: measureReview,
  panel: measurePanel,
  cards: measureCards,
  told: measureTold,
};

const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string' } } });
const names = Object.keys(MEASUREMENTS).filter((name) => values.only === undefined || values.only.split(',').includes(name));
if (names.length === 0) {
  process.stderr.write(`There is no measurement "${values.only}". Choose from ${Object.keys(MEASUREMENTS).join(', ')}.\n`);
  process.exit(1);
}

await using built = await buildPackage();
const rows: Row[] = [];
for (const name of names) {
  process.stderr.write(`measuring ${name}…\n`);
  rows.push(...((await MEASUREMENTS[name]?.(built)) ?? []));
}
if (values.json === true) for (const row of rows) process.stdout.write(`${JSON.stringify({ type: 'bench', v: 1, ...row })}\n`);
else process.stdout.write(`${textLines(rows).join('\n')}\n`);

function textLines(all: readonly Row[]): string[] {
  const missed = all.filter((row) => row.isMet === false);
  return [
    ...tableLines(all),
    '',
    ...all.map((row) => `${row.row}: ${row.note}.`),
    '',
    missed.length === 0 ? 'All budgets are met.' : `Missed: ${missed.map((row) => row.row).join('; ')}.`,
    'Only ratios within one run compare; figures of different runs or machines do not.',
  ];
}
