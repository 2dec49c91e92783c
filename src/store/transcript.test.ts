import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTranscript, type TranscriptOptions } from './transcript.ts';

const redact = (text: string): string =>
  text.replaceAll(/sk-[a-z0-9]{8}/g, '[secret]').replaceAll(/-----BEGIN KEY[\s\S]*?END KEY-----/g, '[key]');

async function inNewRoot(run: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'volley-transcript-'));
  try {
    await run(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function written(root: string, chunks: readonly (string | Uint8Array)[], options: Partial<TranscriptOptions> = {}): Promise<string> {
  const transcript = await openTranscript(root, '1/author-2.log', { redact, ...options });
  for (const chunk of chunks) transcript.write(chunk);
  transcript.close();
  transcript.close();
  assert.equal(transcript.path, '.volley/transcripts/1/author-2.log');
  return await readFile(join(root, transcript.path), 'utf8');
}

test('a transcript holds what was said, and a second session of that name is added', async () => {
  await inNewRoot(async (root) => {
    await written(root, ['one\ntw', 'o']);
    assert.equal(await written(root, ['\nthree']), 'one\ntwo\nthree');
  });
});

test('whole lines are on the disk while the session still speaks', async () => {
  await inNewRoot(async (root) => {
    const transcript = await openTranscript(root, 'live.log', { redact });
    transcript.write('one\ntw');
    assert.equal(await readFile(join(root, transcript.path), 'utf8'), 'one\n');
    transcript.close();
  });
});

test('a secret that is cut by every possible border of chunks does not reach the disk', async () => {
  const text = 'key: sk-abcd1234 end\n';
  await inNewRoot(async (root) => {
    for (let at = 1; at < text.length; at += 1) await written(root, [text.slice(0, at), text.slice(at)]);
    assert.equal(await written(root, []), 'key: [secret] end\n'.repeat(text.length - 1));
  });
});

test('a key of many lines is redacted although it comes line by line', async () => {
  await inNewRoot(async (root) => {
    assert.equal(await written(root, ['a\n-----BEGIN KEY-----\n', 'MIIE\n', 'xyz\n', '-----END KEY-----\n', 'b\n']), 'a\n[key]\nb\n');
  });
});

test('a character that is cut by the border of chunks is whole in the transcript', async () => {
  const bytes = new TextEncoder().encode('grüße 🎾\n');
  await inNewRoot(async (root) => {
    assert.equal(
      await written(
        root,
        [...bytes].map((byte) => Uint8Array.of(byte)),
      ),
      'grüße 🎾\n',
    );
  });
});

test('a line without an end is not held in memory for ever, and its secrets are redacted all the same', async () => {
  await inNewRoot(async (root) => {
    const text = await written(
      root,
      Array.from({ length: 20_000 }, () => 'word sk-abcd1234 '),
    );
    assert.equal(text, 'word [secret] '.repeat(20_000));
  });
});

test('a secret in a line without an end or a space is redacted, wherever a chunk ends', async () => {
  await inNewRoot(async (root) => {
    const line = `${'x'.repeat(70_000)},sk-abcd1234,${'x'.repeat(70_000)},sk-abcd1234,`;
    for (const at of [70_001, 70_004, 70_011, 65_537, 140_016]) {
      const text = await written(root, [line.slice(0, at), line.slice(at), '\n']);
      assert.ok(text.endsWith(`${line.replaceAll('sk-abcd1234', '[secret]')}\n`), String(at));
    }
    const pieces = Array.from({ length: Math.ceil(line.length / 7) }, (_, index) => line.slice(index * 7, index * 7 + 7));
    assert.ok((await written(root, pieces)).endsWith(line.replaceAll('sk-abcd1234', '[secret]')));
  });
});

test('beyond its cap a transcript holds a mark and nothing more', async () => {
  await inNewRoot(async (root) => {
    const text = await written(root, ['12345678\n', 'ü2345678\n', 'lost\n', 'lost'], { capBytes: 10 });
    assert.match(text, /^12345678\n\n\[volley: cut here, the transcript is longer than 10 bytes\]\n$/);
    assert.equal(await written(root, ['more\n'], { capBytes: 10 }), text);
  });
});

test('a transcript is not written through a link', async () => {
  await inNewRoot(async (root) => {
    await writeFile(join(root, 'precious'), '');
    await mkdir(join(root, '.volley/transcripts'), { recursive: true });
    await symlink(join(root, 'precious'), join(root, '.volley/transcripts/x.log'));
    await assert.rejects(openTranscript(root, 'x.log', { redact }), /ELOOP/);
  });
});
