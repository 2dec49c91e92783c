import { cp, mkdtemp, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { driveLoop } from '../drive.ts';
import { paint } from '../print.ts';
import { progressPrinter } from '../progress.ts';

const TASK = 'Add a discount in percent to the price list';

/** `volley demo`: a whole loop on a sample project, with agents that are small programs. */
export const command: Command = {
  usage: 'demo',
  options: {},
  run: async (typed, io) => {
    refuseWords(typed, 'demo');
    const dir = await makeProject();
    io.out(paint(io, 'bold', 'A sample project was made for you: a small price list with tests.'));
    io.out(`  ${dir}`);
    io.out('Three roles are played by two small programs, so nothing needs a key or a network:');
    io.out('  builder    writes the code and answers findings');
    io.out('  inspector  reviews by running the code, in a throw-away copy without write access to the branch');
    io.out(`The task, as you would type it there:  volley run "${TASK}"`);
    io.out('');
    const code = await runTask(dir, io);
    io.out('');
    for (const line of nextSteps(dir)) io.out(line);
    return code;
  },
};

/** From a checkout there is no command `volley` yet; the alias works with whatever Node the machine has. */
function nextSteps(dir: string): string[] {
  const checkout = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
  const alias = import.meta.url.endsWith('.ts') ? [`  alias volley='npm --silent --prefix ${checkout} start --'`] : [];
  return [
    'Look at it:',
    ...alias,
    `  cd ${dir}`,
    '  volley why 1        the reason of every step',
    '  volley findings 1   what was found, and that it is fixed',
    '  volley land 1       bring the approved branch to main',
    'In your own repository: name your programs in a volley.yaml like the one there, then',
    '  volley run "what you want"     or     volley review --working-tree',
  ];
}

async function makeProject(): Promise<string> {
  const example = fileURLToPath(new URL('../../../examples/scripted-agents/', import.meta.url));
  const dir = join(await realpath(await mkdtemp(join(tmpdir(), 'volley-demo-'))), 'price-list');
  await cp(join(example, 'project'), dir, { recursive: true });
  for (const name of ['volley.yaml', 'agents']) await cp(join(example, name), join(dir, name), { recursive: true });
  const { commitSample } = await import('../../app-sample.ts');
  await commitSample(dir);
  return dir;
}

async function runTask(dir: string, io: Io): Promise<number> {
  const { openApp } = await import('../../app.ts');
  const app = await openApp({ cwd: dir, report: progressPrinter(io) });
  try {
    const loop = await app.start({
      change: { kind: 'authored', base: null },
      task: { kind: 'implement', title: TASK, text: TASK, story: null, plan: null, ref: null, source: { kind: 'authored' }, fix: true },
      flags: {},
    });
    if (loop === null) throw new Error('the sample has nothing to do');
    io.out(paint(io, 'bold', `Task ${loop.id}: ${loop.task.title}`));
    return await driveLoop(app, loop, io);
  } finally {
    await app.close();
  }
}
