import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { shellWord } from '../../src/core/words.ts';
import { DEFECT, MENDED } from '../support/defect.ts';
import { makeRepository } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { runCommand } from '../support/run-command.ts';
import { writeProgram, writeVolleyProgram } from '../support/volley-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const Step = z.object({
  name: z.string(),
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  shell: z.literal('bash').optional(),
  env: z.record(z.string(), z.string()).default({}),
  run: z.string().optional(),
});
const Action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  outputs: z.record(z.string(), z.object({ description: z.string(), value: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(Step) }),
});
type Step = z.infer<typeof Step>;
const Sarif = z.object({ version: z.literal('2.1.0'), runs: z.array(z.object({ results: z.array(z.object({ ruleId: z.string() })) })) });

const source = await readFile(join(ROOT, 'action.yml'), 'utf8');
const action = Action.parse(parse(source));

/** What the runner knows when it starts a step, by the expressions of `env`. */
type Known = Readonly<Record<string, string>>;

/** A runner that has checked out a pull request, with a `volley` in its PATH. */
type Runner = AsyncDisposable & {
  readonly repository: TestRepository;
  /** Runs a step as GitHub does, and gives its exit code, its log, and what it set. */
  step(name: string, known?: Known): Promise<{ readonly code: number | null; readonly log: string; readonly outputs: Known }>;
};

async function makeRunner(files: Readonly<Record<string, string>>): Promise<Runner> {
  const repository = await makeRepository();
  await repository.git('switch', '--quiet', '-c', 'feature');
  await repository.commit('feature', files);
  const folder = (name: string): string => join(repository.beside, name);
  await Promise.all(['bin', 'temp', 'home'].map(async (name) => await mkdir(folder(name))));
  await writeVolleyProgram(folder('bin'));
  await writeProgram(folder('bin'), 'npm', `printf '%s\\n' "$@" >${shellWord(folder('npm'))}`);
  return {
    repository,
    async step(name, known = {}) {
      const { run = '', env } = stepOf(name);
      await Promise.all(['output', 'summary'].map(async (file) => await writeFile(folder(file), '')));
      const { exitCode, stdout, stderr } = await runCommand('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        cwd: repository.root,
        env: {
          ...Object.fromEntries(Object.entries(env).map(([variable, expression]) => [variable, valueOf(expression, known)])),
          CI: 'true',
          HOME: folder('home'),
          XDG_STATE_HOME: folder('state'),
          PATH: `${folder('bin')}${delimiter}${process.env['PATH'] ?? ''}`,
          RUNNER_TEMP: folder('temp'),
          GITHUB_ACTION_PATH: ROOT,
          GITHUB_OUTPUT: folder('output'),
          GITHUB_STEP_SUMMARY: folder('summary'),
          GITHUB_REF: 'refs/pull/7/merge',
          GITHUB_SHA: 'f'.repeat(40),
        },
      });
      const lines = (await readFile(folder('output'), 'utf8')).split('\n').filter((line) => line !== '');
      const outputs = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
      return { code: exitCode, log: stdout + stderr, outputs };
    },
    [Symbol.asyncDispose]: async () => await repository[Symbol.asyncDispose](),
  };
}

function stepOf(name: string): Step {
  const step = action.runs.steps.find((one) => one.name === name);
  assert.ok(step !== undefined, `there is no step ${name}`);
  return step;
}

/** An expression that only names something, which is all that `env` has. */
function valueOf(expression: string, known: Known): string {
  const name = /^\$\{\{ ([\w.-]+) \}\}$/.exec(expression)?.[1] ?? '';
  assert.notEqual(name, '', expression);
  return known[name] ?? (name.startsWith('inputs.') ? (action.inputs[name.slice('inputs.'.length)]?.default ?? '') : '');
}

describe('the action for GitHub', { concurrency: 2 }, () => {
  test('scripts get everything through their environment, and every input is used', () => {
    for (const { run = '' } of action.runs.steps) assert.ok(!run.includes('${{'), run);
    const used = new Set([...source.matchAll(/\$\{\{[^}]*?inputs\.([\w-]+)/g)].map(([, name]) => name));
    assert.deepEqual(used, new Set(Object.keys(action.inputs)));
  });

  test('the findings are uploaded before the job fails', () => {
    const names = action.runs.steps.map(({ name }) => name);
    assert.deepEqual(names, ['Set up Node', 'Install Volley', 'Review', 'Upload the findings', 'Judge']);
    assert.match(stepOf('Upload the findings').uses ?? '', /^github\/codeql-action\/upload-sarif@v\d+$/);
    assert.deepEqual([stepOf('Review').if, stepOf('Judge').if], [undefined, '${{ !cancelled() }}']);
  });

  test('a pull request with a defect gives SARIF, a line in the log, and a job that fails', async () => {
    await using runner = await makeRunner({ 'save.js': DEFECT });
    const [base, head] = await Promise.all(['main', 'feature'].map(async (name) => await runner.repository.git('rev-parse', name)));
    const pull = {
      'github.event.pull_request.number': '7',
      'github.event.pull_request.base.sha': base ?? '',
      'github.event.pull_request.head.sha': head ?? '',
    };
    const { code, log, outputs } = await runner.step('Review', pull);
    const sarif = join(runner.repository.beside, 'temp', 'volley.sarif');
    assert.deepEqual(
      [code, outputs],
      [0, { verdict: 'changes_requested', 'exit-code': '3', sarif, ref: 'refs/pull/7/head', sha: head }],
      log,
    );
    assert.match(log, /^- \*\*error\*\* save\.js:2 forEach does not wait for its async callback\./m);
    const [report] = Sarif.parse(JSON.parse(await readFile(sarif, 'utf8'))).runs;
    assert.deepEqual(
      report?.results.map(({ ruleId }) => ruleId),
      ['js-foreach-async'],
    );
    const judged = await runner.step('Judge', {
      'steps.review.outputs.exit-code': '3',
      'steps.review.outputs.verdict': 'changes_requested',
    });
    assert.deepEqual([judged.code, judged.log.trim()], [3, 'Volley: changes_requested']);
    const lenient = await runner.step('Review', { ...pull, 'inputs.args': '--fail-on\n  critical' });
    assert.equal(lenient.outputs['verdict'], 'approved', lenient.log);
    assert.equal(existsSync(join(runner.repository.root, '.volley')), false);
  });

  test('a clean change passes, compared with what is named', async () => {
    await using runner = await makeRunner({ 'save.js': MENDED });
    const { outputs, log } = await runner.step('Review', { 'inputs.base': 'main', 'inputs.reviewer': 'builtin', 'inputs.fail-on': 'low' });
    assert.deepEqual([outputs['verdict'], outputs['exit-code'], outputs['ref']], ['approved', '0', 'refs/pull/7/merge'], log);
    assert.equal((await runner.step('Judge', { 'steps.review.outputs.exit-code': '0' })).code, 0);
  });

  test('options that print something else than a review are an error, in one sentence', async () => {
    await using runner = await makeRunner({ 'save.js': MENDED });
    for (const option of ['--dry-run', '--help']) {
      const { code, log, outputs } = await runner.step('Review', { 'inputs.base': 'main', 'inputs.args': option });
      assert.deepEqual([code, outputs['verdict'], outputs['exit-code'], outputs['sarif']], [0, 'error', '1', ''], log);
      assert.equal(
        log,
        '### Volley: error\n\nNothing was reviewed: volley review printed no SARIF. Take options such as --dry-run and --help out of args.\n',
      );
    }
  });

  test('inputs are words of one command and never commands of their own', async () => {
    await using runner = await makeRunner({ 'save.js': MENDED });
    const evil = '$(touch evil); touch evil #';
    const inputs = { 'inputs.range': evil, 'inputs.reviewer': evil, 'inputs.args': '`touch evil` * ; touch evil' };
    const { outputs, log } = await runner.step('Review', inputs);
    assert.deepEqual([outputs['verdict'], outputs['exit-code'], outputs['sarif']], ['error', '1', ''], log);
    const installed = await runner.step('Install Volley', { 'inputs.version': evil });
    assert.equal(installed.code, 0, installed.log);
    const words = (await readFile(join(runner.repository.beside, 'npm'), 'utf8')).trim().split('\n');
    assert.deepEqual(words, ['install', '--global', '--no-audit', '--no-fund', `volley@${evil}`]);
    assert.ok(!existsSync(join(runner.repository.root, 'evil')) && !existsSync(join(runner.repository.beside, 'temp', 'evil')));
    assert.equal((await runner.step('Judge')).code, 1);
  });
});
