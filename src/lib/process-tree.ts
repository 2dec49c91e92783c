import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The variable by which a process is recognised as part of a session, wherever in the process table it went. */
export const MARKER_VARIABLE = 'VOLLEY_SESSION';

const KILL_DEADLINE_MS = 5_000;
const CALM_SWEEPS = 6;
/** PF_KTHREAD of the kernel: such a task never has an environment. */
const KERNEL_THREAD = 0x0020_0000;

/** Sends a signal to a whole process group; false if nobody is left in it. */
export function signalGroup(pgid: number, signal: NodeJS.Signals): boolean {
  return send(-pgid, signal);
}

/** Kills a process group and whatever else carries the marker, and returns when they are gone. */
export async function endTree(pgid: number, marker: string): Promise<void> {
  const leftBehind = signalGroup(pgid, 'SIGKILL');
  await killMarked(marker, pgid);
  if (leftBehind) await untilGroupIsGone(pgid);
}

/**
 * Kills every process whose environment holds exactly this marker and returns how many there were.
 * Where there is no /proc (macOS) it finds nothing. Only processes above `settledPid` are taken to be changing right now.
 */
export async function killMarked(marker: string, settledPid = 0): Promise<number> {
  if (!hasProc()) return 0;
  const killed = new Set<number>();
  const deadline = performance.now() + KILL_DEADLINE_MS;
  let silent: ReadonlySet<number> = new Set();
  for (let calmSweeps = 0; calmSweeps < CALM_SWEEPS && performance.now() < deadline; calmSweeps++) {
    const found = sweep(`${MARKER_VARIABLE}=${marker}`, settledPid);
    for (const pid of found.marked) {
      send(pid, 'SIGKILL');
      killed.add(pid);
    }
    if (found.marked.length > 0) calmSweeps = -1;
    else if (!found.executing && found.silent.every((pid) => silent.has(pid))) break;
    silent = new Set(found.silent);
    if (found.executing || found.marked.length > 0) await sleep(1);
  }
  return killed.size;
}

/** Whether a process is there and at work; a zombie, which only waits to be collected, is not. */
export function isRunning(pid: number): boolean {
  return hasProc() ? isAlive(readProc(pid, 'stat')) : send(pid, 0);
}

type Sweep = {
  readonly marked: readonly number[];
  /** Those that ended before we could ask them; each may have forked another one that was not in our list yet. */
  readonly silent: readonly number[];
  /** Somebody is in the middle of an exec, when the kernel shows an empty environment. */
  readonly executing: boolean;
};

function sweep(entry: string, settledPid: number): Sweep {
  const marked: number[] = [];
  const silent: number[] = [];
  let executing = false;
  for (const pid of pids()) {
    const environment = readProc(pid, 'environ');
    if (environment !== null && holdsEntry(environment, entry)) marked.push(pid);
    else if (pid > settledPid && (environment === null || environment.length === 0)) {
      const stat = environment === null ? null : readProc(pid, 'stat');
      // A thread of the kernel forks nobody of ours, however often it is asked.
      if (stat !== null && isKernelThread(stat)) continue;
      silent.push(pid);
      executing ||= isAlive(stat);
    }
  }
  return { marked, silent, executing };
}

function holdsEntry(environment: Buffer, entry: string): boolean {
  const needle = `${entry}\0`;
  const at = environment.indexOf(needle);
  return at === 0 || (at > 0 && environment.includes(`\0${needle}`));
}

async function untilGroupIsGone(pgid: number): Promise<void> {
  const deadline = performance.now() + KILL_DEADLINE_MS;
  while (isGroupAlive(pgid) && performance.now() < deadline) await sleep(2);
}

function isGroupAlive(pgid: number): boolean {
  if (!hasProc()) return send(-pgid, 0);
  return pids().some((pid) => {
    const stat = readProc(pid, 'stat');
    return isAlive(stat) && parseStat(stat).pgid === pgid;
  });
}

/** Neither a zombie, which only waits to be collected, nor a thread of the kernel. */
function isAlive(stat: Buffer | null): stat is Buffer {
  if (stat === null || isKernelThread(stat)) return false;
  const { state } = parseStat(stat);
  return state !== 'Z' && state !== 'X';
}

function isKernelThread(stat: Buffer): boolean {
  return (parseStat(stat).flags & KERNEL_THREAD) !== 0;
}

function parseStat(stat: Buffer): { readonly state: string; readonly pgid: number; readonly flags: number } {
  // The name in parentheses may hold anything, so the fields are counted from its end.
  const text = stat.toString('latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? 'X', pgid: Number(fields[2]), flags: Number(fields[6]) };
}

function hasProc(): boolean {
  return existsSync('/proc/self/environ');
}

function pids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid);
}

function readProc(pid: number, file: 'environ' | 'stat'): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`);
  } catch {
    // Gone meanwhile, or somebody else's: neither is ours to end.
    return null;
  }
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    // ESRCH: nobody is there. EPERM: only zombies (macOS) or processes of other users, which we cannot end.
    return false;
  }
}
