import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new ULID: sorts by time, unique on every machine. */
export function ulid(nowMs: number): string {
  let time = '';
  for (let rest = nowMs, index = 0; index < 10; index += 1) {
    time = (ALPHABET[rest % 32] ?? '0') + time;
    rest = Math.floor(rest / 32);
  }
  const random = [...randomBytes(16)].map((byte) => ALPHABET[byte % 32] ?? '0').join('');
  return time + random;
}

/** A word that nobody can guess, for one session. */
export function nonce(): string {
  return randomBytes(12).toString('hex');
}

/** The sha-256 of a text, in hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
