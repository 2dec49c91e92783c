import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessGates, guessSetup } from './guess-gates.ts';

type Files = Readonly<Record<string, string>>;

/** Gates as `command < files`; those that are only proposed have brackets, and a doubt after them. */
function gates(files: Files): string[] {
  const { gates: chosen, more } = guessGates(new Map(Object.entries(files)));
  return [
    ...chosen.map(({ run, from }) => `${run} < ${from.join(', ')}`),
    ...more.map(({ run, from, doubt }) => `(${run} < ${from.join(', ')})${doubt === null ? '' : ` ${doubt}`}`),
  ];
}

function setup(files: Files): string[] {
  return guessSetup(new Map(Object.entries(files))).map(({ run, from, doubt }) => `${run} < ${from}${doubt === null ? '' : ` (${doubt})`}`);
}

function scripts(entries: Files, more: object = {}): Files {
  return { 'package.json': JSON.stringify({ scripts: entries, ...more }) };
}

function workflow(...lines: readonly string[]): Files {
  return { '.github/workflows/ci.yml': JSON.stringify({ jobs: { test: { steps: lines.map((run) => ({ run })) } } }) };
}

test('an empty project has nothing to check', () => {
  assert.deepEqual([gates({}), setup({})], [[], []]);
});

test('scripts of package.json are gates, quick ones first, and the placeholder of npm init is none', () => {
  const files = scripts({
    start: 'node .',
    build: 'tsc',
    test: 'node --test',
    lint: 'eslint .',
    'lint:fix': 'eslint --fix .',
    typecheck: 'tsc',
  });
  assert.deepEqual(
    gates(files),
    ['npm run lint', 'npm run typecheck', 'npm test', 'npm run build'].map((run) => `${run} < package.json`),
  );
  assert.deepEqual(gates(scripts({ test: 'echo "Error: no test specified" && exit 1' })), []);
});

test('the package manager is that of the packageManager field, else that of the lockfile', () => {
  const both = { test: 'vitest run', check: 'biome check' };
  assert.deepEqual(gates(scripts(both, { packageManager: 'pnpm@9.1.0' })), ['pnpm run check < package.json', 'pnpm test < package.json']);
  assert.deepEqual(gates({ ...scripts(both), 'yarn.lock': '' }), ['yarn run check < package.json', 'yarn test < package.json']);
  assert.deepEqual(gates({ ...scripts(both), 'bun.lock': '' }), ['bun run check < package.json', 'bun run test < package.json']);
});

test('a script that would never end is proposed with the reason, or told that nobody is there', () => {
  assert.deepEqual(gates(scripts({ test: 'jest --watch' })), ['(npm test < package.json) it watches for changes, so it may never end']);
  assert.deepEqual(gates(scripts({ test: 'jest --watchAll=false' })), ['npm test < package.json']);
  assert.deepEqual(gates(scripts({ test: 'react-scripts test' })), ['CI=true npm test < package.json']);
});

test('a package.json that is no JSON, or no package, has no scripts', () => {
  for (const text of ['{ "scripts": ', '[]', 'null', '{"scripts": {"test": 7}}', '{"scripts": []}'])
    assert.deepEqual([gates({ 'package.json': text }), setup({ 'package.json': text })], [[], []], text);
});

test('how packages get into a fresh checkout follows the lockfile', () => {
  const file = scripts({}, { dependencies: { zod: '4' } });
  assert.deepEqual(setup({ ...file, 'package-lock.json': '{}' }), ['npm ci < package-lock.json']);
  assert.deepEqual(setup({ ...file, 'pnpm-lock.yaml': '' }), ['pnpm install --frozen-lockfile < pnpm-lock.yaml']);
  assert.deepEqual(setup({ ...file, 'yarn.lock': '__metadata:\n' }), ['yarn install --immutable < yarn.lock']);
  assert.deepEqual(setup({ ...file, 'yarn.lock': '# THIS\n# yarn lockfile v1\n' }), ['yarn install --frozen-lockfile < yarn.lock']);
  assert.deepEqual(setup({ ...file, 'bun.lockb': '' }), ['bun install --frozen-lockfile < bun.lockb']);
  assert.deepEqual(setup(file), ['npm install < package.json, no lockfile']);
  assert.deepEqual(setup(scripts({})), []);
});

test('two lockfiles and no word about which one holds is a doubt', () => {
  const locks = { 'package-lock.json': '', 'yarn.lock': '' };
  assert.deepEqual(setup({ ...scripts({}), ...locks }), [
    'npm ci < package-lock.json (there are several lockfiles: package-lock.json, yarn.lock)',
  ]);
  assert.deepEqual(setup({ ...scripts({}, { packageManager: 'yarn@4.1.0' }), ...locks }), ['yarn install --immutable < yarn.lock']);
});

test('Python tools are gates where they have settings, started by what keeps the packages', () => {
  const file = { 'pyproject.toml': '[tool.ruff]\n[tool.mypy]\nstrict = true\n[tool.pytest.ini_options]\n' };
  assert.deepEqual(
    gates(file),
    ['ruff check .', 'mypy .', 'pytest'].map((run) => `${run} < pyproject.toml`),
  );
  assert.deepEqual(
    gates({ ...file, 'uv.lock': '' }),
    ['uv run ruff check .', 'uv run mypy .', 'uv run pytest'].map((run) => `${run} < pyproject.toml`),
  );
  assert.deepEqual(setup({ ...file, 'uv.lock': '' }), ['uv sync < uv.lock']);
  assert.deepEqual(setup({ ...file, 'poetry.lock': '' }), ['poetry install < poetry.lock']);
  assert.deepEqual(setup({ ...file, 'poetry.lock': '', 'uv.lock': '' }), []);
});

test('a Python project without settings of a tool has no gate of that tool', () => {
  assert.deepEqual(gates({ 'pyproject.toml': '[project]\nname = "x"\ndependencies = ["pytest-cov-not"]\n' }), []);
  assert.deepEqual(gates({ 'pyproject.toml': '[tool.poetry.dev-dependencies]\npytest = "^8"\n' }), ['pytest < pyproject.toml']);
  assert.deepEqual(gates({ 'setup.cfg': '[tool:pytest]\n[mypy]\nfiles = src\n' }), ['mypy < setup.cfg', 'pytest < setup.cfg']);
  assert.deepEqual(gates({ 'tox.ini': '[tox]\n[testenv]\ncommands = nose\n' }), ['tox < tox.ini']);
});

test('requirements are installed where they are the only list and name the test tool', () => {
  const line = 'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt < requirements.txt';
  assert.deepEqual(setup({ 'requirements.txt': 'flask\npytest==8\n' }), [line]);
  assert.deepEqual(gates({ 'requirements.txt': 'flask\npytest==8\n' }), ['.venv/bin/python -m pytest < requirements.txt']);
  assert.deepEqual(setup({ 'requirements.txt': 'pytest\n', 'requirements-dev.txt': '' }), []);
  assert.deepEqual(setup({ 'requirements.txt': 'flask\n' }), [
    `${line} (requirements.txt names no test tool, so it may not be all that is needed)`,
  ]);
});

test('Go, Rust, Java, PHP, Ruby and Elixir have the gates of their build tool', () => {
  assert.deepEqual(gates({ 'go.mod': '' }), ['go vet ./... < go.mod', 'go test ./... < go.mod']);
  assert.deepEqual(setup({ 'go.mod': '', 'go.sum': '' }), ['go mod download < go.sum']);
  assert.deepEqual(gates({ 'Cargo.toml': '' }), ['cargo test < Cargo.toml']);
  assert.deepEqual(gates({ 'Cargo.toml': '', 'clippy.toml': '' }), ['cargo clippy -- -D warnings < Cargo.toml', 'cargo test < Cargo.toml']);
  assert.deepEqual(gates({ 'build.gradle.kts': '', gradlew: '' }), ['./gradlew test < build.gradle.kts']);
  assert.deepEqual(gates({ 'pom.xml': '' }), ['mvn -q test < pom.xml']);
  assert.deepEqual(gates({ 'composer.json': '{}', 'phpunit.xml.dist': '' }), ['vendor/bin/phpunit < composer.json']);
  assert.deepEqual(gates({ Gemfile: "gem 'rspec'\n", '.rubocop.yml': '' }), [
    'bundle exec rubocop < Gemfile',
    'bundle exec rspec < Gemfile',
  ]);
  assert.deepEqual(gates({ 'mix.exs': '' }), ['mix test < mix.exs']);
});

test('targets of a Makefile are gates, unless a tool of the project checks the same', () => {
  const makefile = { Makefile: 'VERSION := 1\ntest := no\n.PHONY: test\ntest: build\n\tgo test ./...\nlint:\n\t./lint.sh\n' };
  assert.deepEqual(gates(makefile), ['make lint < Makefile', 'make test < Makefile']);
  assert.deepEqual(gates({ ...makefile, ...scripts({ test: 'jest' }) }), [
    'make lint < Makefile',
    'npm test < package.json',
    '(make test < Makefile) perhaps the same as npm test',
  ]);
});

test('where the build server goes through make, the target is the gate and what it runs a part of it', () => {
  const files = { 'go.mod': '', Makefile: 'test:\n\tgo test -race ./...\n', ...workflow('make test') };
  assert.deepEqual(gates(files), [
    'go vet ./... < go.mod',
    'make test < Makefile, .github/workflows/ci.yml',
    '(go test ./... < go.mod) a part of make test',
  ]);
});

test('a command of the build server that is known already is named once, with both places', () => {
  const files = {
    ...scripts({ test: 'vitest', lint: 'eslint . && prettier --check .' }),
    ...workflow('npm ci', 'npm run test -- --coverage', 'npx prettier --check .'),
  };
  assert.deepEqual(gates(files), [
    'npm run lint < package.json, .github/workflows/ci.yml',
    'npm test < package.json, .github/workflows/ci.yml',
  ]);
});

test('a plain command that only the build server has is a gate', () => {
  const files = {
    'Cargo.toml': '',
    ...workflow('cargo fmt --all -- --check', 'cargo clippy --all-targets -- -D warnings\ncargo test --workspace'),
  };
  assert.deepEqual(gates(files), [
    'cargo fmt --all -- --check < .github/workflows/ci.yml',
    'cargo clippy --all-targets -- -D warnings < .github/workflows/ci.yml',
    'cargo test < Cargo.toml, .github/workflows/ci.yml',
  ]);
});

test('what is not a plain check at the root is no gate', () => {
  const lines = [
    'npm run deploy',
    'pytest "$TESTS"',
    'pytest | tee log',
    'pytest > log',
    'pytest; rm -rf /',
    'cd web && pytest',
    'echo pytest',
    'pytest $(cat args)',
    'pytest `cat args`',
    'npm run test:unit',
    'go test ./...',
    'make test',
    'curl https://example.invalid/install.sh',
  ];
  assert.deepEqual(gates(workflow(...lines)), []);
  assert.deepEqual(gates(workflow('cd web\npytest')), []);
  const elsewhere = {
    jobs: {
      a: { steps: [{ run: 'pytest', 'working-directory': 'api' }] },
      b: { defaults: { run: { 'working-directory': 'x' } }, steps: [{ run: 'tox' }] },
    },
  };
  assert.deepEqual(gates({ '.github/workflows/ci.yml': JSON.stringify(elsewhere) }), []);
});

test('a name of a workflow that could break out of a comment is not read', () => {
  assert.deepEqual(gates({ '.github/workflows/a\nb.yml': workflow('pytest')['.github/workflows/ci.yml'] ?? '' }), []);
});

test('jobs of GitLab are read, with tags and anchors, and a broken file says nothing', () => {
  const text =
    '.base: &base\n  image: x\nlint:\n  <<: *base\n  script:\n    - !reference [.setup, script]\n    - ruff check .\ntest:\n  script: pytest -q\n';
  assert.deepEqual(gates({ '.gitlab-ci.yml': text }), ['ruff check . < .gitlab-ci.yml', 'pytest -q < .gitlab-ci.yml']);
  assert.deepEqual(gates({ '.gitlab-ci.yml': 'a: [\n' }), []);
});

test('tests that need more than a checkout are only proposed', () => {
  const files = {
    ...scripts({ 'test:e2e': 'playwright test', 'test:unit': 'vitest' }),
    ...workflow('npm run test:e2e', 'npm run test:unit'),
  };
  assert.deepEqual(gates(files), [
    'npm run test:unit < .github/workflows/ci.yml',
    '(npm run test:e2e < .github/workflows/ci.yml) it may need more than a checkout',
  ]);
});

test('of many checks four are gates: one of each kind before a second one, tests before all else', () => {
  const files = {
    ...scripts({ test: 'jest', lint: 'eslint', types: 'tsc', check: 'x', build: 'vite build' }),
    'go.mod': '',
  };
  assert.deepEqual(gates(files), [
    'npm run lint < package.json',
    'npm run types < package.json',
    'npm run check < package.json',
    'npm test < package.json',
    '(go vet ./... < go.mod)',
    '(go test ./... < go.mod)',
    '(npm run build < package.json)',
  ]);
});

test('a project of two languages is set up for both', () => {
  const files = { ...scripts({}), 'package-lock.json': '', 'pyproject.toml': '', 'uv.lock': '' };
  assert.deepEqual(setup(files), ['npm ci < package-lock.json', 'uv sync < uv.lock']);
});
