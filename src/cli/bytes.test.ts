import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesText } from './bytes.ts';

test('bytes are told in the unit in which they have at most three digits', () => {
  const told = [0, 1023, 1024, 3482, 10_188, 1_023_000, 1_048_576, 125_829_120, 1_073_741_823, 5e12, 5e16].map(bytesText);
  assert.deepEqual(told, ['0 B', '1023 B', '1.0 KB', '3.4 KB', '9.9 KB', '999 KB', '1.0 MB', '120 MB', '1.0 GB', '4.5 TB', '45475 TB']);
});
