import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock, withLock } from './lock.ts';

let folder = '';
let count = 0;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-lock-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

function lockFile(): string {
  return join(folder, `lock-${count++}`, 'lock');
}

/** Adds one to a counter in a file a number of times, slowly enough that two at once would lose some. */
function counting(path: string, counter: string, times: number): string {
  return `
    import { readFile, writeFile } from 'node:fs/promises';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { withLock } from ${JSON.stringify(new URL('lock.ts', import.meta.url).href)};
    for (let i = 0; i < ${times}; i++) {
      await withLock(${JSON.stringify(path)}, async () => {
        const value = Number(await readFile(${JSON.stringify(counter)}, 'utf8'));
        await sleep(1);
        await writeFile(${JSON.stringify(counter)}, String(value + 1));
      });
    }`;
}

/** A number that belonged to a process which has ended. */
async function deadPid(): Promise<number> {
  const child = execFile('/bin/true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('work of several processes under one lock is done one after the other', async () => {
  const path = lockFile();
  const counter = join(folder, 'counter');
  await writeFile(counter, '0');
  const processes = [1, 2, 3].map(async () => {
    const child = execFile(process.execPath, ['--input-type=module', '-e', counting(path, counter, 20)]);
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  });
  await Promise.all(processes);
  assert.equal(await readFile(counter, 'utf8'), '60');
  assert.deepEqual(await readdir(join(path, '..')), []);
});

test('two at once in one process wait for each other too', async () => {
  const path = lockFile();
  const seen: string[] = [];
  const work = async (name: string): Promise<void> =>
    await withLock(path, async () => {
      seen.push(`${name} in`);
      await sleep(5);
      seen.push(`${name} out`);
    });
  await Promise.all([work('a'), work('b')]);
  assert.deepEqual(
    seen.map((word) => word.split(' ')[1]),
    ['in', 'out', 'in', 'out'],
  );
});

test('the lock of a process that is gone is taken over, by one alone', async () => {
  const path = lockFile();
  const first = await takeLock(path);
  await first.release();
  await writeFile(path, `${await deadPid()} 1\n`);
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> =>
    await withLock(path, async () => {
      most = Math.max(most, ++inside);
      await sleep(2);
      inside--;
    });
  await Promise.all(Array.from({ length: 12 }, work));
  assert.equal(most, 1);
  assert.deepEqual(await readdir(join(path, '..')), []);
});

test('a process that got the number of the holder does not hold the lock', { skip: process.platform !== 'linux' }, async () => {
  const path = lockFile();
  await (await takeLock(path)).release();
  await writeFile(path, `${process.pid} 1\n`);
  assert.equal(await withLock(path, async () => await Promise.resolve('done')), 'done');
});

test('a lock that says nothing of its holder is taken over', async () => {
  const path = lockFile();
  await (await takeLock(path)).release();
  await writeFile(path, '');
  assert.equal(await withLock(path, async () => await Promise.resolve('done')), 'done');
});

test('waiting has an end, and what was not taken is not released', async () => {
  const path = lockFile();
  const lock = await takeLock(path);
  await assert.rejects(
    withLock(path, async () => await Promise.resolve(), { waitMs: 20 }),
    /held by another process/,
  );
  assert.ok(existsSync(path));
  await lock.release();
  assert.deepEqual(await readdir(join(path, '..')), []);
});

test('whoever is told to stop waiting does', async () => {
  const path = lockFile();
  const lock = await takeLock(path);
  const controller = new AbortController();
  const waiting = takeLock(path, { signal: controller.signal });
  controller.abort();
  await assert.rejects(waiting, { name: 'AbortError' });
  await lock.release();
});

test('the lock is free again after work that failed', async () => {
  const path = lockFile();
  await assert.rejects(
    withLock(path, async () => await Promise.reject(new Error('no luck'))),
    /no luck/,
  );
  assert.ok(!existsSync(path));
});
