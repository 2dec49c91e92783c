import type { BenchRun } from '../../app-bench.ts';
import { VolleyError } from '../../core/errors.ts';
import { counted } from '../../core/words.ts';
import { textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { INTERRUPTED, stopOnSignals } from '../drive.ts';
import { columns, paint } from '../print.ts';
import { benchObject, endingWords, printBench, totalsObject } from '../print-bench.ts';

/** `volley bench loops`: whether loops end as they should, whatever the agents do. */
export const command: Command = {
  usage: 'bench loops [NAME…] [--repeat N]',
  options: { repeat: { type: 'string', value: 'N', help: 'play everything so many times (1)' } },
  run: async (typed, io) => {
    const [what, ...names] = typed.positionals;
    if (what === undefined) return await listScenarios(io);
    if (what !== 'loops') throw new VolleyError('bad-usage', `There is no benchmark '${what}'.`, 'Write volley bench loops.');
    return await playAll(names, repeatOf(typed), io);
  },
};

function repeatOf(typed: Typed): number {
  const text = textOption(typed, 'repeat') ?? '1';
  if (/^[1-9][0-9]{0,3}$/.test(text)) return Number(text);
  throw new VolleyError('bad-usage', `'${text}' is no number of times.`, 'Write a whole number of at least 1 after --repeat.');
}

async function listScenarios(io: Io): Promise<number> {
  const { readScenarios } = await import('../../app-bench.ts');
  const scenarios = await readScenarios();
  io.out(`volley bench loops plays ${counted(scenarios.length, 'scenario')} with scripted agents; no model, no network, no cost.`);
  io.out('volley bench loops NAME… plays some of them.');
  let theme: string | null = null;
  const rows = columns(scenarios.map(({ name, expect }) => [`  ${name}`, endingWords(expect.ending, expect.reason ?? null)]));
  for (const [index, scenario] of scenarios.entries()) {
    if (scenario.theme !== theme) io.out(`\n${paint(io, 'bold', scenario.theme)}`);
    theme = scenario.theme;
    io.out(rows[index] ?? '');
    const { name, about, why, expect } = scenario;
    io.object({ type: 'bench', v: 1, scenario: name, theme, about, why, expect });
  }
  return 0;
}

/** A minute without a sign of life is long. */
const TELL_EVERY = 20;

async function playAll(names: readonly string[], repeat: number, io: Io): Promise<number> {
  const { openBenchHome, readScenarios, runBench } = await import('../../app-bench.ts');
  const scenarios = await readScenarios(names);
  const stop = stopOnSignals(io, () => 'Stopping; agents are being ended and the repositories removed…');
  const home = await openBenchHome();
  const runs: BenchRun[] = [];
  const startedMs = performance.now();
  try {
    const total = scenarios.length * repeat;
    io.out(paint(io, 'dim', `Playing ${counted(total, 'scenario')}, two at a time…`));
    await runBench(home.dir, { scenarios, repeat, signal: stop.signal }, (run) => {
      runs.push(run);
      io.object(benchObject(run));
      if (io.interactive && runs.length % TELL_EVERY === 0) io.out(paint(io, 'dim', `  ${runs.length} of ${total}`));
    });
  } finally {
    await home.remove();
    stop.release();
  }
  const durationMs = Math.round(performance.now() - startedMs);
  printBench(scenarios, { runs, durationMs }, io);
  io.object(totalsObject(runs, durationMs));
  if (stop.signal.aborted) return INTERRUPTED;
  return runs.every(({ problems }) => problems.length === 0) ? 0 : 1;
}
