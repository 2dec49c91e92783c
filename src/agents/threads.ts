import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DriverPlace } from './agent.ts';
import { readResultFile } from './result-file.ts';

const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What the sessions of one driver said, so that they can go on some day; no session can reach it. */
export type Threads = {
  /** What is kept under an id; null where it is none of ours, or too old. */
  read(id: string): Promise<string | null>;
  keep(id: string, text: string): Promise<void>;
};

/** The threads of a driver. */
export function threadsOf({ homes }: DriverPlace, driver: string): Threads {
  const folder = join(homes, `${driver}-threads`);
  const path = (id: string): string | null => (ID.test(id) ? join(folder, `${id}.jsonl`) : null);
  return {
    async read(id) {
      const file = path(id);
      return file === null ? null : (await readResultFile(file)).text;
    },
    async keep(id, text) {
      const file = path(id);
      if (file === null) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(file, text, { mode: 0o600 });
      await dropOld(folder);
    },
  };
}

async function dropOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - KEPT_DAYS * DAY_MS) await rm(path, { force: true });
  }
}
