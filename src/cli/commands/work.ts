import type { App, Progress } from '../../app.ts';
import { openQueue } from '../../app-queue.ts';
import type { Selection, Wait } from '../../app-queue.ts';
import { errorOutput, VolleyError } from '../../core/errors.ts';
import { exitCodeOf } from '../../core/exit-code.ts';
import type { Loop } from '../../core/loop.ts';
import { loopOutput } from '../../core/project-output.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { askAndGoOn, canAsk, driveLoop, INTERRUPTED, isAsked, STOPPING, stopOnSignals } from '../drive.ts';
import { endingLine, isOpenQuestion, printQuestion, printRows } from '../ending.ts';
import { fileProblem } from '../file-problem.ts';
import { parseId } from '../loop-id.ts';
import { clean, paint } from '../print.ts';
import { progressPrinter } from '../progress.ts';
import { SANDBOX_OPTION } from '../settings-options.ts';
import { slotsOf } from '../slots.ts';
import { clockTime } from '../time-words.ts';
import { workSummary } from '../work-summary.ts';
import { workThrough } from '../../app-work.ts';
import type { Working } from '../../app-work.ts';

/** `volley work [ID…]`. */
export const command: Command = {
  usage: 'work [ID…] [--parallel N] [--watch] [--group G] [--exit-code]',
  options: {
    parallel: { type: 'string', value: 'N', help: 'so many tasks at once (1)' },
    watch: { type: 'boolean', help: 'go on until Ctrl-C, looking for new work' },
    group: { type: 'string', value: 'G', help: 'only tasks of this group' },
    'exit-code': { type: 'boolean', help: 'exit with 2 or 3 where a task did not end well' },
    ...SANDBOX_OPTION,
  },
  run: async (typed, io) => {
    const ids = [...new Set(typed.positionals.map(parseId))];
    const how = howOf(typed, io);
    const selection = { ids: ids.length === 0 ? null : ids, group: textOption(typed, 'group') ?? null };
    const isSingle = ids.length === 1 && !how.watch && selection.group === null;
    const { openApp } = await import('../../app.ts');
    const app = await openApp({
      cwd: io.cwd,
      requireSandbox: hasFlag(typed, 'require-sandbox'),
      report: reportOf(how, isSingle),
    });
    try {
      for (const id of ids) await app.load(id);
      return isSingle ? await workOn(app, ids[0] ?? 0, how) : await workOnAll(app, selection, how);
    } finally {
      await app.close();
    }
  },
};

type How = {
  readonly io: Io;
  readonly strict: boolean;
  readonly slots: number;
  readonly watch: boolean;
  /** The tasks whose heading stands and whose end does not. */
  readonly titled: Set<number>;
  readonly ends: Ends;
};

function howOf(typed: Typed, io: Io): How {
  return {
    io,
    strict: hasFlag(typed, 'exit-code'),
    slots: slotsOf(typed, '1'),
    watch: hasFlag(typed, 'watch'),
    titled: new Set(),
    ends: endTeller(io),
  };
}

/** What happens next is told below what came before. */
function reportOf({ io, titled, slots, ends }: How, isSingle: boolean): (progress: Progress) => void {
  const print = progressPrinter(io, { titled, parallel: !isSingle && slots > 1 });
  return (progress) => {
    ends.release();
    print(progress);
  };
}

async function workOn(app: App, id: number, how: How): Promise<number> {
  return exitCodeFor(await driveLoop(app, await app.load(id), how), how);
}

/** A task that asks is no error of whoever works on all of them. */
function exitCodeFor(code: number, { strict }: How): number {
  return strict || code === INTERRUPTED || code === 1 ? code : 0;
}

async function workOnAll(app: App, selection: Selection, how: How): Promise<number> {
  const { io, slots, watch, titled, ends } = how;
  const stop = stopOnSignals(io, () => (titled.size > 0 ? STOPPING : null));
  const broken = new Map<number, unknown>();
  if (watch) io.out(paint(io, 'dim', 'Looking for work until Ctrl-C.'));
  const working = { slots, watch, signal: stop.signal, ...tellers(how, broken) };
  const { driven, busy } = await workThrough(app, openQueue(app, selection), working);
  const rested = (selection.ids ?? []).filter((id) => !driven.has(id) && !busy.has(id) && !broken.has(id));
  const loops = await Promise.all([...driven, ...rested].map(async (id) => await app.load(id)));
  const isStopped = stop.signal.aborted;
  const only = loops.length === 1 && broken.size === 0 ? loops[0] : undefined;
  if (only !== undefined && busy.size === 0 && !isStopped && isAsked(only) && canAsk(io)) {
    stop.release();
    ends.forget();
    return exitCodeFor(await askAndGoOn(app, only, io), how);
  }
  const isBlockBelow = only !== undefined && isOpenQuestion(only);
  for (const loop of loops) if (rested.includes(loop.id)) ends[isBlockBelow ? 'hold' : 'tell'](loop);
  if (!isBlockBelow) ends.release();
  await tellBusy(app, busy, io);
  if (!isStopped || loops.length > 0) tellSum(app, loops, { how, selection, broken: broken.size, busy: busy.size });
  if (isStopped && loops.length !== 1) io.out('Stopped; volley work goes on from here.');
  if (isStopped) return INTERRUPTED;
  return exitOf(loops, broken, how.strict);
}

/** Who tells what happens in a queue. The end of a task that may stay the only one is held: all of it is told at the end. */
function tellers(
  { io, watch, titled, ends }: How,
  broken: Map<number, unknown>,
): Pick<Working, 'ended' | 'broke' | 'faltered' | 'waiting'> {
  let isFirst = true;
  return {
    ended: (loop) => {
      titled.delete(loop.id);
      broken.delete(loop.id);
      ends[isFirst && !watch && titled.size === 0 ? 'hold' : 'tell'](loop);
      isFirst = false;
    },
    broke: (id, error) => {
      isFirst = false;
      broken.set(id, error);
      ends.release();
      io.live?.drop(id);
      tellError(id, error, io);
    },
    faltered: (error) => {
      ends.release();
      tellError(null, error, io);
    },
    waiting: (wait) => {
      isFirst = false;
      ends.release();
      io.out(paint(io, 'yellow', `Waiting ${waitWords(wait)}. Ctrl-C leaves it; volley work goes on later.`));
    },
  };
}

function waitWords({ id, untilMs, for: what }: Wait): string {
  if (what === 'slot') return `for money that other sessions have reserved; task #${id} goes on once there is some`;
  return `until ${clockTime(new Date(untilMs), new Date())}, when task #${id} may go on`;
}

/** Tells how tasks ended; what is held is told before anything else is, or by somebody who tells more of it. */
type Ends = { tell(loop: Loop): void; hold(loop: Loop): void; release(): void; forget(): void };

function endTeller(io: Io): Ends {
  let held: Loop | null = null;
  const put = (loop: Loop): void => {
    io.live?.drop(loop.id);
    io.object(loopOutput(loop));
  };
  const release = (): void => {
    if (held !== null) io.out(endingLine(held, false, io));
    held = null;
  };
  return {
    tell: (loop) => {
      release();
      put(loop);
      io.out(endingLine(loop, false, io));
    },
    hold: (loop) => {
      release();
      put(loop);
      held = loop;
    },
    release,
    forget: () => (held = null),
  };
}

/** A task that cannot be driven at all, or, without one, work that cannot be looked for; a bug is thrown when the others are done. */
function tellError(id: number | null, error: unknown, io: Io): void {
  const mistake = mistakeOf(error);
  const message = `${id === null ? '' : `Task ${id}: `}${clean(mistake?.message ?? String(error))}`;
  const remedy = clean(mistake?.remedy ?? 'This is a bug of Volley.');
  io.object(errorOutput({ code: mistake?.code ?? 'bug', message, remedy }));
  if (io.json) return;
  io.err(`${paint(io, 'red', 'error:')} ${message}`);
  io.err(`  ${remedy}`);
}

function mistakeOf(error: unknown): VolleyError | null {
  return error instanceof VolleyError ? error : fileProblem(error);
}

async function tellBusy(app: App, busy: ReadonlyMap<number, number>, io: Io): Promise<void> {
  for (const [id, pid] of busy) {
    const isDriven = await app.isDriven(id);
    io.out(`Task ${id} ${isDriven ? `is driven by process ${pid} already` : `was driven by process ${pid} meanwhile`}.`);
  }
}

type Sum = { readonly how: How; readonly selection: Selection; readonly broken: number; readonly busy: number };

/** Of a single task all is told, of several what came of them together. */
function tellSum(app: App, loops: readonly Loop[], { how, selection, broken, busy }: Sum): void {
  const { io } = how;
  const [first] = loops;
  if (first === undefined && broken === 0) {
    if (busy === 0) io.out(selection.group === null ? 'Nothing is pending.' : `Nothing is pending in group ${clean(selection.group)}.`);
  } else if (first !== undefined && loops.length === 1 && broken === 0) {
    const known = { document: app.documentOf(first), driven: false };
    if (isOpenQuestion(first)) printQuestion(first, known, io);
    printRows(first, known, io);
  } else for (const line of ['', ...workSummary(loops, broken, io)]) io.out(line);
}

function exitOf(loops: readonly Loop[], broken: ReadonlyMap<number, unknown>, strict: boolean): number {
  const bug = [...broken.values()].find((error) => mistakeOf(error) === null);
  if (bug !== undefined) throw bug;
  const worst = loops.reduce((most, loop) => Math.max(most, exitCodeOf(loop)), 0);
  if (broken.size > 0 || loops.some((loop) => exitCodeOf(loop) === 1)) return 1;
  return strict ? worst : 0;
}
