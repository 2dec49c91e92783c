import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where Codex looks for skills in the folder that it works in. */
const PLACES = ['.codex/skills', '.agents/skills'];
/** Codex itself looks into six levels. */
const DEPTH = 12;
const MOST_FOLDERS = 20_000;
/** One argument of a program holds 128 KB. */
const MOST_BYTES = 50_000;

/**
 * The skills of a repository, each by its file, so that they can be switched off one by one. There is no other way: Codex reads the
 * whole skill to the model where a prompt says `$name`, even in a quoted diff, and even in a folder that it does not trust. Null where
 * there are too many to be named.
 */
export async function findSkills(cwd: string): Promise<readonly string[] | null> {
  const found = new Set<string>();
  const seen = new Set<string>();
  let folders = PLACES.map((place) => join(cwd, place));
  for (let depth = 0; depth < DEPTH && folders.length > 0; depth++) {
    const inner: string[] = [];
    for (const folder of folders) {
      const place = await realpath(folder).catch(() => null);
      // Links are followed, by Codex too, and may lead in a circle.
      if (place === null || seen.has(place)) continue;
      seen.add(place);
      for (const name of await readdir(place).catch(() => [])) {
        const path = join(folder, name);
        if (/^skill\.md$/i.test(name)) for (const one of [path, join(place, name), await realpath(path).catch(() => path)]) found.add(one);
        else if ((await stat(path).catch(() => null))?.isDirectory() === true) inner.push(path);
      }
    }
    folders = inner;
    if (seen.size + folders.length > MOST_FOLDERS) return null;
  }
  return Buffer.byteLength([...found].join('')) > MOST_BYTES ? null : [...found];
}
