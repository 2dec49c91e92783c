import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { makeCreated } from '../test/support/created.ts';
import { readHistory } from './app-read-export.ts';
import { exportLines } from './core/export-line.ts';

const AT = '2026-01-29T10:00:00.000Z';
const HEAD = { type: 'export', v: 1, version: '1.2.3', project: 'shop', exportedAt: AT, loops: 2 };
const END = { type: 'exported', v: 1, loops: 2, events: 4 };
const SAID = { type: 'transcript', v: 1, loop: 2, path: '.volley/transcripts/task-2-2-author.log', text: 'said' };

function loopLines(id: number): readonly object[] {
  const warned = { type: 'warned', about: 'branch', text: 'with \u2028 and \n in it' } as const;
  return exportLines([
    { seq: 1, at: AT, event: makeCreated(id) },
    { seq: 2, at: AT, event: warned },
  ]);
}

const WHOLE: readonly (object | string)[] = [HEAD, ...loopLines(1), ...loopLines(2), SAID, END];

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'volley-history-'));
});
after(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function read(lines: readonly (object | string)[]): Promise<readonly string[]> {
  const path = join(folder, 'history');
  await writeFile(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  const parts: string[] = [];
  for await (const part of readHistory({ path, name: 'it' })) {
    parts.push('type' in part ? `${part.loop} said ${part.text}` : `${part.loop.id} has ${part.journal.length}`);
  }
  return parts;
}

test('a whole file gives every loop with its journal, and what was said', async () => {
  assert.deepEqual(await read(WHOLE), ['1 has 2', '2 said said', '2 has 2']);
});

const BROKEN: Readonly<Record<string, { readonly lines: readonly (object | string)[]; readonly told: RegExp }>> = {
  'an empty file': { lines: [], told: /^Line 1 of it .*: the end of the export is missing\.$/ },
  'a file without its beginning': { lines: WHOLE.slice(1), told: /^Line 1 .*begins with one line of the type export/ },
  'two exports in one file': { lines: [...WHOLE, ...WHOLE], told: /^Line 10 .*comes after the end/ },
  'a file without its end': { lines: WHOLE.slice(0, -1), told: /^Line 9 .*the end of the export is missing/ },
  'a file without its last loop': { lines: [...WHOLE.slice(0, 4), END], told: /^Line 5 .*more or fewer lines/ },
  'a loop without an entry': { lines: WHOLE.toSpliced(2, 1), told: /^Line 3 .*does not follow the line before it/ },
  'an entry of another loop': { lines: WHOLE.toSpliced(3, 1, loopLines(2)[2] ?? {}), told: /^Line 4 .*does not follow/ },
  'a loop without a journal': { lines: WHOLE.toSpliced(5, 2).toSpliced(5, 1), told: /^Line 5 .*task 2 has no journal/ },
  'words of another loop': { lines: WHOLE.toSpliced(7, 1, { ...SAID, loop: 1 }), told: /^Line 8 .*does not follow/ },
  'a line that is no JSON': { lines: WHOLE.toSpliced(3, 1, 'hello'), told: /^Line 4 .*not JSON/ },
  'an event that nobody knows': {
    lines: WHOLE.toSpliced(3, 1, { ...loopLines(1)[2], event: { type: 'danced' } }),
    told: /^Line 4 .*event/,
  },
};

for (const [what, { lines, told }] of Object.entries(BROKEN)) {
  test(`${what} is refused with the number of the line`, async () => {
    await assert.rejects(
      read(lines),
      (error: Error & { remedy?: string }) => told.test(error.message) && error.remedy?.startsWith('Nothing was written.') === true,
    );
  });
}
