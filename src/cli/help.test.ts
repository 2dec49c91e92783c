import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandHelp, usageLines } from './help.ts';

test('a usage is broken between its parts, never within one', () => {
  assert.deepEqual(usageLines('volley run "Add X" [--reviewer B[,C]] [--gate CMD]… [--dry-run]', 40), [
    'volley run "Add X" [--reviewer B[,C]]',
    '    [--gate CMD]… [--dry-run]',
  ]);
  assert.deepEqual(usageLines('volley status [--all]', 100), ['volley status [--all]']);
});

test('the help of decide names the choices', async () => {
  const text = (await commandHelp('decide', 100)).join('\n');
  for (const choice of ['fix-manually', 'accept', 'one-more-round', 'raise-ceiling', 'letter']) assert.ok(text.includes(choice), text);
});

test('a mistyped command is answered with the one that was meant', async () => {
  await assert.rejects(commandHelp('stauts', 100), { remedy: 'Did you mean volley status? See volley help for all of them.' });
  await assert.rejects(commandHelp('frobnicate', 100), { remedy: 'See volley help for all of them.' });
});
