import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeLines } from './write-lines.ts';

async function* lines(...texts: readonly (string | Error)[]): AsyncGenerator<string, void, undefined> {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield text;
  }
}

test('a file appears whole or not at all, and is replaced only on request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'volley-lines-'));
  const file = join(folder, 'out');
  try {
    await assert.rejects(writeLines(file, lines('a', new Error('stop')), { replace: true }), /stop/);
    assert.deepEqual(await readdir(folder), []);
    assert.equal(await writeLines(file, lines('a', 'b'), { replace: false }), true);
    assert.equal(await writeLines(file, lines('c'), { replace: false }), false);
    assert.equal(await readFile(file, 'utf8'), 'a\nb\n');
    assert.equal(await writeLines(file, lines('c'), { replace: true }), true);
    assert.equal(await readFile(file, 'utf8'), 'c\n');
    assert.deepEqual(await readdir(folder), ['out']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
