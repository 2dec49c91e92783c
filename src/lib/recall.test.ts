import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recall } from './recall.ts';

test('a question is answered once, also while the answer is still looked for', async () => {
  const known = recall<number>(2);
  let asked = 0;
  const ask = async (): Promise<number> => await known.get('one', async () => await Promise.resolve((asked += 1)));
  assert.deepEqual([...(await Promise.all([ask(), ask()])), await ask()], [1, 1, 1]);
});

test('a failure is not remembered', async () => {
  const known = recall<number>(2);
  await assert.rejects(
    known.get('one', async () => await Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await known.get('one', async () => await Promise.resolve(1)), 1);
});

test('what was asked for longest ago is forgotten', async () => {
  const known = recall<number>(2);
  known.put('one', 1);
  known.put('two', 2);
  await known.get('one', async () => await Promise.resolve(0));
  known.put('three', 3);
  const again = async (question: string): Promise<number> => await known.get(question, async () => await Promise.resolve(0));
  assert.deepEqual([await again('one'), await again('three'), await again('two')], [1, 3, 0]);
});
