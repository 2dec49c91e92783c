import { join } from 'node:path';
import type { BuiltPackage } from './built-package.ts';
import { fillJournal, TASKS } from './many-tasks.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runForOutput, runTimed } from './run-timed.ts';
import { makeSampleProject } from './sample-project.ts';

const TIMES = 15;

/** The overview of a project with many tasks, beside a Node that does nothing. */
export async function measureStatus(built: BuiltPackage): Promise<Row[]> {
  await using project = await makeSampleProject(1);
  const { root } = project.repository;
  await fillJournal(join(root, '.volley'));
  const options = { cwd: root, env: project.env };
  const printed = await runForOutput(process.execPath, [built.bin, 'status', '--all'], options);
  const shown = printed.split('\n').filter((line) => line.includes('Add greeting')).length;
  if (shown !== TASKS) throw new Error(`status --all told ${shown} tasks of ${TASKS}`);
  const [status = 0, all = 0, nothing = 0] = await alternate(TIMES, [
    async () => await runTimed(process.execPath, [built.bin, 'status'], options),
    async () => await runTimed(process.execPath, [built.bin, 'status', '--all'], options),
    async () => await runTimed(process.execPath, ['-e', '0'], options),
  ]);
  const row = `volley status, ${TASKS.toLocaleString('en')} tasks`;
  const baseline = { value: nothing, unit: 'ms' };
  return [
    judge({
      row,
      ours: { value: status, unit: 'ms' },
      baseline,
      budget: { of: 'ratio', bound: 'at most', limit: 3 },
      note: 'built package; the newest tasks and all open ones are printed; against node -e 0',
    }),
    judge({
      row: `${row}, --all`,
      ours: { value: all, unit: 'ms' },
      baseline,
      budget: null,
      note: 'every task is printed into a pipe; only shown',
    }),
  ];
}
