import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyPage } from './pages.ts';

test('pages are asked for until the last one', async () => {
  const asked: (string | undefined)[] = [];
  const pages = await everyPage((cursor) => {
    asked.push(cursor);
    return Promise.resolve({ next: cursor === undefined ? 'b' : cursor === 'b' ? 'c' : null });
  });
  assert.deepEqual(asked, [undefined, 'b', 'c']);
  assert.equal(pages.length, 3);
});

test('a list that leads back to itself is refused', async () => {
  await assert.rejects(
    everyPage(() => Promise.resolve({ next: 'same' })),
    /do not end/,
  );
});
