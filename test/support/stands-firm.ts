import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

const MEGABYTES = 700;

/** While something goes on the server answers others soon, does not grow, and is there in the end. */
export async function standsFirm(server: ServerProcess, attack: () => Promise<void>): Promise<void> {
  const attacking = attack();
  const over = attacking.then(
    () => true,
    () => true,
  );
  do {
    const begun = performance.now();
    assert.equal((await server.ask('GET', '/api/health')).status, 200);
    assert.ok(performance.now() - begun < 5000, `it took ${performance.now() - begun} ms to answer`);
    const megabytes = await rssMegabytes(server);
    assert.ok(megabytes < MEGABYTES, `${megabytes} MB`);
  } while (!(await Promise.race([over, sleep(50, false)])));
  await attacking;
  assert.equal(server.process.exitCode, null);
}

async function rssMegabytes({ process: { pid } }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
