import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAstGrep, writeRules } from '../src/agents/builtin/ast-grep.ts';
import { loadOwnRules } from '../src/agents/builtin/load-rules.ts';
import { findOxlint } from '../src/agents/builtin/oxlint.ts';
import { oxlintConfig } from '../src/agents/builtin/oxlint-rules.ts';
import { makeRepository } from '../test/support/repository.ts';
import type { BuiltPackage } from './built-package.ts';
import { alternate } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runTimed } from './run-timed.ts';

const FILES = 20;
const LINES = 50;
const TIMES = 11;

/** A one-shot review of a change of 1,000 lines, beside the two analysers run by hand with the same rules; and a start that does nothing. */
export async function measureReview(built: BuiltPackage): Promise<Row[]> {
  await using repository = await makeRepository();
  await repository.git('switch', '--quiet', '--create', 'feature');
  const files = Array.from({ length: FILES }, (_, n) => (n % 2 === 0 ? `src/part-${n}.js` : `tools/part_${n}.py`));
  await repository.commit('a change', Object.fromEntries(files.map((path) => [path, codeFor(path)])));
  const options = { cwd: repository.root, env: { ...process.env, XDG_STATE_HOME: join(repository.beside, 'state') } };
  const byHand = await analysers(join(repository.beside, 'rules'), files);
  const review = [built.bin, 'review', '--branch', 'feature'];
  const [kept = 0, unkept = 0, hand = 0, start = 0, nothing = 0] = await alternate(TIMES, [
    async () => await runTimed(process.execPath, review, options),
    async () => await runTimed(process.execPath, [...review, '--no-record'], options),
    async () => {
      let taken = 0;
      for (const [program = '', ...args] of byHand) taken += await runTimed(program, args, options);
      return taken;
    },
    async () => await runTimed(process.execPath, [built.bin, '--version'], options),
    async () => await runTimed(process.execPath, ['-e', '0'], options),
  ]);
  const baseline = { value: hand, unit: 'ms' };
  const row = `one-shot review, ${(FILES * LINES).toLocaleString('en')} lines`;
  return [
    judge({
      row,
      ours: { value: kept, unit: 'ms' },
      baseline,
      budget: { of: 'ours', bound: 'at most', limit: 2000 },
      note: 'built package, a task with its documents and proof; against ast-grep and oxlint by hand with the same rules',
    }),
    judge({
      row: `${row}, --no-record`,
      ours: { value: unkept, unit: 'ms' },
      baseline,
      budget: null,
      note: 'the same without a trace, as in the pre-push hook; only shown',
    }),
    judge({
      row: 'start of the command line',
      ours: { value: start, unit: 'ms' },
      baseline: { value: nothing, unit: 'ms' },
      budget: null,
      note: 'volley --version of the built package against node -e 0; only shown',
    }),
  ];
}

/** The command lines of somebody who has both tools and our rules at hand. */
async function analysers(folder: string, files: readonly string[]): Promise<(readonly string[])[]> {
  const [astGrep, oxlint] = [findAstGrep(), findOxlint()];
  if (astGrep === null || oxlint === null) throw new Error('the analysers are not installed for this platform');
  await mkdir(folder, { recursive: true });
  const rules = await writeRules(await loadOwnRules(['js', 'python']), folder);
  const config = join(folder, 'oxlint.json');
  await writeFile(config, JSON.stringify(oxlintConfig()));
  return [
    [astGrep.program, 'scan', '--config', rules, '--json=stream', ...files],
    [process.execPath, oxlint.program, '--config', config, '--format', 'sarif', ...files.filter((path) => path.endsWith('.js'))],
  ];
}

function codeFor(path: string): string {
  const line = path.endsWith('.py')
    ? (n: number): string => `def step_${n}(rows, limit=10): return [row for row in rows if row["size"] > ${n}][:limit]`
    : (n: number): string => `export const step${n} = (rows, limit = 10) => rows.filter((row) => row.size > ${n}).slice(0, limit);`;
  return Array.from({ length: LINES }, (_, n) => `${line(n)}\n`).join('');
}
