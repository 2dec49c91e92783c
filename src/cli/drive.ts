import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { wantsWork } from '../core/decide.ts';
import { VolleyError } from '../core/errors.ts';
import { exitCodeOf } from '../core/exit-code.ts';
import type { Loop } from '../core/loop.ts';
import { loopOutput } from '../core/project-output.ts';
import { waitingWords } from '../core/waiting.ts';
import type { Io } from './command.ts';
import { printEnding, printVerdict } from './ending.ts';
import { clean, paint } from './print.ts';

/** The exit code of a command that was stopped by hand. */
export const INTERRUPTED = 130;

/** Who watches a loop being driven; `before` tells more, just before how it ended; without a `signal` Ctrl-C ends it. */
export type Driving = { readonly io: Io; readonly before?: (end: Loop) => Promise<void>; readonly signal?: AbortSignal };

/** Drives one loop to rest, tells how it ended, and returns the exit code. */
export async function driveLoop(app: App, loop: Loop, { io, before, signal: outer }: Driving): Promise<number> {
  const stop: Stop = outer === undefined ? stopOnSignals(io) : { signal: outer, release: () => undefined };
  const { signal } = stop;
  const report = await driveThroughWaits(app, loop.id, { io, signal }).finally(() => stop.release());
  const busy = report.busy[0];
  if (busy !== undefined) {
    throw new VolleyError(
      'busy',
      `Task ${loop.id} is driven by process ${busy.owner.pid}.`,
      `Wait for it, or watch it with volley log ${loop.id}.`,
    );
  }
  const end = report.driven.length > 0 ? await app.load(loop.id) : await app.catchUp(loop.id);
  await before?.(end);
  if (app.recorded) tellEnding(end, { document: app.documentOf(end), driven: false }, io);
  else tellVerdict(end, io);
  return signal.aborted ? INTERRUPTED : exitCodeOf(end);
}

/** Drives a loop to rest; where that is a rate limit with a known end, it is waited for, so that a night's work goes on by itself. */
async function driveThroughWaits(
  app: App,
  id: number,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): ReturnType<App['drive']> {
  for (;;) {
    const report = await app.drive([id], signal);
    const { waiting, ending, escalation } = await app.load(id);
    const isPassing = waiting !== null && ending === null && escalation === null && report.busy.length === 0;
    if (!isPassing || waiting.until === null || signal.aborted) return report;
    io.out(paint(io, 'yellow', `  Waiting: ${clean(waitingWords(waiting))}. Ctrl-C leaves it; volley work ${id} goes on later.`));
    await untilThen(Date.parse(waiting.until), signal);
    if (signal.aborted) return report;
  }
}

const LONGEST_NAP_MS = 60_000;

/** In short naps, because a machine that slept has to look at the clock again. */
async function untilThen(atMs: number, signal: AbortSignal): Promise<void> {
  for (let left = atMs - Date.now(); left > 0 && !signal.aborted; left = atMs - Date.now()) {
    await sleep(Math.min(left, LONGEST_NAP_MS), undefined, { signal }).catch(() => undefined);
  }
}

/** After a person's word: drives what the loop wants to do now, unless somebody does or it is left for later. */
export async function goOn(app: App, loop: Loop, how: { readonly io: Io; readonly later: boolean }): Promise<number> {
  const driven = await app.isDriven(loop.id);
  if (wantsWork(loop) && !how.later && !driven) return await driveLoop(app, loop, { io: how.io });
  if (loop.ending?.state === 'cancelled') await app.putAway(loop);
  tellEnding(loop, { document: app.documentOf(loop), driven }, how.io);
  return 0;
}

/** Says what a review that is not kept came to. */
function tellVerdict(loop: Loop, io: Io): void {
  printVerdict(loop, io);
  io.object({ ...loopOutput(loop), next: null, choices: [] });
}

/** Says how a loop stands at its rest, for people and for programs. */
function tellEnding(loop: Loop, known: Parameters<typeof printEnding>[1], io: Io): void {
  printEnding(loop, known, io);
  io.object(loopOutput(loop));
}

/** A terminal and npm may both pass on one Ctrl-C; only a later one is a second one. */
const SECOND_AFTER_MS = 1000;

const STOPPING = 'Stopping; agents are being ended, nothing that is done is lost…';

/** Somebody who may stop what runs; `release` forgets about them. */
export type Stop = { readonly signal: AbortSignal; release(): void };

/** Ctrl-C asks once: what runs is ended, and a loop keeps its place. A second one does not wait. */
export function stopOnSignals(io: Io, saying = STOPPING): Stop {
  const controller = new AbortController();
  let first = 0;
  const onSignal = (): void => {
    if (controller.signal.aborted) {
      if (performance.now() - first > SECOND_AFTER_MS) process.exit(INTERRUPTED);
      return;
    }
    first = performance.now();
    if (!io.json) io.err(`\n${saying}`);
    controller.abort();
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
