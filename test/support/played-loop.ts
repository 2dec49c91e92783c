import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import type { TaskRequest } from '../../src/app.ts';
import type { Loop } from '../../src/core/loop.ts';
import { plainTask } from '../../src/core/task.ts';
import type { Play, ServedProject } from './served.ts';

const FILLER = Array.from({ length: 10 }, (_, index) => `export const filler${index} = ${index};`);

function fileText(sum: string, twice: string): string {
  return [`export const add = (a, b) => ${sum};`, ...FILLER, `export const twice = (a) => ${twice};`, ''].join('\n');
}

const SUM = { file: 'add.js', line: 1, severity: 'high', category: 'logic', description: 'The sum is a difference.' };
const TWICE = { file: 'add.js', line: 12, severity: 'high', category: 'logic', description: 'The double is the number itself.' };

/** Agents of a loop that ends in a question: what was fixed after round 1 is broken again by the fix of round 2. */
export const SWINGING: { readonly author: Play; readonly reviewer: Play; readonly fixer: Play } = {
  author: async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
    await writeFile(join(cwd, 'add.js'), fileText('a - b', 'a'));
    yield fakeEnded(JSON.stringify({ summary: 'It adds.' }));
  },
  reviewer: async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
    yield { type: 'text', stream: 'stdout', text: 'I look at the sums: Größe €.\n' };
    const text = await readFile(join(cwd, 'add.js'), 'utf8');
    const issues = text.includes('a - b') ? [SUM] : text.includes('=> a;') ? [TWICE] : [];
    yield fakeEnded(
      JSON.stringify({
        passed: issues.length === 0,
        summary: 'I looked at the sums.',
        interpretedIntent: 'Numbers are to be added.',
        intentSatisfied: true,
        issues,
      }),
    );
  },
  fixer: async function* ({ cwd, subject, round }: AgentInput): AsyncGenerator<AgentEvent> {
    await writeFile(join(cwd, 'add.js'), round === 1 ? fileText('a + b', 'a') : fileText('a - b', '2 * a'));
    const resolutions = subject.findings.map(({ id }) => ({ findingId: id, status: 'fixed', note: `Mended in round ${round}.` }));
    yield fakeEnded(JSON.stringify({ summary: `Answers round ${round}.`, resolutions }));
  },
};

/** Agents of a loop that is approved at once. */
export const SMOOTH: { readonly author: Play; readonly reviewer: Play } = {
  author: async function* ({ cwd, task }: AgentInput): AsyncGenerator<AgentEvent> {
    await writeFile(join(cwd, `add-${task}.js`), fileText('a + b', '2 * a'));
    yield fakeEnded('{}');
  },
  reviewer: () => [fakeEnded(JSON.stringify({ passed: true, summary: 'All is well.' }))],
};

/** Writes a task, and drives it until it rests where nothing else is said. */
export async function playLoop(
  { app }: Pick<ServedProject, 'app'>,
  title: string,
  { drive = true, ...more }: Partial<Omit<TaskRequest, 'task'>> & { readonly drive?: boolean; readonly group?: string } = {},
): Promise<Loop> {
  const { group = null, ...request } = more;
  const task = plainTask({ kind: 'implement', title, source: { kind: 'authored' }, group });
  const loop = await app.start({ change: { kind: 'authored', base: null }, flags: {}, autoReview: true, ...request, task });
  if (loop === null) throw new Error('there is nothing to review');
  if (drive) await app.drive([loop.id], new AbortController().signal);
  return await app.load(loop.id);
}
