import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTaskList } from './task-list.ts';

test('each heading is a task, with all that stands below it', () => {
  const text = '# Add a limit\n\nTen a minute.\n\n# Log refusals\n';
  assert.deepEqual(readTaskList(text), [
    { title: 'Add a limit', text: 'Add a limit\n\nTen a minute.' },
    { title: 'Log refusals', text: 'Log refusals' },
  ]);
});

test('a single heading on top of smaller ones is the title of the document', () => {
  const titles = readTaskList('# This week\n\nNotes.\n\n## First ##\n### Criteria\n- a\n## Second\n').map(({ title }) => title);
  assert.deepEqual(titles, ['First', 'Second']);
});

test('smaller headings belong to the task above them', () => {
  const [only, ...more] = readTaskList('## Add a limit\n\n### Acceptance criteria\n\n- ten a minute\n## Next\n');
  assert.equal(only?.text, 'Add a limit\n\n### Acceptance criteria\n\n- ten a minute');
  assert.equal(more.length, 1);
});

test('one heading alone is one task, and no heading is none', () => {
  assert.deepEqual(readTaskList('# Only this\n\nDo it.'), [{ title: 'Only this', text: 'Only this\n\nDo it.' }]);
  assert.deepEqual(readTaskList('just words\n'), []);
  assert.deepEqual(readTaskList(''), []);
});

test('what looks like a heading in a code block is code', () => {
  const titles = readTaskList('# One\n```sh\n# not a task\n~~~\n# nor this\n```\n# Two\n').map(({ title }) => title);
  assert.deepEqual(titles, ['One', 'Two']);
});

test('line ends of other systems and a byte order mark change nothing', () => {
  assert.deepEqual(readTaskList('\u{feff}# One\r\nbody\r\n# Two\r\n'), [
    { title: 'One', text: 'One\n\nbody' },
    { title: 'Two', text: 'Two' },
  ]);
});
