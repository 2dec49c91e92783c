import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { acceptanceCriteria } from './criteria.ts';
import { fenced } from './fence.ts';
import { renderTemplate } from './template.ts';

test('names are filled in, with or without spaces', () => {
  assert.equal(renderTemplate('a {{x}} b {{ y }}', { x: '1', y: '2' }), 'a 1 b 2');
});

test('a value is never expanded again', () => {
  assert.equal(renderTemplate('{{x}}', { x: '{{y}} $& $1', y: 'secret' }), '{{y}} $& $1');
});

test('unknown names are all named in one error', () => {
  assert.throws(() => renderTemplate('{{x}} {{dif}} {{constructor}}', { x: '' }), {
    code: 'bad-config',
    message: /\{\{dif\}\}, \{\{constructor\}\}/,
    remedy: /\{\{x\}\}/,
  });
});

test('a template without what is required is refused', () => {
  assert.throws(() => renderTemplate('hello', { report: 'r' }, ['report']), { code: 'bad-config', message: /\{\{report\}\}/ });
});

test('an empty section leaves no blank lines behind, and a value with blank lines keeps them', () => {
  assert.equal(renderTemplate('a\n\n{{x}}\n\n{{y}}\n\nb\n', { x: '', y: '1\n\n\n2' }), 'a\n\n1\n\n\n2\n\nb\n');
});

test('nothing inside of a fence can close it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('```', '````', '`````', '~~~', 'x', '\n')), (parts) => {
      const [fence = '', ...rest] = fenced(parts.join('')).split('\n');
      assert.equal(rest.pop(), fence);
      assert.ok(rest.every((line) => !line.includes(fence)));
    }),
  );
});

test('acceptance criteria come from their heading, else from checkboxes', () => {
  const story = '# Story\n- not one\n\n## Acceptance Criteria\n- [ ] Greets\n- [x] Trims\n1. Logs\n\n## Notes\n- no';
  assert.deepEqual(acceptanceCriteria({ text: 'Do it', story }), ['Greets', 'Trims', 'Logs']);
  assert.deepEqual(acceptanceCriteria({ text: 'Do it\n- [ ] Greets\n- other', story: null }), ['Greets']);
});
