import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NO_STOPS, StopMemory } from '../core/stop-hook.ts';
import { writeArtefact } from './artefacts.ts';

const FOLDER = 'stops';

/** Of so many sessions something is remembered; the one that was quiet for the longest time is forgotten first. */
const MAX_SESSIONS = 50;

/** What is remembered of a client's session, in a folder of Volley's own; null of one that nothing is known of. */
export function readStopMemory(home: string, session: string): StopMemory | null {
  const file = join(home, pathOf(session));
  if (!existsSync(file)) return null;
  const parsed = StopMemory.safeParse(jsonOf(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : NO_STOPS;
}

/** Remembers something of a client's session. */
export async function writeStopMemory(home: string, session: string, memory: StopMemory): Promise<void> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await writeArtefact(home, pathOf(session), `${JSON.stringify(memory)}\n`);
  forgetOldest(join(home, FOLDER));
}

/** Clients choose the names of their sessions, so that a file is named by its hash. */
function pathOf(session: string): string {
  return `${FOLDER}/${createHash('sha256').update(session).digest('hex').slice(0, 32)}.json`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever somebody made of the file, it says nothing.
    return null;
  }
}

function forgetOldest(folder: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  if (files.length <= MAX_SESSIONS) return;
  const byAge = files.map((name) => ({ name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { name } of byAge.toSorted((a, b) => b.at - a.at).slice(MAX_SESSIONS)) rmSync(join(folder, name), { force: true });
}
