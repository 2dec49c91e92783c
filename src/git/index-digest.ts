import { createHash } from 'node:crypto';

const HEADER = 12;
/** Times, device, inode, owner and size: what changes when somebody only looks. The mode stands in between. */
const MODE_AT = 24;
const ID_AT = 40;
const EXTENDED = 0x4000;

/** A digest of the entries of an index (mode, id, flags, path) without what it remembers of the files; null for formats it cannot read. */
export function indexDigest(bytes: Buffer, idLength: number): string | null {
  if (bytes.length < HEADER || bytes.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return null;
  const hash = createHash('sha256');
  let at = HEADER;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + ID_AT + idLength;
    if (flagsAt + 2 > bytes.length) return null;
    const nameAt = flagsAt + ((bytes.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4);
    const end = bytes.indexOf(0, nameAt);
    if (end === -1) return null;
    hash.update(bytes.subarray(at + MODE_AT, at + MODE_AT + 4)).update(bytes.subarray(at + ID_AT, end + 1));
    // Entries are padded with one to eight zero bytes to a multiple of eight.
    at += Math.floor((end - at + 8) / 8) * 8;
  }
  return isSplit(bytes.subarray(at, bytes.length - idLength)) ? null : hash.digest('hex');
}

/** A split index keeps entries in another file, which its extension `link` names. */
function isSplit(extensions: Buffer): boolean {
  for (let at = 0; at + 8 <= extensions.length; at += 8 + extensions.readUInt32BE(at + 4)) {
    if (extensions.toString('latin1', at, at + 4) === 'link') return true;
  }
  return false;
}
