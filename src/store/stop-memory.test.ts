import assert from 'node:assert/strict';
import { existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NO_STOPS } from '../core/stop-hook.ts';
import { readStopMemory, writeStopMemory } from './stop-memory.ts';

const SOME = { ...NO_STOPS, blocks: 2, reviews: [{ key: 'a', task: 7 }] };
const makeRoot = async (): ReturnType<typeof mkdtempDisposable> => await mkdtempDisposable(join(tmpdir(), 'volley-stops-'));
const filesOf = (root: string): string[] => readdirSync(join(root, 'stops'));

test('each session is remembered by itself, whatever it is called', async () => {
  await using root = await makeRoot();
  const names = ['plain', '', '../../out', '/etc/passwd', 'a\0b', 'ü'.repeat(100_000), '.', 'a/b'];
  for (const [at, name] of names.entries()) await writeStopMemory(root.path, name, { ...SOME, blocks: at });
  assert.deepEqual(
    names.map((name) => readStopMemory(root.path, name)?.blocks),
    names.map((_, at) => at),
  );
  assert.ok(filesOf(root.path).every((name) => /^[0-9a-f]{32}\.json$/.test(name)));
  assert.equal(readStopMemory(root.path, 'other'), null);
  assert.deepEqual(readdirSync(root.path), ['stops']);
});

test('a file that somebody broke says nothing', async () => {
  await using root = await makeRoot();
  await writeStopMemory(root.path, 's', SOME);
  const [file = ''] = filesOf(root.path);
  for (const text of ['', '{', '[]', '{"v":2}', JSON.stringify({ ...SOME, blocks: -1 })]) {
    writeFileSync(join(root.path, 'stops', file), text);
    assert.deepEqual(readStopMemory(root.path, 's'), NO_STOPS);
  }
});

test('the sessions that were quiet for the longest time are forgotten', async () => {
  await using root = await makeRoot();
  for (let at = 0; at < 50; at += 1) {
    await writeStopMemory(root.path, `s${at}`, SOME);
  }
  for (const [at, file] of filesOf(root.path).entries()) utimesSync(join(root.path, 'stops', file), at + 1, at + 1);
  const [oldest = ''] = filesOf(root.path);
  await writeStopMemory(root.path, 'new', SOME);
  assert.equal(filesOf(root.path).length, 50);
  assert.deepEqual([existsSync(join(root.path, 'stops', oldest)), readStopMemory(root.path, 'new')], [false, SOME]);
});

test('nothing is written through a link', async () => {
  await using root = await makeRoot();
  await mkdir(join(root.path, 'elsewhere'));
  symlinkSync(join(root.path, 'elsewhere'), join(root.path, 'stops'));
  await assert.rejects(writeStopMemory(root.path, 's', SOME), { code: 'refused' });
  assert.deepEqual(readdirSync(join(root.path, 'elsewhere')), []);
});
