import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tomlOf } from './codex-toml.ts';

test('texts are quoted whatever is in them', () => {
  assert.equal(tomlOf('a "b" \\ c\nd\te\u0000\u007F'), String.raw`"a \"b\" \\ c\nd\te\u0000\u007F"`);
  assert.equal(tomlOf('Größe → 😀'), '"Größe → 😀"');
  assert.equal(tomlOf('half \uD83D'), '"half \uFFFD"');
});

test('tables and lists stand in one line, and keys are quoted too', () => {
  const value = { '/a b/"c"': { trust_level: 'untrusted' }, list: ['x', 1, true], empty: [] };
  assert.equal(tomlOf(value), String.raw`{"/a b/\"c\""={"trust_level"="untrusted"},"list"=["x",1,true],"empty"=[]}`);
});
