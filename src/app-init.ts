import { lstatSync, statSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { checkRepository } from './app-check-repository.ts';
import { findAgents } from './app-agents.ts';
import type { FoundAgent } from './app-agents.ts';
import { ignoredPaths, lookAtRepository } from './app-repository.ts';
import type { Repository } from './app-repository.ts';
import { guessGates, guessSetup } from './config/guess-gates.ts';
import type { GuessedGates, ProjectTexts, SetupGuess } from './config/guess-gates.ts';
import { writeConfig } from './config/write-config.ts';
import { BUILTIN } from './core/settings.ts';

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
  const [texts, agents] = await Promise.all([readTexts(repository.workTree), findAgents(repository.workTree)]);
  const gates = guessGates(texts);
  const setup = guessSetup(texts);
  const filled = setup.flatMap(({ fills }) => (fills === null ? [] : [`${fills}/`]));
  const [ignored, checks] = await Promise.all([ignoredPaths(repository, ['.env', ...filled]), checkRepository(repository)]);
  const text = writeConfig({
    agents: agents.filter(({ own }) => !own),
    gates,
    setup,
    hasEnvFile: ignored.has('.env') && isFile(join(repository.started?.project.root ?? repository.workTree, '.env')),
    reviewer: agents.some(({ name, usable }) => name === BUILTIN && usable) ? BUILTIN : null,
  });
  const committed = filled.filter((path) => !ignored.has(path)).map(notIgnored);
  return { repository, agents, gates, setup, checks: [...checks, ...committed], text };
}

/** Writes `volley.yaml`; one that exists stays, unless it may be moved aside. */
export async function writeSuggestion({ repository, text }: Suggestion, options: { readonly force: boolean }): Promise<Writing> {
  const file = join(repository.workTree, 'volley.yaml');
  if (!exists(file)) {
    await writeFile(file, text, { flag: 'wx' });
    return { kind: 'written', keptAs: null };
  }
  if (isFile(file) && (await readFile(file, 'utf8')) === text) return { kind: 'same' };
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

const WORKFLOWS = '.github/workflows';
const LARGEST_BYTES = 1024 * 1024;

/** All plain files at the root by name, and the texts of those that could say something. */
async function readTexts(root: string): Promise<ProjectTexts> {
  const [names, workflows] = await Promise.all([readdir(root), readdir(join(root, WORKFLOWS)).catch(() => [])]);
  const paths = [...names, ...workflows.map((name) => `${WORKFLOWS}/${name}`)].filter((path) => isFile(join(root, path)));
  const entries = paths.map(async (path) => [path, await readSmall(join(root, path))] as const);
  return new Map(await Promise.all(entries));
}

/** Lockfiles may be huge, and what is told by their name is enough. */
async function readSmall(path: string): Promise<string> {
  const isTelling = /(?:\.(?:json|toml|cfg|ini|txt|ya?ml|lock)|file)$/i.test(path);
  if (!isTelling || statSync(path).size > LARGEST_BYTES) return '';
  // A file that may not be read says nothing.
  return await readFile(path, 'utf8').catch(() => '');
}

function freeName(path: string): string {
  let name = path;
  for (let number = 2; exists(name); number += 1) name = `${path}${number}`;
  return name;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
