import type { BuiltPackage } from './built-package.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runTimed } from './run-timed.ts';
import { makeSampleProject } from './sample-project.ts';
import type { SampleProject } from './sample-project.ts';

const ROUNDS = 4;
/** The author, a reviewer in each round, a fixer between two. */
const SESSIONS = 2 * ROUNDS;
const TIMES = 9;

/** What it costs that the operating system holds every session, beside the same loop in mere copies. */
export async function measureConfine(built: BuiltPackage): Promise<Row[]> {
  await using used = new AsyncDisposableStack();
  const time = async (level: 'os' | 'copy'): Promise<number> => await timeLoop(built, used.use(await makeSampleProject(ROUNDS)), level);
  await time('os');
  const [os = 0, copy = 0] = await alternate(TIMES, [async () => await time('os'), async () => await time('copy')]);
  return [
    judge({
      row: `loop of ${ROUNDS} rounds in the sandbox`,
      ours: { value: os, unit: 'ms' },
      baseline: { value: copy, unit: 'ms' },
      budget: null,
      note: 'built package, confinement os with a network through the proxy, against confinement copy; the probe was made before',
    }),
    judge({
      row: 'sandbox, each session',
      ours: { value: (os - copy) / SESSIONS, unit: 'ms' },
      baseline: { value: copy / SESSIONS, unit: 'ms' },
      budget: null,
      note: `the difference of both, by ${SESSIONS} sessions, against what a session takes without it`,
    }),
  ];
}

async function timeLoop(built: BuiltPackage, { repository, env }: SampleProject, level: 'os' | 'copy'): Promise<number> {
  const options = { cwd: repository.root, env: { ...env, VOLLEY_CONFINE: level } };
  await runTimed(process.execPath, [built.bin, 'doctor'], options);
  return await runTimed(
    process.execPath,
    [built.bin, 'run', 'Add the parts', '--max-rounds', String(ROUNDS), ...(level === 'os' ? ['--require-sandbox'] : [])],
    options,
  );
}
