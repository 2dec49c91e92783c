import { link, open, rename, rm } from 'node:fs/promises';
import { nonce } from './ids.ts';

/** Writes lines into a file that appears under its name only when it is whole; false if there is one already that must stay. */
export async function writeLines(file: string, lines: AsyncIterable<string>, { replace }: { readonly replace: boolean }): Promise<boolean> {
  const draft = `${file}.${nonce()}.new`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    try {
      for await (const line of lines) await handle.appendFile(`${line}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!replace) return await linkUnlessThere(draft, file);
    await rename(draft, file);
    return true;
  } finally {
    await rm(draft, { force: true });
  }
}

async function linkUnlessThere(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
