import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineEndings } from './line-endings.ts';
import { readPatch } from './read-patch.ts';

function endings(...rows: readonly string[]): { words: string | null; old: number[]; fresh: number[] } {
  const count = (sign: string): number => rows.filter((row) => row.startsWith(' ') || row.startsWith(sign)).length;
  const text = `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -5,${count('-')} +7,${count('+')} @@\n${rows.join('\n')}\n`;
  const diff = readPatch({ text, path: 'a.ts', oldPath: null, key: rows.join() });
  assert.ok(diff !== null);
  const { words, deletions, additions } = lineEndings(diff);
  return { words, old: [...deletions], fresh: [...additions] };
}

test('a file whose lines all get another end says so, and where', () => {
  assert.deepEqual(endings('-one', '-two', '+one\r', '+two\r'), { words: 'line endings LF → CRLF', old: [], fresh: [7, 8] });
  assert.deepEqual(endings('-one\r', '+one'), { words: 'line endings CRLF → LF', old: [5], fresh: [] });
});

test('one line that ends otherwise than its file is found', () => {
  assert.deepEqual(endings(' one', '+two\r', ' three'), { words: 'line endings LF → mixed', old: [], fresh: [8] });
});

test('in a file of both kinds only the lines whose end changed are marked', () => {
  assert.deepEqual(endings(' one\r', '-two', '+two\r', ' three', '-four\r', '+five\r'), { words: null, old: [], fresh: [8] });
});

test('lines that swap their ends are told apart', () => {
  assert.deepEqual(endings('-one\r', '-two', '+one', '+two\r', ' three\r'), { words: null, old: [5], fresh: [8] });
});

test('a file that keeps its line ends says nothing', () => {
  assert.deepEqual(endings(' one\r', '-two\r', '+three\r'), { words: null, old: [], fresh: [] });
  assert.deepEqual(endings('+one\r', '+two\r'), { words: null, old: [], fresh: [] });
});
