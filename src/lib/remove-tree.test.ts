import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('what is closed to its owner is removed, and no link is followed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'volley-remove-'));
  try {
    await mkdir(join(root, 'kept'), { mode: 0o500 });
    await mkdir(join(root, 'gone', 'closed', 'deep'), { recursive: true });
    await writeFile(join(root, 'gone', 'closed', 'deep', 'file'), '');
    await symlink(join(root, 'kept'), join(root, 'gone', 'closed', 'link'));
    await chmod(join(root, 'gone', 'closed', 'deep'), 0o000);
    await chmod(join(root, 'gone', 'closed'), 0o555);
    await chmod(root, 0o777);
    // Root may do anything, so somebody else does it.
    const file = new URL('remove-tree.ts', import.meta.url).href;
    const script = `const { removeTree } = await import(${JSON.stringify(file)}); await removeTree(${JSON.stringify(join(root, 'gone'))});`;
    const isRoot = process.getuid?.() === 0;
    if (isRoot) execFileSync('chown', ['-R', '65534:65534', root]);
    execFileSync(process.execPath, ['--input-type=module', '-e', script], isRoot ? { uid: 65_534, gid: 65_534, cwd: '/' } : { cwd: '/' });
    assert.deepEqual([existsSync(join(root, 'gone')), existsSync(join(root, 'kept'))], [false, true]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
