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

/** Whether a plain command puts files in order, where a check would only tell that they are not. */
export function isRewriting(command: string): boolean {
  return WRITES.test(command) || (FORMATTER.test(command) && !CHECKS.test(command));
}

/** A command line without the words that only say from where the tool is taken; what they start is the same tool. */
export function withoutRunner(line: string): string {
  return line.replace(RUNNERS, '');
}

const SCRIPTS: readonly (readonly [GateKind, RegExp])[] = [
  ['lint', /^(?:lint(?::check|:ci)?|(?:format|fmt|prettier|style)[:-]check|check[:-](?:format|lint|style))$/],
  ['types', /^(?:types?|type-?check|check[:-]types|tsc)$/],
  ['check', /^check$/],
  ['test', /^test(?::[\w-]+)*$/],
  ['build', /^build$/],
];

const FORMATTER = /^(?:prettier|black|isort|ruff format|cargo fmt|go fmt|deno fmt|mix format)\b/;
const CHECKS = / (?:--check(?:-only|-formatted)?|--diff|--list-different|-c)(?![\w-])/;
const WRITES = / --(?:fix|write)(?![\w=-])|^(?:gofmt|goimports)\b.* -w\b/;

/** The environments of tox and the sessions of nox whose names say that they check something. */
const CHECKING = '(?:py|test|unit|cov|lint|style|flake|type|mypy|check)[\\w.-]*';
const OPTION = '--?[\\w.=-]+';
const GRADLE_TASK = '(?::?[\\w-]+:)*(?:clean|assemble|build|test|check|verify|lint|\\w+(?:Test|Check))';
const MAVEN_GOAL = '(?:clean|validate|compile|test|package|verify|[\\w.-]+:(?:check|lint))';

const TOOLS: readonly (readonly [GateKind, RegExp])[] = [
  ['lint', /^(?:eslint|oxlint|stylelint|flake8|pylint|staticcheck|golangci-lint run|rubocop|ruff check|go vet|cargo clippy|mix credo)\b/],
  ['lint', /^(?:biome (?:check|ci|lint)|deno lint)\b/],
  ['lint', FORMATTER],
  ['types', /^(?:tsc|vue-tsc|mypy|pyright|phpstan|deno check)\b/],
  ['test', /^(?:vitest|jest|mocha|ava|pytest|unittest|rspec|phpunit|ctest|node --test|bun test|deno test)\b/],
  ['test', /^(?:go test|cargo test|cargo nextest run|mix test|dotnet test|swift test|rake (?:test|spec))\b/],
  ['lint', /^(?:tox|nox) -[es] (?:lint|style|flake)[\w.-]*$/],
  ['types', /^(?:tox|nox) -[es] (?:type|mypy)[\w.-]*$/],
  ['test', new RegExp(`^(?:tox|nox)(?=(?: (?:run|-[a-z]|--[a-z-]+|${CHECKING}(?:,${CHECKING})*))*(?: -- .*)?$)`)],
  // Whatever else they are to do beside a check, nobody knows what it is.
  ['test', new RegExp(`^(?:\\./)?gradlew? (?:test|check)(?=(?: (?:${OPTION}|${GRADLE_TASK}))*$)`)],
  ['test', new RegExp(`^(?:mvn|\\./mvnw)(?=(?: (?:${OPTION}|${MAVEN_GOAL}))*$)(?=.* (?:test|verify)(?: |$))`)],
];

const RUNNERS =
  /^(?:cross-env |[A-Za-z_]\w*=\S* |(?:uv|poetry|pdm|pipenv|hatch|rye) run |(?:pnpm|yarn|bundle) exec |npx (?:--no-install |--yes |-y )?|bunx |(?:\S*\/)?python3? -m |(?:\.\/)?(?:node_modules\/\.bin|vendor\/bin|\.venv\/bin)\/){1,20}/;

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
