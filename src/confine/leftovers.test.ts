import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nonce } from '../lib/ids.ts';
import { startProcess } from '../lib/process.ts';
import type { ProcessEnd, RunningProcess } from '../lib/process.ts';
import { bubblewrapConfinement } from './bubblewrap.ts';
import { openTrial, requireBubblewrap } from './trial.ts';
import type { Trial } from './trial.ts';

const program = await requireBubblewrap();

/** How long a dead process may still be in the list. */
const DEADLINE_MS = 30_000;

describe('whatever a program leaves behind is gone with it', () => {
  let trial: Trial;
  before(() => {
    trial = openTrial();
  });
  after(() => trial.close());

  /** Starts a program with a daemon that has left its group, its session and its environment, where nobody finds it by its marks. */
  const start = async (mode: 'none' | 'public', then: (word: string) => string): Promise<Started> => {
    const word = nonce();
    const held = await trial.hold(bubblewrapConfinement({ program, stateDir: trial.stateDir }), { network: { mode } });
    const loop = `touch ${word}; while :; do sleep 1; done`;
    const daemon = `setsid sh -c 'env -i sh -c "${loop}" ${word} & ' & until [ -e ${word} ]; do sleep 0.02; done`;
    const running = startProcess({
      argv: [...held.launcher, '/bin/sh', '-c', `${daemon}; ${then(word)}`],
      cwd: held.cwd,
      env: held.env,
      wallMs: 60_000,
      graceMs: 500,
      marker: `trial-${word}`,
    });
    const closed = running.ended.then(async (end) => {
      await held.close();
      return end;
    });
    await eventually(() => existsSync(join(trial.checkout, word)) && isThere(word), 'the daemon runs');
    return { running, ended: closed, word };
  };

  for (const mode of ['none', 'public'] as const) {
    it(`a program that ends by itself, with the network ${mode}`, async () => {
      const { ended, word } = await start(mode, (own) => `until [ -e ${own}-end ]; do sleep 0.02; done; exit 3`);
      trial.write(`state/project/checkout/${word}-end`, '');
      const end = await ended;
      assert.ok(end.kind === 'exited');
      assert.equal(end.code, 3);
      await isGone(word);
    });
    it(`a sandbox that is killed, with the network ${mode}`, async () => {
      const { running, ended, word } = await start(mode, () => 'sleep 3600');
      process.kill(running.pid ?? 0, 'SIGKILL');
      await isGone(word);
      await ended;
    });
    it(`a process group that is killed, with the network ${mode}`, async () => {
      const { running, ended, word } = await start(mode, () => 'sleep 3600');
      process.kill(-(running.pid ?? 0), 'SIGKILL');
      await isGone(word);
      await ended;
    });
    it(`a program that is stopped and ignores it, with the network ${mode}`, async () => {
      const { running, ended, word } = await start(mode, () => 'trap "" TERM INT HUP; while :; do sleep 1; done');
      running.stop();
      assert.equal((await ended).kind, 'cancelled');
      await isGone(word);
    });
  }
});

type Started = { readonly running: RunningProcess; readonly ended: Promise<ProcessEnd>; readonly word: string };

async function isGone(word: string): Promise<void> {
  await eventually(() => !isThere(word), 'nobody is left');
}

/** Whether the daemon runs: it alone has the word as its last argument. */
function isThere(word: string): boolean {
  return processes().some((command) => command.endsWith(`\0${word}\0`));
}

async function eventually(isTrue: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!isTrue()) {
    assert.ok(performance.now() < deadline, `not yet: ${what}`);
    await sleep(20);
  }
}

/** The command lines of all processes of the machine. */
function processes(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) && Number(pid) !== process.pid ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      // Gone meanwhile.
      return [];
    }
  });
}
