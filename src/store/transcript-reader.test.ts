import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTranscriptReader } from './transcript-reader.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newRoot(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'volley-transcripts-'));
  folders.push(folder);
  await mkdir(join(folder, '.volley', 'transcripts'), { recursive: true });
  return folder;
}

const PATH = '.volley/transcripts/task-1-2-author.log';

test('transcripts are found by their names, new ones too', async () => {
  const root = await newRoot();
  const reader = openTranscriptReader(root);
  assert.deepEqual(await reader.list(), []);
  await writeFile(join(root, PATH), 'x');
  await writeFile(join(root, '.volley/transcripts/notes.txt'), 'x');
  assert.deepEqual(await reader.list(), [{ path: PATH, loopId: 1, token: 2 }]);
  await writeFile(join(root, '.volley/transcripts/task-12-30-reviewer-2.log'), 'x');
  assert.deepEqual(
    (await reader.list()).map(({ loopId, token }) => [loopId, token]).toSorted(([a = 0], [b = 0]) => a - b),
    [
      [1, 2],
      [12, 30],
    ],
  );
  assert.deepEqual(await openTranscriptReader(join(root, 'nowhere')).list(), []);
});

test('a transcript is read from any offset on, and no character is ever cut', async () => {
  const root = await newRoot();
  const reader = openTranscriptReader(root);
  const text = '\uFEFFaé€😀'.repeat(5);
  const bytes = Buffer.from(text);
  await writeFile(join(root, PATH), '');
  let read = '';
  let offset = 0;
  for (const byte of bytes) {
    await appendFile(join(root, PATH), Buffer.of(byte));
    const part = await reader.read(PATH, offset, 64);
    assert.ok(!part.text.includes('\uFFFD'));
    read += part.text;
    offset = part.next;
  }
  assert.deepEqual([read, offset, await reader.size(PATH)], [text, bytes.length, bytes.length]);
  for (let limit = 4; limit < 12; limit += 1) {
    let whole = '';
    for (let at = 0; at < bytes.length;) {
      const part = await reader.read(PATH, at, limit);
      whole += part.text;
      at = part.next;
    }
    assert.equal(whole, text);
  }
});

test('nothing is read through a link, from another folder or by another name', async () => {
  const root = await newRoot();
  const secret = join(root, 'secret');
  await writeFile(secret, 'secret');
  await symlink(secret, join(root, PATH));
  const reader = openTranscriptReader(root);
  for (const path of [PATH, '../secret', 'secret', '.volley/transcripts/../../secret', `/${PATH}`, `${PATH}\0`]) {
    assert.deepEqual([await reader.read(path, 0, 10), await reader.size(path)], [{ text: '', next: 0 }, 0], path);
  }
  assert.deepEqual(await reader.list(), []);
  await rm(join(root, PATH));
  await writeFile(join(root, PATH), 'said');
  assert.equal((await reader.read(PATH, 0, 10)).text, 'said');
  await rename(join(root, '.volley/transcripts'), join(root, 'moved'));
  await symlink(join(root, 'moved'), join(root, '.volley/transcripts'));
  assert.deepEqual([await reader.list(), await reader.read(PATH, 0, 10)], [[], { text: '', next: 0 }]);
});
