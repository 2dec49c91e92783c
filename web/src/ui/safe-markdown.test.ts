import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SHOWN_CHARS, beginning, hostBeside, isProse, isTangled, nameHidden, safeHref } from './safe-markdown.ts';

test('only addresses of the web are followed', () => {
  assert.equal(safeHref('https://example.com/a b'), 'https://example.com/a%20b');
  for (const address of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    '//evil.example',
    '/loop/1',
    '#x',
    'src/a.ts',
    'https://',
    'vbscript:x',
  ])
    assert.equal(safeHref(address), null, address);
});

test('a link says where it goes, unless its words begin with just that', () => {
  assert.equal(hostBeside('https://example.com/a', 'https://example.com/a'), null);
  assert.equal(hostBeside('https://example.com/', 'example.com'), null);
  assert.equal(hostBeside('https://evil.example/x', 'the docs'), 'evil.example');
  assert.equal(hostBeside('https://github.com@evil.example/', 'https://github.com@evil.example/'), 'evil.example');
  assert.equal(hostBeside('https://example.com.evil.example/', 'example.com'), 'example.com.evil.example');
  assert.equal(hostBeside('https://xn--80ak6aa92e.com/', 'https://аррӏе.com/'), 'xn--80ak6aa92e.com');
});

test('a long text begins at the end of a word, a short one is whole', () => {
  assert.equal(beginning('short'), null);
  const begun = beginning('word '.repeat(100_000));
  assert.ok(begun !== null && begun.length <= SHOWN_CHARS && begun.endsWith('word'));
  assert.equal(beginning('x'.repeat(1_000_000))?.length, SHOWN_CHARS);
});

test('prose is told from what Markdown would change', () => {
  for (const text of ['It is wrong.', 'The caller gets a TypeError (line 3), and nobody knows.', 'a - b']) assert.ok(isProse(text), text);
  for (const text of ['`code`', '- item', '1. item', 'see https://a.b', '**bold**', 'two\nlines', '<b>', 'a &amp; b', '    code'])
    assert.ok(!isProse(text), text);
});

test('hidden characters in text and in HTML become their names, and identities are taken away', () => {
  const tree = {
    type: 'root',
    children: [
      { type: 'element', tagName: 'p', properties: { id: 'root' }, children: [{ type: 'text', value: 'a\u202eb' }] },
      { type: 'raw', value: '<img src=x onerror="\u200b">' },
    ],
  };
  nameHidden()(tree);
  const text = JSON.stringify(tree);
  assert.ok(text.includes('U+202E') && text.includes('U+200B') && !text.includes('"raw"') && !text.includes('"id"'));
});

test('what is very long or little but marks is shown as it was written', () => {
  const review = `The key is **read** in \`a.ts\`, [twice](https://example.com).\n\n- one\n- two\n\n| a | b |\n| - | - |\n`;
  assert.ok(!isTangled(review.repeat(40)));
  assert.ok(
    isTangled('>'.repeat(9000)) && isTangled('*a '.repeat(2000)) && isTangled('[^1]'.repeat(600)) && isTangled('word '.repeat(10_000)),
  );
});
