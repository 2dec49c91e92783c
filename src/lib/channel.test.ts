import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openChannel } from './channel.ts';

test('values come in order, whether they are pushed before or while they are read', async () => {
  const channel = openChannel<number>();
  channel.push(1);
  channel.push(2);
  setTimeout(() => {
    channel.push(3);
    channel.close();
  }, 5);
  const seen: number[] = [];
  for await (const value of channel.values()) seen.push(value);
  assert.deepEqual(seen, [1, 2, 3]);
});
