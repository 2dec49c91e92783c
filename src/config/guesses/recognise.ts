import type { GateKind } from './guess.ts';

/** What a command is about, and what makes two commands the same gate: `npm test` and `npm run test -- --coverage` both have `script test`. */
export type Recognised = { readonly kind: GateKind; readonly key: string };

/** Says what a plain command line is about; null if it is neither a test nor a check that is known. */
export function recognise(line: string): Recognised | null {
  const command = withoutRunner(line.trim());
  return script(command) ?? makeTarget(command) ?? tool(command);
}

/** The kind of a script of package.json by its name; null if the name does not tell. */
export function scriptKind(name: string): GateKind | null {
  return kindIn(SCRIPTS, name)?.kind ?? null;
}

const SCRIPTS: readonly (readonly [GateKind, RegExp])[] = [
  ['lint', /^(?:lint(?::check|:ci)?|(?:format|fmt|prettier|style)[:-]check|check[:-](?:format|lint|style))$/],
  ['types', /^(?:types?|type-?check|check[:-]types|tsc)$/],
  ['check', /^check$/],
  ['test', /^test(?::[\w-]+)*$/],
  ['build', /^build$/],
];

const TOOLS: readonly (readonly [GateKind, RegExp])[] = [
  ['lint', /^(?:eslint|oxlint|stylelint|flake8|pylint|staticcheck|golangci-lint run|rubocop|ruff check|go vet|cargo clippy|mix credo)\b/],
  ['lint', /^(?:biome (?:check|ci|lint)|deno lint)\b/],
  ['lint', /^(?:prettier|black|isort|ruff format|cargo fmt|deno fmt|mix format)\b(?=.* (?:--check|--check-only|--check-formatted|-c)\b)/],
  ['types', /^(?:tsc|vue-tsc|mypy|pyright|phpstan|deno check)\b/],
  ['test', /^(?:vitest|jest|mocha|ava|pytest|unittest|tox|nox|rspec|phpunit|ctest|node --test|bun test|deno test)\b/],
  ['test', /^(?:go test|cargo test|cargo nextest run|mix test|dotnet test|swift test|rake (?:test|spec))\b/],
  ['test', /^(?:\.\/)?gradlew? (?:test|check)\b/],
  ['test', /^(?:mvn|\.\/mvnw)\b(?=.* (?:test|verify)\b)/],
];

/** Words that only say from where the tool is taken; what they start is the same tool. */
const RUNNER =
  /^(?:[A-Z_]+=\w+ |(?:uv|poetry|pdm|pipenv|hatch|rye) run |(?:pnpm|yarn|bundle) exec |npx (?:--no-install |--yes |-y )?|bunx |(?:\S*\/)?python3? -m |(?:\.\/)?(?:node_modules\/\.bin|vendor\/bin|\.venv\/bin)\/)/;

function withoutRunner(line: string): string {
  const rest = line.replace(RUNNER, '');
  return rest === line ? line : withoutRunner(rest);
}

/** `bun test` is the test runner of bun itself, not a script. */
function script(command: string): Recognised | null {
  const words =
    /^(?:(?:npm|pnpm|yarn|bun) run(?:-script)? (?:-s |--silent )?([\w:-]+)|(?:npm|pnpm|yarn) (test|lint|check|typecheck|build))\b/.exec(
      command,
    );
  const name = words?.[1] ?? words?.[2];
  const kind = name === undefined ? null : scriptKind(name);
  return kind === null ? null : { kind, key: `script ${name}` };
}

function makeTarget(command: string): Recognised | null {
  const target = /^make (test|tests|check|lint|typecheck)$/.exec(command)?.[1];
  const kind = target === undefined ? null : scriptKind(target.replace(/s$/, ''));
  return kind === null ? null : { kind, key: command };
}

function tool(command: string): Recognised | null {
  return kindIn(TOOLS, command);
}

function kindIn(table: readonly (readonly [GateKind, RegExp])[], text: string): Recognised | null {
  for (const [kind, pattern] of table) {
    const key = pattern.exec(text)?.[0];
    if (key !== undefined)
      return {
        kind,
        key: key
          .replace(/^\.\//, '')
          .replace(/^gradle\b/, 'gradlew')
          .replace(/^mvnw\b/, 'mvn'),
      };
  }
  return null;
}
