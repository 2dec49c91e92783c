import { ciCommands } from './guesses/ci.ts';
import { doubtAbout } from './guesses/doubt.ts';
import { GATE_KINDS } from './guesses/guess.ts';
import type { Candidate, GateKind, ProjectTexts, SetupGuess } from './guesses/guess.ts';
import { makeGates } from './guesses/make.ts';
import { nodeGates, nodeSetup, packageScripts } from './guesses/node.ts';
import { pythonGates, pythonSetup } from './guesses/python.ts';
import { reach } from './guesses/reach.ts';
import { recognise } from './guesses/recognise.ts';
import { toolchainGates, toolchainSetup } from './guesses/toolchains.ts';

export type { ProjectTexts, SetupGuess } from './guesses/guess.ts';
export { packageProblem } from './guesses/node.ts';

/** A command that could be a gate, with the files that speak for it. */
export type GateGuess = {
  readonly run: string;
  readonly kind: GateKind;
  readonly from: readonly string[];
  /** Why it should not run before somebody has looked at it; null if nothing speaks against it. */
  readonly doubt: string | null;
};

/** What a project seems to check itself with: gates to begin with, quick ones first, and further commands that a person may add. */
export type GuessedGates = { readonly gates: readonly GateGuess[]; readonly more: readonly GateGuess[] };

const MOST_GATES = 4;

/** Guesses the gates of a project from what its files say; every command is one that the project uses itself. */
export function guessGates(texts: ProjectTexts): GuessedGates {
  const found = new Map<string, Found>();
  for (const candidate of [...nodeGates(texts), ...pythonGates(texts), ...toolchainGates(texts)]) add(found, known(candidate, texts));
  const own = [...found.values()].filter(({ danger }) => danger === null);
  for (const candidate of makeGates(texts)) add(found, known(candidate, texts), own);
  for (const candidate of ciCommands(texts)) addFromCi(found, look(candidate, texts), texts);
  return choose([...found.values()]);
}

/** What a fresh checkout needs before its gates can run; parts in the order in which they run. */
export function guessSetup(texts: ProjectTexts): SetupGuess[] {
  return [...nodeSetup(texts), ...pythonSetup(texts), ...toolchainSetup(texts)];
}

type Found = GateGuess & {
  readonly key: string;
  /** All commands that it leads to. */
  readonly runs: readonly string[];
  /** The doubt that what it runs gives rise to, whatever else there is in the project. */
  readonly danger: string | null;
};

/** What there is to say about a command by itself; null if it is neither a test nor a check. */
function look({ run, from }: Candidate, texts: ProjectTexts): Found | null {
  const recognised = recognise(run);
  if (recognised === null) return null;
  const runs = reach(run, texts);
  const danger = doubtAbout(runs, recognised.kind);
  // It watches for changes for ever, unless it is told that nobody is there.
  const alone = !run.startsWith('CI=') && runs.some((command) => /\breact-scripts test\b/.test(command)) ? 'CI=true ' : '';
  return { ...recognised, run: `${alone}${run}`, from: [from], runs, danger, doubt: danger };
}

function known(candidate: Candidate, texts: ProjectTexts): Found {
  const found = look(candidate, texts);
  if (found === null) throw new Error(`a guess that is not recognised: ${candidate.run}`);
  return found;
}

/** Where a tool of the project checks the same, a target of make that nothing else speaks for is most often a name for that. */
function add(found: Map<string, Found>, guess: Found, own: readonly Found[] = []): void {
  const same = own.find(({ kind }) => kind === guess.kind);
  found.set(guess.key, { ...guess, doubt: guess.danger ?? (same === undefined ? null : `perhaps the same as ${same.run}`) });
}

/** A command of the build server is a gate of its own only if no other one runs it already that could be a gate. */
function addFromCi(found: Map<string, Found>, guess: Found | null, texts: ProjectTexts): void {
  if (guess === null) return;
  const { kind, key, run, from } = guess;
  const called = key.replace(/^script /, 'run ');
  const same = found.get(key) ?? [...found.values()].find((other) => other.kind === kind && runsIt(other, called));
  if (same !== undefined && (same.danger === null || guess.danger !== null)) {
    found.set(same.key, { ...same, from: [...new Set([...same.from, ...from])] });
    if (same.key.startsWith('make ')) preferTarget(found, same.key);
  } else if (isPossible(key, texts)) {
    const needs = /e2e|integration|browser|smoke|playwright|cypress/.test(run) ? 'it may need more than a checkout' : null;
    found.set(key, { ...guess, doubt: guess.danger ?? needs });
  }
}

function runsIt({ runs }: Found, called: string): boolean {
  return runs.some((command) => command.includes(called));
}

/** The build server goes through make, so the target counts, and what it runs is only a part of it. */
function preferTarget(found: Map<string, Found>, key: string): void {
  const target = found.get(key);
  if (target === undefined) return;
  found.set(key, { ...target, doubt: target.danger });
  if (target.danger !== null) return;
  const parts = [...found.values()].filter((one) => one.key !== key && one.kind === target.kind && runsIt(target, one.key));
  for (const part of parts) found.set(part.key, { ...part, doubt: `a part of ${target.run}` });
}

/** The file without which such a command cannot work at the root. */
const NEEDED: readonly (readonly [RegExp, RegExp])[] = [
  [/^go /, /^go\.mod$/],
  [/^cargo /, /^Cargo\.toml$/],
  [/^gradlew /, /^build\.gradle/],
  [/^mvn/, /^pom\.xml$/],
  [/^mix /, /^mix\.exs$/],
  [/^(?:rspec|rubocop|rake)/, /^Gemfile$/],
];

function isPossible(key: string, texts: ProjectTexts): boolean {
  if (key.startsWith('make ')) return false;
  if (key.startsWith('script ')) return packageScripts(texts).has(key.slice('script '.length));
  const file = NEEDED.find(([pattern]) => pattern.test(key))?.[1];
  return file === undefined || [...texts.keys()].some((path) => file.test(path));
}

/** If there are too many: one of each kind before a second one, and tests before all else. */
const WEIGHT: Readonly<Record<GateKind, number>> = { test: 0, lint: 1, types: 2, check: 3, build: 4 };

function choose(found: readonly Found[]): GuessedGates {
  const sound = found.filter(({ doubt }) => doubt === null);
  const rank = (guess: Found): number =>
    WEIGHT[guess.kind] + GATE_KINDS.length * sound.filter(({ kind }) => kind === guess.kind).indexOf(guess);
  const chosen = new Set(sound.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_GATES));
  const inOrder = found.toSorted((a, b) => GATE_KINDS.indexOf(a.kind) - GATE_KINDS.indexOf(b.kind));
  const guess = ({ run, kind, from, doubt }: Found): GateGuess => ({ run, kind, from, doubt });
  return { gates: inOrder.filter((one) => chosen.has(one)).map(guess), more: inOrder.filter((one) => !chosen.has(one)).map(guess) };
}
