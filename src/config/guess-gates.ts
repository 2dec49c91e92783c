import { ciCommands } from './guesses/ci.ts';
import { GATE_KINDS } from './guesses/guess.ts';
import type { Candidate, GateKind, ProjectTexts, SetupGuess } from './guesses/guess.ts';
import { hasScript, nodeGates, nodeSetup } from './guesses/node.ts';
import { pythonGates, pythonSetup } from './guesses/python.ts';
import { recognise } from './guesses/recognise.ts';
import { makeGates, toolchainGates, toolchainSetup } from './guesses/toolchains.ts';

export type { ProjectTexts, SetupGuess } from './guesses/guess.ts';

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
  for (const candidate of [...nodeGates(texts), ...pythonGates(texts), ...toolchainGates(texts)]) add(found, candidate);
  const own = [...found.values()];
  for (const candidate of makeGates(texts)) add(found, candidate, own);
  for (const candidate of ciCommands(texts)) addFromCi(found, candidate, texts);
  return choose([...found.values()]);
}

/** What a fresh checkout needs before its gates can run; parts in the order in which they run. */
export function guessSetup(texts: ProjectTexts): SetupGuess[] {
  return [...nodeSetup(texts), ...pythonSetup(texts), ...toolchainSetup(texts)];
}

type Found = GateGuess & {
  readonly key: string;
  /** What the command runs in its turn. */
  readonly runs: string;
};

/** Where a tool of the project checks the same, a target of make that nothing else speaks for is most often a name for that. */
function add(found: Map<string, Found>, { run, from, runs = '', doubt }: Candidate, own: readonly Found[] = []): void {
  const known = recognise(run);
  if (known === null) throw new Error(`a guess that is not recognised: ${run}`);
  const same = own.find(({ kind }) => kind === known.kind);
  found.set(known.key, {
    ...known,
    run,
    from: [from],
    runs,
    doubt: doubt ?? (same === undefined ? null : `perhaps the same as ${same.run}`),
  });
}

/** A command of the build server is a gate of its own only if no other one runs it already. */
function addFromCi(found: Map<string, Found>, { run, from }: Candidate, texts: ProjectTexts): void {
  const known = recognise(run);
  if (known === null) return;
  const { kind, key } = known;
  const called = key.replace(/^script /, 'run ');
  const same = found.get(key) ?? [...found.values()].find((other) => other.kind === kind && other.runs.includes(called));
  if (same !== undefined) {
    found.set(same.key, { ...same, from: [...new Set([...same.from, from])] });
    if (same.key.startsWith('make ')) preferTarget(found, same.key);
  } else if (isPossible(key, texts)) {
    const doubt = /e2e|integration|browser|smoke|playwright|cypress/.test(run) ? 'it may need more than a checkout' : null;
    found.set(key, { kind, key, run, from: [from], runs: '', doubt });
  }
}

/** The build server goes through make, so the target counts, and what it runs is only a part of it. */
function preferTarget(found: Map<string, Found>, key: string): void {
  const target = found.get(key);
  if (target === undefined) return;
  found.set(key, { ...target, doubt: null });
  const parts = [...found.values()].filter((one) => one.key !== key && one.kind === target.kind && target.runs.includes(one.key));
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
  if (key.startsWith('script ')) return hasScript(texts, key.slice('script '.length));
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
