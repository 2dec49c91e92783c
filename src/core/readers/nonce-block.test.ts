import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNonceBlock, nonceInfo } from './nonce-block.ts';

const block = (json: string, nonce = 'k3y'): string => `\`\`\`${nonceInfo(nonce)}\n${json}\n\`\`\`\n`;

test('the one block with the nonce is found among words and other blocks', () => {
  assert.deepEqual(findNonceBlock(`Hello\n\`\`\`json\n{}\n\`\`\`\n${block('{"passed":true}')}bye`, 'k3y'), {
    kind: 'block',
    json: '{"passed":true}',
  });
});

test('a block with another nonce counts for nothing', () => {
  assert.deepEqual(findNonceBlock(block('{}', 'old'), 'k3y'), { kind: 'none' });
  assert.deepEqual(findNonceBlock(block('{}', 'k3yx'), 'k3y'), { kind: 'none' });
  assert.deepEqual(findNonceBlock(block('{}', ''), ''), { kind: 'none' });
});

test('the same block twice is one, two different ones are none', () => {
  assert.equal(findNonceBlock(block('{}') + block('{}'), 'k3y').kind, 'block');
  assert.equal(findNonceBlock(block('{}') + block('{"passed":true}'), 'k3y').kind, 'broken');
});

test('a block that is not closed is broken', () => {
  assert.equal(findNonceBlock(`\`\`\`${nonceInfo('k3y')}\n{"passed":true}`, 'k3y').kind, 'broken');
});

test('backticks inside of the JSON do not end it, nor do Windows line ends', () => {
  assert.deepEqual(findNonceBlock('```json volley-k3y\r\n{"a":\r\n"```x"}\r\n```\r\n', 'k3y'), { kind: 'block', json: '{"a":\r\n"```x"}' });
});
