import { join } from 'node:path';
import type { BuiltPackage } from './built-package.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runTimed } from './run-timed.ts';
import { makeSampleProject } from './sample-project.ts';
import type { SampleProject } from './sample-project.ts';

const ROUNDS = 4;
const TIMES = 9;
const BARE = join(import.meta.dirname, 'bare-loop.sh');

/** A whole loop with agents that take no time, beside a shell script that does no more than it must. */
export async function measureLoop(built: BuiltPackage): Promise<Row[]> {
  // Removed at the end only: file systems are slow to reuse what was deleted a moment ago.
  await using used = new AsyncDisposableStack();
  const volley = async (rounds: number): Promise<number> => await timeVolley(built, used.use(await makeSampleProject(rounds)), rounds);
  const bare = async (rounds: number): Promise<number> => await timeBare(used.use(await makeSampleProject(rounds)), rounds);
  await volley(1);
  const [volleyOne = 0, bareOne = 0, volleyAll = 0, bareAll = 0] = await alternate(TIMES, [
    async () => await volley(1),
    async () => await bare(1),
    async () => await volley(ROUNDS),
    async () => await bare(ROUNDS),
  ]);
  const further = (all: number, one: number): number => (all - one) / (ROUNDS - 1);
  return [
    judge({
      row: `loop of ${ROUNDS} rounds, whole`,
      ours: { value: volleyAll, unit: 'ms' },
      baseline: { value: bareAll, unit: 'ms' },
      budget: { of: 'ratio', bound: 'at most', limit: 6 },
      note: 'built package, confinement copy, in a project that Volley sees for the first time; against bench/bare-loop.sh',
    }),
    judge({
      row: 'loop, each further round',
      ours: { value: further(volleyAll, volleyOne), unit: 'ms' },
      baseline: { value: further(bareAll, bareOne), unit: 'ms' },
      budget: { of: 'ratio', bound: 'at most', limit: 3 },
      note: `the time of ${ROUNDS} rounds less that of one, by ${ROUNDS - 1}`,
    }),
  ];
}

async function timeVolley(built: BuiltPackage, { repository, env }: SampleProject, rounds: number): Promise<number> {
  const args = [built.bin, 'run', 'Add the parts', '--max-rounds', String(rounds)];
  return await runTimed(process.execPath, args, { cwd: repository.root, env });
}

async function timeBare({ repository, worker, reviewer, env }: SampleProject, rounds: number): Promise<number> {
  const args = [BARE, String(rounds), worker, reviewer, join(repository.beside, 'tree')];
  return await runTimed('sh', args, { cwd: repository.root, env });
}
