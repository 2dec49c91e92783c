import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ordersOf, TasksOrder } from './task-order.ts';

test('an order is one task, several, or those of a document, to all of which the rest applies', () => {
  const texts = (order: unknown): readonly (string | undefined)[] => ordersOf(TasksOrder.parse(order)).map(({ text }) => text);
  assert.deepEqual(texts({ text: ' Add X ' }), ['Add X']);
  assert.deepEqual(texts({ tasks: [{ text: 'One' }, { kind: 'review' }] }), ['One', undefined]);
  const listed = ordersOf(TasksOrder.parse({ from: '# One\n\nFirst.\n\n# Two\n', group: 'night', maxRounds: 2 }));
  assert.deepEqual(
    listed.map(({ text, group, maxRounds }) => [text, group, maxRounds]),
    [
      ['One\n\nFirst.', 'night', 2],
      ['Two', 'night', 2],
    ],
  );
});

test('a document without a heading, with too many, or beside other words is refused', () => {
  const order = (given: object): unknown => ordersOf(TasksOrder.parse(given));
  assert.throws(() => order({ from: 'just words' }), { code: 'bad-usage', message: /no heading/ });
  assert.throws(() => order({ from: '# T\n'.repeat(101) }), { code: 'too-large', message: /101 tasks/ });
  assert.throws(() => order({ from: '# T\n', text: 'Both' }), { code: 'bad-usage' });
  assert.throws(() => order({ from: '# T\n', kind: 'review' }), { code: 'bad-usage' });
  assert.equal(TasksOrder.safeParse({ tasks: [] }).success, false);
  assert.equal(TasksOrder.safeParse({ tasks: [{ text: 'One' }], text: 'Both' }).success, false);
});
