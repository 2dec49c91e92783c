import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who root is inside of a sandbox. */
export const INNER_ID = 1000;
const NAME = 'volley';

/** A file of the system, and the one that a sandbox finds in its place. */
export type Account = { readonly path: string; readonly source: string };

/** Writes lists of users and groups that know who root is inside: many programs fail where nobody has their number. */
export function writeAccounts(folder: string, home: string): Account[] {
  const lines = { passwd: `${NAME}:x:${INNER_ID}:${INNER_ID}::${home}:/bin/bash`, group: `${NAME}:x:${INNER_ID}:` };
  return Object.entries(lines).map(([name, line]) => {
    const path = `/etc/${name}`;
    const others = readFileSync(path, 'utf8')
      .split('\n')
      .filter((entry) => entry !== '' && entry.split(':')[2] !== String(INNER_ID));
    const source = join(folder, name);
    writeFileSync(source, `${[line, ...others].join('\n')}\n`, { mode: 0o644 });
    return { path, source };
  });
}
