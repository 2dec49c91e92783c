import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seenParts, seenText } from './hidden-characters.ts';

test('ordinary text is one stretch, with its lines and tabs', () => {
  assert.deepEqual(seenParts('a\n\tb é 漢'), [{ text: 'a\n\tb é 漢', hidden: false }]);
  assert.deepEqual(seenParts(''), []);
});

test('a character that turns text around is named where it stands', () => {
  assert.deepEqual(seenParts('access\u202enimda'), [
    { text: 'access', hidden: false },
    { text: 'U+202E', hidden: true },
    { text: 'nimda', hidden: false },
  ]);
});

test('blanks without a width, controls, fillers and invisible letters are named', () => {
  for (const char of ['\u200b', '\u00ad', '\u2066', '\ufeff', '\u3164', '\u0007', '\r', '\u{e0041}', '\u{e0100}', '\u2028'])
    assert.deepEqual(
      seenParts(`a${char}b`).map(({ hidden }) => hidden),
      [false, true, false],
      JSON.stringify(char),
    );
});

test('what joins pictures stays in them and is named elsewhere', () => {
  assert.equal(seenParts('👩‍💻 and 👩🏽‍🚀 and 🏳️‍🌈').length, 1);
  assert.deepEqual(
    seenParts('pass\u200dword').map(({ text }) => text),
    ['pass', 'U+200D', 'word'],
  );
});

test('where no markup is taken, such characters are named too', () => {
  assert.equal(seenText('admin\u202E txt\n'), 'adminU+202E txt\n');
});

test('in a name a new line and a tab are named too: they look like a blank', () => {
  assert.equal(seenText('a\nb\tc.ts', 'name'), 'aU+000AbU+0009c.ts');
  assert.equal(seenText('a\nb\tc.ts'), 'a\nb\tc.ts');
});
