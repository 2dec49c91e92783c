import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { redact } from './core/secrets.ts';
import type { Artefacts } from './engine/engine.ts';
import { removeTree } from './lib/remove-tree.ts';
import { artefactExists, writeArtefact } from './store/artefacts.ts';
import { artefactBytes, readArtefact } from './store/read-artefact.ts';
import { openTranscript } from './store/transcript.ts';

/** Volley's own folder, or that of one project in it. */
export function stateFolder(key?: string): string {
  const base = join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'volley');
  return key === undefined ? base : join(base, key);
}

/** Where each kind of agent has a config home of Volley's, with a login of its own. */
export function agentHomes(): string {
  return join(stateFolder(), 'agents');
}

/** Where a project's journal lies. */
export function databasePlace(root: string): { readonly file: string; readonly backupDir: string } {
  return { file: join(root, '.volley', 'volley.db'), backupDir: join(root, '.volley', 'backups') };
}

/** The documents of a project, whose secrets are taken out; without a root none are kept. */
export function makeArtefacts(root: string | null, folder: string): Artefacts {
  return {
    write: async (path, text) => void (root === null ? null : await writeArtefact(root, path, redact(text))),
    exists: async (path) => root === null || (await artefactExists(root, path)),
    bytes: async (path) => (root === null ? null : await artefactBytes(root, path)),
    read: async (path, stretch) => (root === null ? null : await readArtefact(root, path, stretch)),
    openTranscript: async (name) => {
      if (root === null) return { path: '', write: () => undefined, close: () => undefined };
      const transcript = await openTranscript(root, name, { redact });
      return { path: transcript.path, write: (text) => transcript.write(text), close: () => transcript.close() };
    },
    makeSessionFolder: async (name) => {
      const parent = join(folder, 'sessions');
      mkdirSync(parent, { recursive: true, mode: 0o700 });
      const dir = mkdtempSync(join(parent, `${name}-`));
      mkdirSync(join(dir, 'scratch'));
      return { dir, remove: async () => await removeSessionFolder(dir) };
    },
    removeSessionFolders: async (uid) => {
      const parent = join(folder, 'sessions');
      const names = existsSync(parent) ? await readdir(parent) : [];
      const own = names.filter((name) => name.startsWith(`${uid}-`));
      await Promise.all(own.map(async (name) => await removeTree(join(parent, name))));
    },
  };
}

/** Most sessions leave a result and nothing else, which is gone at once. */
async function removeSessionFolder(dir: string): Promise<void> {
  try {
    rmSync(join(dir, 'result'), { force: true });
    rmdirSync(join(dir, 'scratch'));
    rmdirSync(dir);
  } catch {
    // There is more in it, or something else in its place.
    await removeTree(dir);
  }
}
