import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openBoard } from '../../src/app-board.ts';
import type { DrivenRow } from '../../src/app-board.ts';
import { applyEvent } from '../../src/core/apply.ts';
import { wantsWork } from '../../src/core/decide.ts';
import type { JournalEntry } from '../../src/core/event.ts';
import type { Loop } from '../../src/core/loop.ts';
import { documentPath } from '../../src/engine/artefacts.ts';
import { guardGroup, guardMarker, releaseMarker } from '../../src/lib/watchdog.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { APPROVED, eventually, issue, makeScenario, rejected } from './scenario.ts';
import type { Scenario, ScriptedAgent } from './scenario.ts';
import { userState } from './user-state.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Halves the time that a command takes to start, and these tests start hundreds. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/volley-scenarios', import.meta.url));

/** The steps of a loop in which a program of the user runs, in the order in which a loop comes to them. */
export const PHASES = ['setup', 'author', 'gate', 'reviewer', 'fixer'] as const;
export type Phase = (typeof PHASES)[number];

/** How a command ended: by itself with a code, or by a signal. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** A command in a process group of its own, so that the whole group can be killed. */
export type Running = { readonly pid: number; readonly ended: Promise<Ended> };

/** A scenario whose loop is rejected once, fixed and approved, and whose programs can be told to hang. */
export type Stage = Scenario & {
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Running;
  /** Starts a command and waits until a program of the phase has done its work and hangs, with children that do not want to die. */
  untilHanging(phase: Phase, args: readonly string[], how?: 'stubborn'): Promise<Running>;
  /** Starts a command and waits until its process stands still at a failpoint. */
  untilFrozen(failpoint: string, args: readonly string[]): Promise<Running>;
  /** How often a program of the phase was started. */
  starts(phase: Phase): Promise<number>;
  /** The refs of unfinished work that Volley's own repository keeps for a loop, with the files that differ in each. */
  partials(id?: number): Promise<Readonly<Record<string, string>>>;
  /** What Volley's own folder holds of loops: checkouts, throw-away repositories, folders of sessions, locks. */
  leftovers(): readonly string[];
  /** The processes that have to do with this scenario, with their command lines. */
  processes(): readonly string[];
};

/** Makes a stage, with a set-up command and a gate. */
export async function makeStage(): Promise<Stage> {
  const control = mkdtempSync(join(tmpdir(), 'volley-control-'));
  await writeFile(join(control, 'phase.sh'), phaseScript(control));
  const step = (phase: Phase): string => `phase=${phase}; . ${join(control, 'phase.sh')}`;
  const config = { checkout: { setup: step('setup') }, gates: [{ name: 'test', run: step('gate') }] };
  const scenario = await makeScenario({ agents: cast(step), config });
  const groups = new Set<number>();
  const run: Stage['run'] = (args, env) => startGroup(scenario, groups, { args, env: env ?? {} });
  return {
    ...scenario,
    run,
    untilHanging: async (phase, args, how) => {
      await writeFile(join(control, `hang-${phase}`), how ?? '');
      const running = run(args);
      const hangs = async (): Promise<boolean> => await Promise.resolve(existsSync(join(control, `hangs-${phase}`)));
      await eventually(`the ${phase} hangs`, hangs).catch(async (error: unknown) => {
        killGroup(running.pid);
        throw new Error(JSON.stringify(await running.ended), { cause: error });
      });
      rmSync(join(control, `hangs-${phase}`));
      return running;
    },
    untilFrozen: async (failpoint, args) => {
      const running = run(args, { VOLLEY_FAILPOINT: `freeze:${failpoint}` });
      await eventually(`it stands still at "${failpoint}"`, async () => await Promise.resolve(isFrozen(running.pid)));
      return running;
    },
    starts: async (phase) =>
      (await readFile(join(control, 'starts'), 'utf8').catch(() => '')).split('\n').filter((line) => line === phase).length,
    partials: async (id = 1) => await readPartials(scenario, id),
    leftovers: () => readLeftovers(scenario.state),
    processes: () => processesWith(scenario.repository.beside),
    async [Symbol.asyncDispose]() {
      for (const pid of groups) killGroup(pid);
      await scenario[Symbol.asyncDispose]();
      rmSync(control, { recursive: true, force: true });
    },
  };
}

/** Kills a whole process group; one that is gone already is fine. */
export function killGroup(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** Lets a process that stands still go on, as often as it comes to its failpoint again, and waits for its end. */
export async function thaw(running: Running): Promise<Ended> {
  const thawing = setInterval(() => killGroup(running.pid, 'SIGCONT'), 20);
  return await running.ended.finally(() => clearInterval(thawing));
}

function isFrozen(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}

function cast(step: (phase: Phase) => string): Record<'author' | 'reviewer' | 'fixer', ScriptedAgent> {
  return {
    author: {
      by: 'call',
      turns: [{ write: { 'code.txt': 'wrong\n' }, run: step('author'), result: { summary: 'Written', taskComplete: true } }],
    },
    reviewer: {
      by: 'round',
      turns: [
        { run: step('reviewer'), result: rejected(issue('It is wrong.', { file: 'code.txt', line: 1 })) },
        { run: step('reviewer'), result: APPROVED },
      ],
    },
    fixer: { by: 'call', turns: [{ write: { 'code.txt': 'right\n' }, run: step('fixer'), result: { summary: 'Mended' } }] },
  };
}

/** Notes its start; if told to, it hangs beside a child that ignores signals and a grandchild in a session of its own. */
function phaseScript(control: string): string {
  return `
echo $phase >> '${control}/starts'
if [ -e '${control}'/hang-$phase ]; then
  [ -s '${control}'/hang-$phase ] && trap '' TERM INT HUP
  rm '${control}'/hang-$phase
  (trap '' TERM INT HUP; sleep 1000) &
  (setsid sh -c 'trap "" TERM INT HUP; sleep 1000 & wait') &
  touch '${control}'/hangs-$phase
  wait
fi
`;
}

function startGroup(
  scenario: Scenario,
  groups: Set<number>,
  how: { args: readonly string[]; env: Readonly<Record<string, string>> },
): Running {
  const kept = Object.entries(process.env).filter(([name]) => name !== 'CI' && !/^(VOLLEY|GIT|XDG|NODE)_/.test(name));
  const home = join(scenario.repository.beside, 'home');
  const env = {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_STATE_HOME: scenario.state,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_NOSYSTEM: '1',
    // Scripted agents write down what they did beside their checkout; what the sandbox lets them has tests of its own.
    VOLLEY_CONFINE: 'copy',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...how.env,
  };
  const child = spawn(process.execPath, [MAIN, ...how.args], {
    cwd: scenario.root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<Pick<Ended, 'code' | 'signal'>>((resolve, reject) =>
    child.once('error', reject).once('close', (code, signal) => resolve({ code, signal })),
  );
  const pid = child.pid ?? 0;
  groups.add(pid);
  // If these tests are killed themselves, nothing of theirs stays either.
  const marker = `test-group-${pid}`;
  guardMarker(marker);
  guardGroup(marker, pid);
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([end, stdout, stderr]) => {
    groups.delete(pid);
    releaseMarker(marker);
    return { ...end, stdout, stderr };
  });
  return { pid, ended };
}

async function readPartials(scenario: Scenario, id: number): Promise<Readonly<Record<string, string>>> {
  const git = async (...args: readonly string[]): Promise<string> =>
    await scenario.repository.git(`--git-dir=${join(projectFolder(scenario.state), 'repo.git')}`, ...args);
  const refs = (await git('for-each-ref', '--format=%(refname)', `refs/volley/${id}/partial-*`)).split('\n').filter((ref) => ref !== '');
  return Object.fromEntries(await Promise.all(refs.map(async (ref) => [ref, await git('show', `${ref}:code.txt`)])));
}

function projectFolder(state: string): string {
  const [key = ''] = readdirSync(join(state, 'volley'));
  return join(state, 'volley', key);
}

function readLeftovers(state: string): readonly string[] {
  const folder = projectFolder(state);
  const below = (...path: readonly string[]): string[] =>
    existsSync(join(folder, ...path)) ? readdirSync(join(folder, ...path)).map((name) => join(...path, name)) : [];
  const locks = readdirSync(join(folder, 'repo.git'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
  return [
    ...below('checkouts'),
    ...below('reviews'),
    ...below('sessions'),
    ...below('repo.git', 'worktrees'),
    ...below('repo.git', 'volley'),
    ...locks,
  ];
}

/** Every process whose environment or command line names the folder, except this one; a zombie has neither. */
function processesWith(folder: string): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.flatMap((pid) => {
    const read = (file: string): string => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ');
      } catch {
        // It is gone, or another user's.
        return '';
      }
    };
    const command = read('cmdline');
    return command.includes(folder) || read('environ').includes(folder) ? [`${pid} ${command}`] : [];
  });
}

/** What must hold of a loop at every moment, whatever happened to those who drove it. */
export async function checkInvariants(stage: Stage, id = 1): Promise<{ readonly loop: Loop; readonly journal: readonly JournalEntry[] }> {
  const store = await openSqliteStore({
    file: join(stage.root, '.volley', 'volley.db'),
    backupDir: join(stage.root, '.volley', 'backups'),
  });
  try {
    const journal = await store.journal(id);
    const folds = foldAll(journal);
    const loop = folds.at(-1);
    assert.ok(loop !== undefined);
    checkVerdicts(folds, journal);
    checkOwner(
      loop,
      (await openBoard(stage.root)).find((row) => row.id === id),
    );
    assert.deepEqual(await store.load(id), loop, 'the journal replays to the same loop');
    return { loop, journal };
  } finally {
    await store.close();
  }
}

/** The state of the loop after each entry of its journal. */
function foldAll(journal: readonly JournalEntry[]): readonly Loop[] {
  const folds: Loop[] = [];
  for (const entry of journal) folds.push(applyEvent(folds.at(-1) ?? null, entry));
  return folds;
}

function checkVerdicts(folds: readonly Loop[], journal: readonly JournalEntry[]): void {
  const reviewed = journal.flatMap(({ event }) =>
    event.type === 'reviewed' && event.outcome.kind === 'review' ? [event.outcome.proof.head] : [],
  );
  for (const { approval, head, rounds } of folds) {
    for (const round of rounds) {
      for (const { proof } of round.reviews) assert.equal(proof.head, round.head.commit, 'a verdict is about the commit that was reviewed');
      assert.ok(reviewed.includes(round.head.commit), 'the journal has that review');
    }
    const proofs = approval?.by === 'review' ? approval.proofs : [];
    for (const proof of proofs) assert.equal(proof.head, head?.commit, 'an approval is about the newest commit');
  }
}

function checkOwner(loop: Loop, row: DrivenRow | undefined): void {
  assert.ok(row !== undefined);
  assert.equal(row.state, loop.state, 'the overview tells what the journal says');
  assert.equal(row.wantsWork, wantsWork(loop), 'a loop that has something to do is on the list of jobs');
  const reasons = [loop.escalation, loop.takenOver, loop.ending, loop.waiting];
  assert.ok(row.driven || row.wantsWork || reasons.some((reason) => reason !== null), 'a loop has a living driver or a visible reason');
}

/** What must hold once a loop is approved: the user's things are as they were, the branch is there, and nothing lies about. */
export async function checkEnd(stage: Stage, before: Readonly<Record<string, string>>, id = 1): Promise<readonly JournalEntry[]> {
  const { loop, journal } = await checkInvariants(stage, id);
  assert.equal(loop.state, 'approved');
  assert.deepEqual(await userState(stage.root), before, "the user's tree, index, config and branches are untouched");
  assert.equal(await stage.repository.git('rev-parse', loop.branch), loop.head?.commit, 'the branch is at the approved commit');
  assert.equal(await stage.repository.git('show', `${loop.branch}:code.txt`), 'right');
  assert.equal(
    await stage.repository.git('rev-list', '--count', `main..${loop.branch}`),
    String(loop.commits.length),
    'no commit is lost or made twice',
  );
  assert.deepEqual(stage.leftovers(), [], 'no folder and no lock is left');
  await eventually('no process is left', async () => await Promise.resolve(stage.processes().length === 0));
  for (const round of loop.rounds) assert.ok(existsSync(join(stage.root, documentPath(loop, round.round))), 'every round has its document');
  return journal;
}

/** How often each kind of result stands in a journal. */
export function countResults(journal: readonly JournalEntry[]): Readonly<Record<'authored' | 'gated' | 'reviewed' | 'fixed', number>> {
  const count = (type: string): number => journal.filter(({ event }) => event.type === type).length;
  return { authored: count('authored'), gated: count('gated'), reviewed: count('reviewed'), fixed: count('fixed') };
}
