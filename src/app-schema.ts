import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const SCHEMA = 'schemas/volley.schema.json';

/** The line at the head of the user's own file by which editors complete it; none where this installation is only a cache. */
export function userModeline(): string {
  const url = new URL(`../${SCHEMA}`, import.meta.url);
  return existsSync(fileURLToPath(url)) && !url.pathname.includes('/_npx/') ? `${modeline(url.href)}\n` : '';
}

/**
 * The line at the head of a project's file by which editors complete it. It must mean the same to everybody who clones the project, so
 * there is one only where Volley is among the packages that the project itself installs.
 */
export async function projectModeline(root: string): Promise<string | null> {
  const path = `node_modules/volley/${SCHEMA}`;
  return existsSync(join(root, path)) && (await isDependency(join(root, 'package.json'))) ? modeline(`./${path}`) : null;
}

const Package = z.object({
  dependencies: z.record(z.string(), z.unknown()).optional(),
  devDependencies: z.record(z.string(), z.unknown()).optional(),
});

/** A package that is only linked into the folder is not there for others; a file that nobody can read names none. */
async function isDependency(file: string): Promise<boolean> {
  const text = await readFile(file, 'utf8').catch(() => '');
  if (!text.includes('volley')) return false;
  try {
    const { dependencies = {}, devDependencies = {} } = Package.parse(JSON.parse(text));
    return Object.hasOwn(dependencies, 'volley') || Object.hasOwn(devDependencies, 'volley');
  } catch {
    return false;
  }
}

function modeline(schema: string): string {
  return `# yaml-language-server: $schema=${schema}`;
}
