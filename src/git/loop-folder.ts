import { join } from 'node:path';

/** The folder of a loop below another one. Whoever removes it must remove nothing else, so its name is one plain segment. */
export function loopFolder(parent: string, uid: string, suffix = ''): string {
  if (!/^[\w-]+$/.test(uid)) throw new Error(`${JSON.stringify(uid)} does not name the folder of a loop`);
  return join(parent, `${uid}${suffix}`);
}
