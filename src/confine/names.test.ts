import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isWithin, locate, locateItself } from './names.ts';

let base = '';

before(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'volley-names-')));
  mkdirSync(join(base, 'real/inner'), { recursive: true });
  writeFileSync(join(base, 'real/inner/file'), '');
  symlinkSync('real', join(base, 'link'));
  symlinkSync(join(base, 'link'), join(base, 'absolute'));
  symlinkSync('../../link/inner', join(base, 'real/inner/around'));
  symlinkSync('circle', join(base, 'circle'));
  symlinkSync('nowhere', join(base, 'dangling'));
});
after(() => rmSync(base, { recursive: true, force: true }));

test('a name without links is its own real path', () => {
  assert.deepEqual(locate(join(base, 'real/./inner/../inner/file')), { real: join(base, 'real/inner/file'), links: [] });
});

test('every link on the way is told, in a real folder', () => {
  assert.deepEqual(locate(join(base, 'absolute/inner/around/file')), {
    real: join(base, 'real/inner/file'),
    links: [
      { path: join(base, 'absolute'), target: join(base, 'link') },
      { path: join(base, 'link'), target: 'real' },
      { path: join(base, 'real/inner/around'), target: '../../link/inner' },
      { path: join(base, 'link'), target: 'real' },
    ],
  });
});

test('what leads nowhere is nothing', () => {
  for (const name of ['nowhere', 'dangling', 'circle', 'real/inner/file/below']) assert.equal(locate(join(base, name)), null, name);
});

test('the last part of a name can be taken as it is', () => {
  assert.deepEqual(locateItself(join(base, 'link')), { real: join(base, 'link'), kind: 'link' });
  assert.deepEqual(locateItself(join(base, 'link/inner')), { real: join(base, 'real/inner'), kind: 'folder' });
  assert.deepEqual(locateItself(join(base, 'absolute/inner/file')), { real: join(base, 'real/inner/file'), kind: 'file' });
  assert.equal(locateItself(join(base, 'dangling/below')), null);
});

test('a path lies in a folder by whole names', () => {
  assert.ok(isWithin('/a', '/a') && isWithin('/a/b', '/a') && isWithin('/a', '/'));
  assert.equal(isWithin('/ab', '/a') || isWithin('/', '/a'), false);
});
