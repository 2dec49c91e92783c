import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Secrets that nobody uses, one for each way by which something gets in, and where they turn up again. */
export type Canaries = {
  /** A sentence with a secret in it, which is looked for from now on. */
  plant(way: string): string;
  /** What `plant` was called with. */
  readonly ways: readonly string[];
  /** The secret alone, cut in two. */
  halves(way: string): readonly [string, string];
  /** The ways whose secret stands in a text. */
  in(text: string): readonly string[];
  /** The same for all files of a folder, byte by byte, with their paths. */
  inFolder(folder: string): Promise<readonly string[]>;
};

/** Secrets of every shape in turn; the same name gives the same secret, and none stands in this file as a whole. */
export function makeCanaries(): Canaries {
  const values = new Map<string, string>();
  const ways: string[] = [];
  const random = (way: string, length: number): string => {
    const bytes = createHash('sha512').update(way).digest();
    return Array.from({ length }, (_, index) => LETTERS[(bytes[index % bytes.length] ?? 0) % LETTERS.length]).join('');
  };
  const make = (way: string): string => {
    const shape = SHAPES[values.size % SHAPES.length];
    const value = random(way, 36);
    values.set(way, value);
    return shape?.(value) ?? '';
  };
  const found = (text: string): string[] => [...values].filter(([, value]) => text.includes(value)).map(([way]) => way);
  return {
    ways,
    plant: (way) => {
      ways.push(way);
      return `about ${way}: ${make(way)}`;
    },
    halves: (way) => {
      const value = random(way, 36);
      values.set(way, value);
      return [`${'gh'}p_${value.slice(0, 11)}`, value.slice(11)];
    },
    in: found,
    inFolder: async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      const hits = await Promise.all(
        files.map(async (file) => found((await readFile(file)).toString('latin1')).map((way) => `${file}: ${way}`)),
      );
      return hits.flat();
    },
  };
}

const LETTERS = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zAcC';

const SHAPES: readonly ((value: string) => string)[] = [
  (value) => `${'gh'}p_${value}`,
  (value) => `${'-----BEGIN'} PRIVATE KEY-----\nMIIE${value}\n${'-----END'} PRIVATE KEY-----`,
  (value) => `api_${'key'} = "${value}"`,
  (value) => `postgres://app:${value}@db.prod.acme.io/app`,
  (value) => `${'np'}m_${value}`,
];
