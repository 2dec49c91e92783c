import { z } from 'zod';
import { firstOf } from './guess.ts';
import type { Candidate, ProjectTexts, SetupGuess } from './guess.ts';
import { scriptKind } from './recognise.ts';

const FILE = 'package.json';

const Dependencies = z.record(z.string(), z.unknown()).optional().catch(undefined);
const Package = z.object({
  scripts: z.record(z.string(), z.string()).default({}).catch({}),
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
  const found = readPackage(texts);
  if (found === null) return [];
  const manager = managerOf(found, texts);
  return Object.entries(found.scripts)
    .filter(([name, text]) => scriptKind(name) !== null && !name.startsWith('test:') && !isPlaceholder(text))
    .map(([name, text]) => ({ run: scriptLine(manager, { name, text }), from: FILE, runs: text, ...doubtOf(text) }));
}

/** Whether package.json has a script. */
export function hasScript(texts: ProjectTexts, name: string): boolean {
  return Object.hasOwn(readPackage(texts)?.scripts ?? {}, name);
}

/** How the packages of package.json get into a fresh checkout. */
export function nodeSetup(texts: ProjectTexts): SetupGuess[] {
  const found = readPackage(texts);
  if (found === null) return [];
  const manager = managerOf(found, texts);
  const locks = LOCKFILES.flatMap(([name, paths]) => paths.filter((path) => texts.has(path)).map((path) => ({ name, path })));
  const lock = locks.find(({ name }) => name === manager);
  const fills = 'node_modules';
  if (lock === undefined) {
    const needs = Object.keys({ ...found.dependencies, ...found.devDependencies }).length > 0;
    return needs ? [{ run: `${manager} install`, from: `${FILE}, no lockfile`, fills, doubt: null }] : [];
  }
  const several = new Set(locks.map(({ name }) => name)).size > 1 && found.packageManager === '';
  const doubt = several ? `there are several lockfiles: ${locks.map(({ path }) => path).join(', ')}` : null;
  return [{ run: installLine(manager, found, texts), from: lock.path, fills, doubt }];
}

function readPackage(texts: ProjectTexts): Package | null {
  try {
    return Package.safeParse(JSON.parse(texts.get(FILE) ?? 'null')).data ?? null;
  } catch {
    // What is not JSON has no scripts; npm will say so itself.
    return null;
  }
}

function managerOf({ packageManager }: Package, texts: ProjectTexts): Manager {
  const named = LOCKFILES.find(([name]) => packageManager.startsWith(`${name}@`));
  const locked = LOCKFILES.find(([, paths]) => firstOf(texts, paths) !== undefined);
  return (named ?? locked ?? LOCKFILES[0])[0];
}

function scriptLine(manager: Manager, { name, text }: { readonly name: string; readonly text: string }): string {
  // It watches for changes for ever, unless it is told that nobody is there.
  const alone = /\breact-scripts test\b/.test(text) ? 'CI=true ' : '';
  // `bun test` is another program, and `yarn check` too.
  return `${alone}${manager} ${name === 'test' && manager !== 'bun' ? name : `run ${name}`}`;
}

/** What `npm init` writes. */
function isPlaceholder(text: string): boolean {
  return text.includes('no test specified') || text.trim() === '';
}

function doubtOf(text: string): Pick<Candidate, 'doubt'> {
  return /--watch(?:All)?(?![=\w-])|--watch(?:All)?=true/.test(text) ? { doubt: 'it watches for changes, so it may never end' } : {};
}

function installLine(manager: Manager, { packageManager }: Package, texts: ProjectTexts): string {
  if (manager === 'npm') return 'npm ci';
  const isClassicYarn =
    manager === 'yarn' && (packageManager.startsWith('yarn@1') || /^# yarn lockfile v1$/m.test(texts.get('yarn.lock') ?? ''));
  return `${manager} install ${manager === 'yarn' && !isClassicYarn ? '--immutable' : '--frozen-lockfile'}`;
}
