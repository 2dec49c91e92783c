import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommentBlocks } from './comment-blocks.ts';
import { textLines } from './lines.ts';

const read = (text: string): ReturnType<typeof readCommentBlocks> => readCommentBlocks(textLines(text));
const brief = (text: string): readonly unknown[] =>
  read(text).issues.map((issue) => [issue.file, issue.line, issue.severity, issue.description]);

const TWO = `Here is my review.

**FILE:** src/a.ts
**LINE:** 12
**SEVERITY:** error
**COMMENT:** The name is not trimmed.
It should be.

**FILE:** \`src/b.ts\`
**LINE:** 3-5
**SEVERITY:** warning
**COMMENT:** Unclear.
`;

test('blocks are read with comments over several lines', () => {
  assert.deepEqual(brief(TWO), [
    ['src/a.ts', 12, 'error', 'The name is not trimmed.\nIt should be.'],
    ['src/b.ts', 3, 'warning', 'Unclear.'],
  ]);
  assert.equal(read(TWO).issues[1]?.lineEnd, 5);
});

test('labels may be bulleted, on one line, in another order, or partly missing', () => {
  assert.deepEqual(brief('- **FILE**: a.ts **LINE**: 4 **SEVERITY**: error **COMMENT**: Bad.'), [['a.ts', 4, 'error', 'Bad.']]);
  assert.deepEqual(brief('**SEVERITY:** error\n**COMMENT:** One.\n**SEVERITY:** warning\n**COMMENT:** Two.'), [
    [null, null, 'error', 'One.'],
    [null, null, 'warning', 'Two.'],
  ]);
  assert.deepEqual(brief('**FILE:** a.ts\n**LINE:** n/a\n**SEVERITY:** error'), [['a.ts', null, 'error', '(the reviewer gave no words)']]);
});

test('blocks inside of one fence are read where none stand free', () => {
  assert.equal(brief(`\`\`\`\n${TWO}\`\`\``).length, 2);
  assert.deepEqual(brief('```\n**FILE:** q.ts\n**COMMENT:** quoted\n```\n**FILE:** a.ts\n**COMMENT:** real'), [
    ['a.ts', null, null, 'real'],
  ]);
});

test('an echo of the template and the lines of a findings document are no blocks', () => {
  assert.deepEqual(
    brief(
      '**FILE:** path/to/file\n**LINE:** line_number\n**SEVERITY:** error | warning | suggestion\n**COMMENT:** Your review comment here',
    ),
    [],
  );
  assert.deepEqual(brief('   - **File:** a.ts:3\n   - **Severity:** high'), []);
});

test('exactly one line with nothing but the approval approves', () => {
  assert.equal(read('Good.\n**APPROVED**\n').approves, true);
  for (const text of [
    '**APPROVED**\n**APPROVED**',
    'not **APPROVED**',
    '> **APPROVED**',
    '```\n**APPROVED**\n```',
    '+**APPROVED**',
    '**DISAPPROVED**',
    'APPROVED',
  ]) {
    assert.equal(read(text).approves, false, text);
  }
});
