import { z } from 'zod';
import { firstOf } from './guess.ts';
import type { Candidate, ProjectTexts, SetupGuess } from './guess.ts';
import { scriptKind } from './recognise.ts';

const FILE = 'package.json';

const Dependencies = z.record(z.string(), z.unknown()).optional().catch(undefined);
const Package = z.object({
  scripts: z.record(z.string(), z.unknown()).default({}).catch({}),
  packageManager: z.string().default('').catch(''),
  dependencies: Dependencies,
  devDependencies: Dependencies,
});
type Package = z.infer<typeof Package>;

/** The lockfile tells the package manager, where package.json does not. */
const LOCKFILES = [
  ['npm', ['package-lock.json', 'npm-shrinkwrap.json']],
  ['pnpm', ['pnpm-lock.yaml']],
  ['yarn', ['yarn.lock']],
  ['bun', ['bun.lock', 'bun.lockb']],
] as const;
type Manager = (typeof LOCKFILES)[number][0];

/** The scripts of package.json that check something. */
export function nodeGates(texts: ProjectTexts): Candidate[] {
  const { found } = readPackage(texts);
  if (found === null) return [];
  const manager = managerOf(found, texts);
  return [...packageScripts(texts)]
    .filter(([name, text]) => scriptKind(name) !== null && !name.startsWith('test:') && !isPlaceholder(text))
    .map(([name]) => ({ run: scriptLine(manager, name), from: FILE }));
}

/** The scripts of package.json by name; what is not a text is none, as for npm. */
export function packageScripts(texts: ProjectTexts): ReadonlyMap<string, string> {
  const entries = Object.entries(readPackage(texts).found?.scripts ?? {});
  return new Map(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])));
}

/** Why package.json tells nothing although it is there; null if all is well. */
export function packageProblem(texts: ProjectTexts): string | null {
  return readPackage(texts).problem;
}

/** How the packages of package.json get into a fresh checkout. */
export function nodeSetup(texts: ProjectTexts): SetupGuess[] {
  const { found } = readPackage(texts);
  if (found === null) return [];
  const manager = managerOf(found, texts);
  const locks = LOCKFILES.flatMap(([name, paths]) => paths.filter((path) => texts.has(path)).map((path) => ({ name, path })));
  const lock = locks.find(({ name }) => name === manager);
  const fills = isPlugAndPlay(manager, found, texts) ? null : 'node_modules';
  if (lock === undefined) {
    const needs = Object.keys({ ...found.dependencies, ...found.devDependencies }).length > 0;
    return needs ? [{ run: `${manager} install`, from: `${FILE}, no lockfile`, fills, doubt: null }] : [];
  }
  const several = new Set(locks.map(({ name }) => name)).size > 1 && found.packageManager === '';
  const doubt = several ? `there are several lockfiles: ${locks.map(({ path }) => path).join(', ')}` : null;
  return [{ run: installLine(manager, found, texts), from: lock.path, fills, doubt }];
}

function readPackage(texts: ProjectTexts): { readonly found: Package | null; readonly problem: string | null } {
  const text = texts.get(FILE);
  if (text === undefined) return { found: null, problem: null };
  try {
    const found = Package.safeParse(JSON.parse(text)).data ?? null;
    return { found, problem: found === null ? `${FILE} cannot be read: it is no JSON object` : null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { found: null, problem: `${FILE} cannot be read: ${error.message.replaceAll(/\s+/g, ' ')}` };
  }
}

function managerOf({ packageManager }: Package, texts: ProjectTexts): Manager {
  const named = LOCKFILES.find(([name]) => packageManager.startsWith(`${name}@`));
  const locked = LOCKFILES.find(([, paths]) => firstOf(texts, paths) !== undefined);
  return (named ?? locked ?? LOCKFILES[0])[0];
}

/** `bun test` is another program, and `yarn check` too. */
function scriptLine(manager: Manager, name: string): string {
  return `${manager} ${name === 'test' && manager !== 'bun' ? name : `run ${name}`}`;
}

/** What `npm init` writes. */
function isPlaceholder(text: string): boolean {
  return text.includes('no test specified') || text.trim() === '';
}

/** Packages stay in yarn's own store then; newer versions of it do that unless they are told otherwise. */
function isPlugAndPlay(manager: Manager, found: Package, texts: ProjectTexts): boolean {
  const linker = /^nodeLinker: *["']?([\w-]+)/m.exec(texts.get('.yarnrc.yml') ?? '')?.[1] ?? 'pnp';
  return manager === 'yarn' && !isClassicYarn(found, texts) && linker === 'pnp';
}

function isClassicYarn({ packageManager }: Package, texts: ProjectTexts): boolean {
  return packageManager.startsWith('yarn@1') || /^# yarn lockfile v1$/m.test(texts.get('yarn.lock') ?? '');
}

function installLine(manager: Manager, found: Package, texts: ProjectTexts): string {
  if (manager === 'npm') return 'npm ci';
  return `${manager} install ${manager === 'yarn' && !isClassicYarn(found, texts) ? '--immutable' : '--frozen-lockfile'}`;
}
