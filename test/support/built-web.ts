import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../../src/lib/lock.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILD = "import { buildWeb } from './scripts/setup.mjs'; process.exitCode = buildWeb() ? 0 : 1;";

/** Builds the web app unless it is built from just these sources already; test files that run side by side take turns. */
export async function buildWeb(): Promise<void> {
  await withLock(join(ROOT, 'node_modules', '.web-build.lock'), async () => {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: ROOT });
  });
}
