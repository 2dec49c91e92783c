import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BuiltPackage } from './built-package.ts';

/** Where the set-up has built the web app. */
export const WEB = join(import.meta.dirname, '..', 'dist', 'web');

/** What is served, with the address that lets one in. */
export type ServedWeb = AsyncDisposable & { readonly address: string };

/** Where a server is started, and with what environment. */
export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> };

/** Serves the web app of the built package as users do. */
export async function serveWeb({ bin, dir }: BuiltPackage, { cwd, env }: Place): Promise<ServedWeb> {
  await cp(WEB, join(dir, 'dist', 'web'), { recursive: true });
  const child = spawn(process.execPath, [bin, 'serve', '--port', '0', '--no-work'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let address = '';
  while (address === '') {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the server ended before it listened');
    address = /http:\S+#code=\S+/.exec(value)?.[0] ?? '';
  }
  return {
    address,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await ended;
    },
  };
}
