import type { BenchRun } from '../app-bench.ts';
import type { BenchScenario } from '../core/bench-scenario.ts';
import { counted } from '../core/words.ts';
import type { Io } from './command.ts';
import { clean, columns, paint } from './print.ts';
import { dollars } from '../core/ceilings.ts';

/** All runs of a benchmark, and how long it took. */
type Played = { readonly runs: readonly BenchRun[]; readonly durationMs: number };

/** Tells a benchmark as a table, with a line of totals and with what is wrong. */
export function printBench(scenarios: readonly BenchScenario[], { runs, durationMs }: Played, io: Io): void {
  const head = ['scenario', 'ending', 'right', 'rounds', 'calls', 'tokens', 'cost'];
  const groups = scenarios.map((scenario) => runs.filter((run) => run.scenario === scenario)).filter((group) => group.length > 0);
  const [first = '', ...rows] = columns([head, ...groups.map((group) => cells(group, io))]);
  io.out(paint(io, 'bold', first));
  for (const row of rows) io.out(row);
  const total = totalsOf(runs);
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  const words = [
    `${total.right} of ${total.played} right`,
    counted(total.calls, 'call'),
    `${total.tokens} tokens`,
    dollars(total.spendUsd),
  ];
  io.out('');
  io.out(paint(io, total.right === total.played ? 'green' : 'red', `${words.join(', ')}, ${seconds}`));
  for (const run of runs) if (run.problems.length > 0) printWrong(run, io);
}

/** One run for programs. */
export function benchObject({ scenario, run, outcome, problems, durationMs }: BenchRun): object {
  return {
    type: 'bench',
    v: 1,
    scenario: scenario.name,
    theme: scenario.theme,
    run,
    right: problems.length === 0,
    problems,
    expected: scenario.expect,
    ending: outcome?.ending ?? null,
    reason: outcome?.reason ?? null,
    why: outcome?.why ?? null,
    rounds: outcome?.rounds ?? 0,
    calls: outcome?.calls ?? {},
    noVerdict: outcome?.noVerdict ?? [],
    followUps: outcome?.followUps ?? 0,
    tokens: { input: outcome?.inputTokens ?? 0, output: outcome?.outputTokens ?? 0 },
    spend: { usd: outcome?.spendUsd ?? 0, estimated: outcome?.estimated ?? false },
    durationMs,
  };
}

/** The last line for programs: no scenario, but all of them. */
export function totalsObject(runs: readonly BenchRun[], durationMs: number): object {
  return { type: 'bench', v: 1, scenario: null, ...totalsOf(runs), durationMs };
}

/** An ending as people say it. */
export function endingWords(ending: string, reason: string | null): string {
  return ending === 'escalated' ? `needs you: ${reason ?? 'any reason'}` : ending;
}

function totalsOf(
  runs: readonly BenchRun[],
): Readonly<Record<'played' | 'right' | 'wrong' | 'rounds' | 'calls' | 'tokens' | 'spendUsd', number>> {
  const right = runs.filter(({ problems }) => problems.length === 0).length;
  const sum = (count: (run: BenchRun) => number): number => runs.reduce((total, run) => total + count(run), 0);
  return {
    played: runs.length,
    right,
    wrong: runs.length - right,
    rounds: sum(({ outcome }) => outcome?.rounds ?? 0),
    calls: sum(callsOf),
    tokens: sum(tokensOf),
    spendUsd: sum(({ outcome }) => outcome?.spendUsd ?? 0),
  };
}

/** The row of a scenario; of several runs the first wrong one is shown, else the first. */
function cells(group: readonly BenchRun[], io: Io): string[] {
  const wrong = group.filter(({ problems }) => problems.length > 0);
  const shown = wrong[0] ?? group[0];
  if (shown === undefined) return [];
  const { scenario, outcome } = shown;
  const sign = wrong.length === 0 ? paint(io, 'green', '✓') : paint(io, 'red', '✗');
  const spend = `${outcome?.estimated === true ? '~' : ''}${dollars(outcome?.spendUsd ?? 0)}`;
  return [
    scenario.name,
    outcome === null ? 'no loop' : endingWords(outcome.ending, outcome.reason),
    group.length === 1 ? sign : `${sign} ${group.length - wrong.length}/${group.length}`,
    String(outcome?.rounds ?? 0),
    String(callsOf(shown)),
    String(tokensOf(shown)),
    spend,
  ];
}

function printWrong({ scenario, run, outcome, problems }: BenchRun, io: Io): void {
  io.out('');
  io.out(
    `${paint(io, 'red', '✗')} ${scenario.name}${run > 1 ? ` (run ${run})` : ''}: ${endingWords(scenario.expect.ending, scenario.expect.reason ?? null)} would be right. ${scenario.why}`,
  );
  for (const problem of problems) io.out(`    ${clean(problem)}`);
  if (outcome !== null) io.out(paint(io, 'dim', `    it is ${clean(outcome.why)}`));
}

function callsOf({ outcome }: BenchRun): number {
  return Object.values(outcome?.calls ?? {}).reduce((total, calls) => total + calls, 0);
}

function tokensOf({ outcome }: BenchRun): number {
  return (outcome?.inputTokens ?? 0) + (outcome?.outputTokens ?? 0);
}
