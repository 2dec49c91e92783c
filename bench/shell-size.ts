import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a browser must have before the app shows the board, in bytes as they are sent: the page, its style, and all that its program and the board import. */
export async function shellBytes(folder: string): Promise<number> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const first = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '');
  const found = new Set<string>();
  const board = (await readdir(join(folder, 'assets'))).filter((name) => /^board-[^.]+\.js$/.test(name));
  if (board.length !== 1) throw new Error(`the board is in ${board.length} files`);
  const queue = [...first, ...board.map((name) => join('assets', name))].map((path) => join(folder, path));
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    const text = file.endsWith('.js') ? await readFile(file, 'utf8') : '';
    for (const [, path = ''] of text.matchAll(/(?:\bfrom|\bimport)\s*["'](\.\/[^"']+\.js)["']/g)) queue.push(join(dirname(file), path));
  }
  const sizes = await Promise.all([...found].map(async (file) => gzipSync(await readFile(file)).length));
  return sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
}
