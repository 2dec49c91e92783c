import { makeRepository } from '../test/support/repository.ts';
import type { ChangeDesk } from '../src/engine/change-desk.ts';
import { openChanges } from '../src/app-changes.ts';
import { openMirror } from '../src/git/mirror.ts';
import { openProject } from '../src/git/project.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runTimed } from './run-timed.ts';
import { samplePath } from './sample-patch.ts';

const FILES = 1_500;
/** Each file loses and gains so many lines, which makes a change of 150,000. */
const EDITED = 50;
const TIMES = 7;
const NEVER = new AbortController().signal;

/** What a panel asks for when it opens a large change, beside git itself doing the same work on the same commits. */
export async function measureChanges(): Promise<Row[]> {
  await using repository = await makeRepository({ files: filesWith('old') });
  const base = await repository.git('rev-parse', 'HEAD');
  const head = await repository.commit('edit', filesWith('new'));
  const project = await openProject(repository.root);
  const mirror = await openMirror({ project, stateDir: `${repository.beside}/state` });
  const fresh = (): ChangeDesk => openChanges({ project, mirror });
  const how = { whitespace: 'show', signal: NEVER } as const;
  const { totals } = await fresh().list({ base, head }, how);
  if (totals.files !== FILES || totals.added + totals.removed !== FILES * EDITED * 2)
    throw new Error(`the change is ${JSON.stringify(totals)}`);
  const known = fresh();
  await known.list({ base, head }, how);
  const path = samplePath(700);
  const bare = async (args: readonly string[]): Promise<number> =>
    await runTimed('git', ['diff-tree', '-r', '-M', ...args, base, head], { cwd: repository.root });
  const [list = 0, again = 0, patch = 0, gitList = 0, gitPatch = 0] = await alternate(TIMES, [
    async () => await timed(async () => await fresh().list({ base, head }, how)),
    async () => await timed(async () => await known.list({ base, head }, how)),
    async () => await timed(async () => await known.patch({ base, head }, { ...how, path, context: 3 })),
    async () => await bare(['--raw', '--numstat', '-z']),
    async () => await runTimed('git', ['diff-tree', '-r', '-M', '--patch', base, head, '--', path], { cwd: repository.root }),
  ]);
  const change = `${FILES.toLocaleString('en')} files, ${(FILES * EDITED * 2).toLocaleString('en')} lines`;
  return [
    judge({
      row: `list of a change, ${change}`,
      ours: { value: list, unit: 'ms' },
      baseline: { value: gitList, unit: 'ms' },
      budget: { of: 'ratio', bound: 'at most', limit: 4 },
      note: 'the first time, with the look for generated files; against a bare git diff-tree --raw --numstat -z',
    }),
    judge({
      row: 'the same list again',
      ours: { value: again, unit: 'ms' },
      baseline: { value: gitList, unit: 'ms' },
      budget: { of: 'ratio', bound: 'at most', limit: 0.1 },
      note: 'what every further page costs; no git runs',
    }),
    judge({
      row: 'patch of one file of it',
      ours: { value: patch, unit: 'ms' },
      baseline: { value: gitPatch, unit: 'ms' },
      budget: { of: 'ratio', bound: 'at most', limit: 3 },
      note: 'against a bare git diff-tree --patch of the same file',
    }),
  ];
}

function filesWith(word: string): Readonly<Record<string, string>> {
  const text = (n: number): string =>
    Array.from(
      { length: 4 * EDITED },
      (_, line) => `  const value${n}_${line} = compute(${line * 17}, '${line % 4 === 0 ? word : 'kept'}');\n`,
    ).join('');
  return Object.fromEntries(Array.from({ length: FILES }, (_, n) => [samplePath(n), text(n)]));
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
