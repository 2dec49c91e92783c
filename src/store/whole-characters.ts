/** The most bytes up to `limit` that do not end within a character of UTF-8. */
export function wholeCharacters(bytes: Uint8Array, limit: number): number {
  let end = limit;
  while (end > 0 && isFollowing(bytes[end] ?? 0)) end -= 1;
  return end;
}

/** Whether a byte goes on with a character of UTF-8 that began before it. */
export function isFollowing(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
