import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takesLetters } from './takes-letters.ts';

const element = (tagName: string, type?: string) => ({ tagName, isContentEditable: false, ...(type === undefined ? {} : { type }) });

test('whoever ticked a box does not type', () => {
  assert.equal(takesLetters(element('INPUT', 'checkbox')), false);
  assert.equal(takesLetters(element('INPUT', 'radio')), false);
  assert.equal(takesLetters(element('BUTTON', 'submit')), false);
});

test('text, numbers, lists and what is edited in place take letters', () => {
  for (const type of ['text', 'search', 'number', 'email']) assert.equal(takesLetters(element('INPUT', type)), true);
  assert.equal(takesLetters(element('TEXTAREA', 'textarea')), true);
  assert.equal(takesLetters(element('SELECT', 'select-one')), true);
  assert.equal(takesLetters({ tagName: 'DIV', isContentEditable: true }), true);
});
