import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The token in a file that only its owner can read; made where there is none. It stays the same, so that programs and browsers
 * stay logged in when a server is started again.
 */
export async function readOrMakeToken(path: string): Promise<string> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Both may have been made by somebody with other habits.
  await chmod(folder, 0o700);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  try {
    await handle.chmod(0o600);
    const known = (await handle.readFile('utf8')).trim();
    if (TOKEN.test(known)) return known;
    const token = randomBytes(32).toString('base64url');
    await handle.truncate(0);
    await handle.write(`${token}\n`, 0);
    return token;
  } finally {
    await handle.close();
  }
}
