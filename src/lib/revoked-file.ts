import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const Entries = z.array(z.tuple([z.string(), z.number()]));

/** More than that nobody takes back within the life of one. */
const MOST = 1000;

/** Ids that count no more until a time, kept in a file; those whose time is over are forgotten. */
export function openRevoked(path: string, nowMs: () => number): { has(id: string): boolean; add(id: string, untilMs: number): void } {
  const ids = new Map(readEntries(path));
  return {
    has: (id) => ids.has(id),
    add: (id, untilMs) => {
      if (!Number.isFinite(untilMs)) return;
      ids.set(id, untilMs);
      for (const [one, until] of ids) if (until <= nowMs() || ids.size > MOST) ids.delete(one);
      // Whole or not at all: half of a file would be none.
      writeFileSync(`${path}.new`, JSON.stringify([...ids]), { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

function readEntries(path: string): readonly [string, number][] {
  try {
    return Entries.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Nothing was taken back yet, or nobody can tell any more what was.
    return [];
  }
}
