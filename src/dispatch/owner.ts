import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owner } from '../store/store.ts';

/** Where a start cannot be learnt, the pid alone has to do. */
const UNKNOWN = 'unknown';

const PS_MS = 5_000;

/** This process, as it is written down where it drives a loop. */
export async function thisProcess(): Promise<Owner> {
  return { pid: process.pid, startedAt: (await startOf(process.pid)) ?? UNKNOWN, host: hostname() };
}

/** Whether the process still runs; of one on another machine nobody here can tell, so it counts as alive. */
export async function isAlive(owner: Owner): Promise<boolean> {
  if (owner.host !== hostname()) return true;
  if (!hasPid(owner.pid)) return false;
  return owner.startedAt === UNKNOWN || owner.startedAt === (await startOf(owner.pid));
}

function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, it belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process started, as a text that no other process of this pid shares; null if it is gone or a zombie. */
async function startOf(pid: number): Promise<string | null> {
  return process.platform === 'linux' ? startInProc(pid) : await startFromPs(pid);
}

/** Ticks since boot, with the boot's id because the same ticks come again after the next boot. */
function startInProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes in parentheses and may hold anything, so the fields are counted from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (ticks === undefined || state === 'Z' || state === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return null;
    throw error;
  }
}

/** Loaded only here, because `status` asks who is alive and has to be quick. */
async function startFromPs(pid: number): Promise<string | null> {
  const [{ runProcess }, { nonce }] = await Promise.all([import('../lib/process.ts'), import('../lib/ids.ts')]);
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const argv = ['ps', '-o', 'stat=', '-o', 'lstart=', '-p', String(pid)];
  const ended = await runProcess({ argv, cwd: '/', env, wallMs: PS_MS, marker: `ps-${nonce()}` });
  const [state = 'Z', ...start] = ended.output.trim().split(/\s+/);
  return ended.kind === 'exited' && ended.code === 0 && !state.startsWith('Z') ? start.join(' ') : null;
}
