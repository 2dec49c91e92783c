import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LedFile } from './led-file.ts';

test('the file that somebody was led to stays the one until they scroll by hand', () => {
  const led = new LedFile();
  led.take('a.ts');
  led.scrolled();
  assert.equal(led.id(), 'a.ts');
  led.touch();
  assert.equal(led.id(), 'a.ts', 'a wheel at the end of all moves nothing');
  led.scrolled();
  assert.equal(led.id(), null);
});

test('who is led on after scrolling is at the new file, though the page moves to it', () => {
  const led = new LedFile();
  led.touch();
  led.take('b.ts');
  led.scrolled();
  assert.equal(led.id(), 'b.ts');
});

test('listeners hear of another file, once', () => {
  const led = new LedFile();
  const heard: (string | null)[] = [];
  const stop = led.subscribe(() => heard.push(led.id()));
  led.take('a.ts');
  led.take('a.ts');
  led.touch();
  led.scrolled();
  led.scrolled();
  stop();
  led.take('b.ts');
  assert.deepEqual(heard, ['a.ts', null]);
});
