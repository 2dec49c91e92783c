import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { choicesOf } from '../core/choices.ts';
import { wantsWork } from '../core/decide.ts';
import { VolleyError } from '../core/errors.ts';
import { exitCodeOf } from '../core/exit-code.ts';
import type { Loop } from '../core/loop.ts';
import { nextCommand } from '../core/next-command.ts';
import { loopOutput } from '../core/project-output.ts';
import { waitingWords, waitsForTasks } from '../core/waiting.ts';
import type { Io } from './command.ts';
import { printEnding, printVerdict } from './ending.ts';
import type { Known } from './ending.ts';
import { clean, paint } from './print.ts';

/** The exit code of a command that was stopped by hand. */
export const INTERRUPTED = 130;

/** Who watches a loop being driven; `before` tells more, just before how it ended; without a `signal` Ctrl-C ends it. */
export type Driving = { readonly io: Io; readonly before?: (end: Loop) => Promise<void>; readonly signal?: AbortSignal };

/** Drives one loop to rest, tells how it ended, and returns the exit code. */
export async function driveLoop(app: App, loop: Loop, { io, before, signal: outer }: Driving): Promise<number> {
  const stop: Stop = outer === undefined ? stopOnSignals(io) : { signal: outer, end: () => undefined, release: () => undefined };
  const { signal } = stop;
  const report = await driveThroughWaits(app, loop.id, { io, signal }).finally(() => {
    stop.release();
    io.live?.drop(loop.id);
  });
  const busy = report.busy[0];
  if (busy !== undefined) {
    throw new VolleyError(
      'busy',
      `Task ${loop.id} is driven by process ${busy.owner.pid}.`,
      `Wait for it, or watch it with volley status --watch.`,
    );
  }
  const end = report.driven.length > 0 ? await app.load(loop.id) : await app.catchUp(loop.id);
  await before?.(end);
  if (!app.recorded) tellVerdict(end, io);
  else if (outer === undefined && !signal.aborted && isAsked(end) && canAsk(io)) return await askAndGoOn(app, end, io);
  else tellEnding(end, { document: app.documentOf(end), driven: false }, io);
  return signal.aborted ? INTERRUPTED : exitCodeOf(end);
}

/** Shows what a loop asks, asks whoever sits at the terminal, and goes on as they say; later is an answer too. */
export async function askAndGoOn(app: App, loop: Loop, io: Io): Promise<number> {
  tellEnding(loop, { document: app.documentOf(loop), driven: false, asked: true }, io);
  const { askPerson } = await import('./ask-person.ts');
  const asked = await askPerson(app, loop, io);
  switch (asked.kind) {
    case 'decided':
      return await goOn(app, asked.loop, { io, later: false });
    case 'later':
      io.out(
        `Left as it is. Later: volley decide ${loop.id} asks again; ${nextCommand(loop) ?? `volley show ${loop.id}`} answers at once.`,
      );
      return exitCodeOf(loop);
    case 'outdated':
      if (isAsked(asked.loop)) return await askAndGoOn(app, asked.loop, io);
      tellEnding(asked.loop, { document: app.documentOf(asked.loop), driven: await app.isDriven(loop.id) }, io);
      return exitCodeOf(asked.loop);
  }
}

/** Whether there is somebody to ask. */
export function canAsk(io: Io): boolean {
  return io.interactive && process.stdin.isTTY;
}

/** A review that was asked for alone has been answered; whatever else came to rest with choices waits for one of them. */
export function isAsked(loop: Loop): boolean {
  const isReport = loop.escalation === null && loop.task.kind === 'review' && !loop.task.fix;
  return choicesOf(loop).length > 0 && !isReport;
}

/** Drives a loop to rest; where that is a wait with a known end, it is waited for, so that a night's work goes on by itself. */
async function driveThroughWaits(
  app: App,
  id: number,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): ReturnType<App['drive']> {
  let told = '';
  for (;;) {
    const report = await app.drive([id], signal);
    if (report.busy.length > 0 && told !== '') {
      // Somebody who works on all tasks took it up as soon as its wait was over.
      await untilThen(Date.now() + LOOK_MS, signal);
      if (signal.aborted) return { ...report, busy: [] };
      continue;
    }
    const { waiting, ending, escalation } = await app.load(id);
    const isPassing = waiting !== null && ending === null && escalation === null && report.busy.length === 0;
    if (!isPassing || waiting.until === null || signal.aborted) return report;
    const words = `  Waiting: ${clean(waitingWords(waiting))}. Ctrl-C leaves it; volley work ${id} goes on later.`;
    const key = waiting.for === 'slot' && report.driven.length === 0 && told !== '' ? told : words;
    if (key !== told) io.out(paint(io, 'yellow', words));
    told = key;
    await untilThen(Date.parse(waiting.until), signal);
    if (signal.aborted) return report;
  }
}

const LOOK_MS = 1000;
const LONGEST_NAP_MS = 60_000;

/** In short naps, because a machine that slept has to look at the clock again. */
export async function untilThen(atMs: number, signal: AbortSignal): Promise<void> {
  for (let left = atMs - Date.now(); left > 0 && !signal.aborted; left = atMs - Date.now()) {
    await sleep(Math.min(left, LONGEST_NAP_MS), undefined, { signal }).catch(() => undefined);
  }
}

/** After a person's word: drives what the loop wants to do now, unless somebody does or it is left for later. */
export async function goOn(app: App, loop: Loop, how: { readonly io: Io; readonly later: boolean }): Promise<number> {
  const driven = await app.isDriven(loop.id);
  if ((wantsWork(loop) || waitsForTasks(loop)) && !how.later && !driven) return await driveLoop(app, loop, { io: how.io });
  tellEnding(loop, { document: app.documentOf(loop), driven }, how.io);
  return 0;
}

/** Says what a review that is not kept came to. */
function tellVerdict(loop: Loop, io: Io): void {
  printVerdict(loop, io);
  io.object({ ...loopOutput(loop), next: null, choices: [] });
}

/** Says how a loop stands at its rest, for people and for programs. */
function tellEnding(loop: Loop, known: Known, io: Io): void {
  printEnding(loop, known, io);
  io.object(loopOutput(loop));
}

/** A terminal and npm may both pass on one Ctrl-C; only a later one is a second one. */
const SECOND_AFTER_MS = 1000;

/** What is said to whoever stops agents. */
export const STOPPING = 'Stopping; agents are being ended, nothing that is done is lost…';

/** Somebody who may stop what runs; `end` does it for them, `release` forgets about them. */
export type Stop = { readonly signal: AbortSignal; end(): void; release(): void };

/** Ctrl-C asks once: what runs is ended, and a loop keeps its place. A second one does not wait. */
export function stopOnSignals(io: Io, saying: () => string | null = () => STOPPING): Stop {
  const controller = new AbortController();
  let first = 0;
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      if (performance.now() - first > SECOND_AFTER_MS) process.exit(INTERRUPTED);
      return;
    }
    first = performance.now();
    const words = saying();
    if (!io.json && words !== null) io.err(`\n${words}`);
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    end: () => controller.abort(),
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
