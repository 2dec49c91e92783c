import { createReadStream, lstatSync } from 'node:fs';
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { checkRepository } from './app-check-repository.ts';
import { findAgents } from './app-agents.ts';
import type { FoundAgent } from './app-agents.ts';
import { ignoredPaths, lookAtRepository } from './app-repository.ts';
import type { Repository } from './app-repository.ts';
import { projectModeline } from './app-schema.ts';
import { guessGates, guessSetup, packageProblem } from './config/guess-gates.ts';
import type { GuessedGates, ProjectTexts, SetupGuess } from './config/guess-gates.ts';
import { writeConfig } from './config/write-config.ts';

/** What a look at a project found, and the configuration that follows from it. */
export type Suggestion = {
  readonly repository: Repository;
  readonly agents: readonly FoundAgent[];
  readonly gates: GuessedGates;
  readonly setup: readonly SetupGuess[];
  /** What loops will find in the repository, good or not. */
  readonly checks: readonly Check[];
  readonly text: string;
};

/** What became of the file: written, with the old one kept beside it, or left as it was. */
export type Writing =
  | { readonly kind: 'written'; readonly keptAs: string | null }
  | { readonly kind: 'same' }
  | { readonly kind: 'exists' };

/** Looks at the project that a folder belongs to and drafts its configuration; nothing is written. */
export async function suggestConfig(cwd: string): Promise<Suggestion> {
  const repository = await lookAtRepository(cwd);
  const [{ texts, problems }, agents] = await Promise.all([readTexts(repository.workTree), findAgents()]);
  const gates = guessGates(texts);
  const setup = guessSetup(texts);
  const filled = setup.flatMap(({ fills }) => (fills === null ? [] : [`${fills}/`]));
  const [ignored, checks, modeline] = await Promise.all([
    ignoredPaths(repository, ['.env', ...filled]),
    checkRepository(repository),
    projectModeline(repository.workTree),
  ]);
  const text = writeConfig({
    agents: agents
      .filter(({ own }) => !own)
      .map(({ name, version, ...agent }) => ({ name, version, obstacle: obstacleOf({ name, ...agent }) })),
    gates,
    setup,
    modeline,
    hasEnvFile: ignored.has('.env') && (await isFile(join(repository.started?.project.root ?? repository.workTree, '.env'))),
  });
  const committed = filled.filter((path) => !ignored.has(path)).map(notIgnored);
  const unread = [...problems, packageProblem(texts) ?? []].flat().map(notRead);
  return { repository, agents, gates, setup, checks: [...checks, ...unread, ...committed], text };
}

function obstacleOf({ name, usable, login }: Pick<FoundAgent, 'name' | 'usable' | 'login'>): string | null {
  if (!usable) return 'its driver is not in this version yet';
  return login?.by === 'none' ? `not logged in: volley login ${name}` : null;
}

/** Writes `volley.yaml`; one that exists stays, unless it may be moved aside. */
export async function writeSuggestion({ repository, text }: Suggestion, options: { readonly force: boolean }): Promise<Writing> {
  const file = join(repository.workTree, 'volley.yaml');
  if (!exists(file)) {
    await writeFile(file, text, { flag: 'wx' });
    return { kind: 'written', keptAs: null };
  }
  if ((await isFile(file)) && (await readFile(file, 'utf8')) === text) return { kind: 'same' };
  if (!options.force) return { kind: 'exists' };
  const kept = freeName(`${file}.bak`);
  await rename(file, kept);
  await writeFile(file, text, { flag: 'wx' });
  return { kind: 'written', keptAs: basename(kept) };
}

function notIgnored(path: string): Check {
  const text = `Git does not ignore ${path}, so what the set-up puts there would be committed with the work of agents.`;
  return warning('checkout', text, `Add the line ${path} to .gitignore.`);
}

function notRead(text: string): Check {
  return warning('files', text, 'Correct it if it says how the project is tested, then run volley init --force.');
}

const WORKFLOWS = '.github/workflows';
const TELLING = /(?:\.(?:json|toml|cfg|ini|txt|ya?ml|lock)|file)$/i;

/** All plain files at the root by name, and the texts of those that could say something, as far as they can be read. */
async function readTexts(root: string): Promise<{ readonly texts: ProjectTexts; readonly problems: readonly string[] }> {
  const [names, workflows] = await Promise.all([readdir(root), readdir(join(root, WORKFLOWS)).catch(() => [])]);
  const texts = new Map<string, string>();
  const problems: string[] = [];
  for (const path of [...names, ...workflows.map((name) => `${WORKFLOWS}/${name}`)]) {
    if (!(await isFile(join(root, path)))) continue;
    try {
      texts.set(path, TELLING.test(path) ? await readText(join(root, path)) : '');
    } catch (error) {
      problems.push(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { texts, problems };
}

const LARGEST_BYTES = 1024 * 1024;

/** Lockfiles may be huge, and how they begin is enough. Where a line ends, and a mark before the first one, tell nothing. */
async function readText(path: string): Promise<string> {
  const text = await readAll(createReadStream(path, { end: LARGEST_BYTES - 1 }));
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

function freeName(path: string): string {
  let name = path;
  for (let number = 2; exists(name); number += 1) name = `${path}${number}`;
  return name;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A link that leads to itself, or to where nobody may look, is no file. */
async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}
