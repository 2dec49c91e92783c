import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { makeFinding } from '../../../test/support/loops.ts';
import type { Finding } from '../../core/finding.ts';
import { linePatch } from '../../core/line-patch.ts';
import { fixFindings } from './fix.ts';

const TEXT = 'one\ntwo\nthree\n';
let dir = '';

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'volley-fix-'));
  await mkdir(join(dir, 'checkout'));
  await writeFile(join(dir, 'checkout', 'a.sh'), TEXT, { mode: 0o755 });
  await writeFile(join(dir, 'outside.sh'), TEXT);
});
afterEach(() => rmSync(dir, { recursive: true }));

test('an exact patch is applied, its finding is answered as fixed with its place, and the mode of the file stays', async () => {
  const { result, told } = await fixFindings([finding('1.1', 2, 'TWO')], join(dir, 'checkout'));
  assert.equal(await readFile(join(dir, 'checkout', 'a.sh'), 'utf8'), 'one\nTWO\nthree\n');
  assert.equal((await stat(join(dir, 'checkout', 'a.sh'))).mode & 0o777, 0o755);
  assert.deepEqual(result, {
    summary: '1 exact fix: some-rule',
    resolutions: [
      { findingId: '1.1', status: 'fixed', note: 'Its exact patch was applied at line 2.', places: [{ file: 'a.sh', line: 2 }] },
    ],
  });
  assert.deepEqual(told, ['1.1 Its exact patch was applied at line 2.']);
});

test('what has no exact fix needs a person, and says why', async () => {
  const { result } = await fixFindings([{ ...finding('1.1', 2, 'TWO'), patch: null }], join(dir, 'checkout'));
  assert.deepEqual(result, {
    summary: 'no exact fix',
    resolutions: [
      {
        findingId: '1.1',
        status: 'needs_person',
        note: 'The built-in fixer cannot fix it: it has no exact fix. Fix it by hand, or give it to another agent.',
      },
    ],
  });
});

test('a second fix of the same line is left for the next round, without an answer', async () => {
  const { result, told } = await fixFindings([finding('1.1', 2, 'TWO'), finding('1.2', 2, '2')], join(dir, 'checkout'));
  assert.ok('resolutions' in result && Array.isArray(result.resolutions));
  assert.equal(result.resolutions.length, 1);
  assert.equal(told[1], '1.2 It waits for the next round: the fix of 1.1 just changed the same lines.');
});

test('a file outside of the checkout is never written, by whatever way a finding names it', async () => {
  await symlink('../outside.sh', join(dir, 'checkout', 'link.sh'));
  await symlink('..', join(dir, 'checkout', 'up'));
  for (const file of ['../outside.sh', 'link.sh', 'up/outside.sh', join(dir, 'outside.sh')]) {
    const { result } = await fixFindings([fileFinding(file, { id: '1.1', line: 2, added: 'TWO' })], join(dir, 'checkout'));
    assert.match(JSON.stringify(result), /needs_person/, file);
  }
  assert.equal(await readFile(join(dir, 'outside.sh'), 'utf8'), TEXT);
});

test('a file that is not UTF-8 and git’s own files are left as they are', async () => {
  const bytes = Buffer.from('caf\u00e9\ntwo\nna\u00efve\n', 'latin1');
  await writeFile(join(dir, 'checkout', 'l.txt'), bytes);
  await writeFile(join(dir, 'checkout', '.git'), TEXT);
  for (const file of ['l.txt', '.git']) {
    const patch = linePatch(file, 'one\ntwo\nthree\n', { line: 2, removed: 1, added: ['TWO'] });
    const { result } = await fixFindings([{ ...fileFinding(file, { id: '1.1', line: 2, added: '' }), patch }], join(dir, 'checkout'));
    assert.match(JSON.stringify(result), /needs_person/, file);
  }
  assert.deepEqual(await readFile(join(dir, 'checkout', 'l.txt')), bytes);
  assert.equal(await readFile(join(dir, 'checkout', '.git'), 'utf8'), TEXT);
});

function finding(id: string, line: number, added: string): Finding {
  return fileFinding('a.sh', { id, line, added });
}

function fileFinding(file: string, { id, line, added }: { id: string; line: number; added: string }): Finding {
  const patch = linePatch(file, TEXT, { line, removed: 1, added: [added] });
  return makeFinding(id, { file, line, patch, tag: 'some-rule', description: 'wrong', raisedBy: ['builtin'] });
}
