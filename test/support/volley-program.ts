import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellWord } from '../../src/core/words.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'bin', 'volley.js');

/** Puts a program `volley` into a folder, for others that look for it in their PATH; it runs from source. */
export async function writeVolleyProgram(folder: string): Promise<void> {
  await writeProgram(folder, 'volley', `exec ${[process.execPath, MAIN].map(shellWord).join(' ')} "$@"`);
}

/** Puts a shell script into a folder as a program. */
export async function writeProgram(folder: string, name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
