import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { systemNames, unreadableBelow } from './system-folders.ts';

let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'volley-system-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('what not everybody may read is found by its mode, at any depth, and a closed folder as a whole', () => {
  const modes: Readonly<Record<string, number>> = { 'open/file': 0o644, 'open/closed': 0o640, 'shut/file': 0o644, 'listed/file': 0o600 };
  for (const [name, mode] of Object.entries(modes)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), '');
    chmodSync(join(folder, name), mode);
  }
  chmodSync(join(folder, 'open'), 0o755);
  chmodSync(join(folder, 'shut'), 0o750);
  chmodSync(join(folder, 'listed'), 0o751);
  symlinkSync('/etc/shadow', join(folder, 'open/link'));
  const found = unreadableBelow(folder).map(({ path, kind }) => `${kind} ${path.slice(folder.length + 1)}`);
  assert.deepEqual(found.toSorted(), ['file open/closed', 'folder listed', 'folder shut']);
});

test('a folder that is gone has nothing in it', () => {
  assert.deepEqual(unreadableBelow(join(folder, 'nowhere')), []);
});

test('the folders of the system do not include those of people or of running programs', () => {
  const names = systemNames();
  for (const name of ['/usr', '/etc', '/bin', '/lib']) assert.ok(names.includes(name), name);
  for (const name of ['/', '/home', '/root', '/var', '/run', '/tmp', '/proc', '/sys', '/dev', '/srv', '/mnt'])
    assert.ok(!names.includes(name), name);
});
