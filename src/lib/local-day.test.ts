import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { localDay } from './local-day.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

test('a day is that of the machine, from its midnight on', () => {
  process.env['TZ'] = 'Asia/Tokyo';
  assert.deepEqual(localDay('2026-01-29T14:59:59.999Z'), { day: '2026-01-29', since: '2026-01-28T15:00:00.000Z' });
  assert.deepEqual(localDay('2026-01-29T15:00:00.000Z'), { day: '2026-01-30', since: '2026-01-29T15:00:00.000Z' });
});

test('the day on which clocks are changed begins at its midnight too', () => {
  process.env['TZ'] = 'America/New_York';
  assert.deepEqual(localDay('2026-03-08T20:00:00.000Z'), { day: '2026-03-08', since: '2026-03-08T05:00:00.000Z' });
  assert.deepEqual(localDay('2026-03-09T20:00:00.000Z'), { day: '2026-03-09', since: '2026-03-09T04:00:00.000Z' });
});
