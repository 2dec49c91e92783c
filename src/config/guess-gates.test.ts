import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessGates, guessSetup, packageProblem } from './guess-gates.ts';

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

const PUBLISHES = (word: string): string => `it could publish or deploy: "${word}"`;
const NEVER_ENDS = 'it watches or serves, so it may never end';
const REWRITES = 'it changes files instead of checking them';

/** Why a command is only proposed; null if it is a gate. */
function doubtOf(run: string, files: Files): string | null {
  const { gates: chosen, more } = guessGates(new Map(Object.entries(files)));
  const guess = [...chosen, ...more].find((one) => one.run === run);
  assert.ok(guess !== undefined, `${run} was not found`);
  return guess.doubt;
}

const OUTWARD: Readonly<Record<string, string>> = {
  'docker build . && docker push foo': 'push',
  'npm publish': 'publish',
  'eslint . && git push': 'push',
  'tsc; semantic-release': 'semantic-release',
  'tsc && twine check dist/*': 'twine',
  'tsc && aws s3 sync dist s3://site': 'aws',
  'gcloud app describe': 'gcloud',
  'tsc && git tag v1': 'git tag',
  'npm version patch': 'npm version',
  'tsc && rsync -a dist host:/srv': 'rsync',
  'tsc && scp -r dist host:/srv': 'scp',
  'ssh host ./restart': 'ssh',
  'terraform apply': 'terraform apply',
  'kubectl get pods': 'kubectl',
  'node build.js && curl -s -X POST https://hooks.example.invalid': 'curl',
  'PUBLISH=1 node build.js': 'PUBLISH',
};

for (const [line, word] of Object.entries(OUTWARD)) {
  test(`the script "${line}" is only proposed, because it could publish or deploy`, () => {
    for (const name of ['build', 'check']) assert.equal(doubtOf(`npm run ${name}`, scripts({ [name]: line })), PUBLISHES(word));
  });
}

test('what a script calls speaks against it too: other scripts, those that npm runs before and after, targets of make', () => {
  const deploy = { ship: 'git push', test: 'jest' };
  const callers = [
    'npm run ship',
    'yarn ship',
    'pnpm ship',
    'run-s test ship',
    'concurrently "npm:ship"',
    'npm run sh*',
    'npx -y npm-run-all ship',
    'sh -c "npm run ship"',
  ];
  for (const line of callers)
    assert.equal(doubtOf('npm run build', scripts({ ...deploy, build: `tsc && ${line}` })), PUBLISHES('push'), line);
  assert.equal(doubtOf('npm test', scripts({ test: 'jest', posttest: 'npm run ship', ship: 'git push' })), PUBLISHES('push'));
  assert.equal(doubtOf('npm run build', scripts({ build: 'echo "$(git push)"' })), PUBLISHES('push'));
  assert.equal(doubtOf('npm run build', scripts({ build: 'tsc', prebuild: 'npm publish' })), PUBLISHES('publish'));
  const makefile = { Makefile: 'ship:\n\tgit push\n' };
  assert.equal(doubtOf('npm run build', { ...scripts({ build: 'make ship' }), ...makefile }), PUBLISHES('push'));
  assert.equal(doubtOf('npm test', scripts({ test: 'npm run a', a: 'npm run b', b: 'npm run a' })), null);
  assert.equal(doubtOf('npm test', scripts({ ...deploy, lint: 'npm run test && prettier ship' })), null);
});

test('a target of make is only proposed if its recipe, a variable in it or a prerequisite could publish', () => {
  const makefiles = {
    'test: deploy\n\tgo test ./...\n': 'deploy',
    'test: a\n\tgo test\na: | b\nb: ; twine x\n': 'twine',
    'lint test: \\\n  all\nall:\n\t@docker push x\n': 'push',
    'test:\n\t$(MAKE) all\nall::\n\t-git push\n': 'push',
    'SHIP ?= git push\ntest:\n\t$(SHIP)\n': 'push',
    'test:\n\tnpm run ship\n': 'ssh',
  };
  for (const [text, word] of Object.entries(makefiles)) {
    assert.equal(doubtOf('make test', { Makefile: text, ...scripts({ ship: 'ssh host' }) }), PUBLISHES(word), text);
  }
});

test('words that only look like publishing speak against nothing', () => {
  const makefile =
    'test: ## Tests; run this before each release\n\t@echo "make deploy comes next"\n\t# git push\n\tpushd web; npm test\ndeploy: test\n\tgit push\n';
  assert.equal(doubtOf('make test', { Makefile: makefile }), null);
  const files = { 'Cargo.toml': '', ...workflow('cargo clippy --release', 'dotnet test --configuration Release', 'swift test -c release') };
  for (const run of ['cargo clippy --release', 'dotnet test --configuration Release', 'swift test -c release'])
    assert.equal(doubtOf(run, files), null, run);
});

test('that the build server goes through make does not take a doubt away', () => {
  const files = { 'go.mod': '', Makefile: 'test: deploy\n\tgo test ./...\n', ...workflow('make test') };
  assert.deepEqual(gates(files), [
    'go vet ./... < go.mod',
    'go test ./... < go.mod',
    '(make test < Makefile, .github/workflows/ci.yml) it could publish or deploy: "deploy"',
  ]);
});

const ENDLESS = [
  'ng test',
  'karma start',
  'mocha -w',
  'mocha --watch',
  'jest --watch',
  'jest --watchAll',
  'cypress open',
  'nodemon test.js',
  'tsc -w',
  'tsc && webpack serve',
  'webpack --watch',
  'next dev',
  'vite',
  'vite --port 80',
  'react-scripts start',
  'cross-env A=b npx vite',
  'npm start & jest',
  'yarn dev',
  'yarn vite',
  'npm run serve',
];

for (const line of ENDLESS) {
  test(`the script "${line}" is only proposed, because it may never end`, () => {
    assert.equal(doubtOf('npm test', scripts({ test: line, start: 'node .' })), NEVER_ENDS);
  });
}

test('what ends by itself, or can be told that nobody is there, is a gate', () => {
  const lines = [
    'ng test --watch=false',
    'ng test --no-watch',
    'karma start --single-run',
    'jest --watchAll=false',
    'mocha --watch-files a',
  ];
  for (const line of [...lines, 'vitest', 'jest -w 2', 'vite build && vitest run', 'tsc -p dev', 'cd dev && jest', 'echo start && jest'])
    assert.equal(doubtOf('npm test', scripts({ test: line })), null, line);
  assert.deepEqual(gates(scripts({ test: 'react-scripts test' })), ['CI=true npm test < package.json']);
  assert.deepEqual(gates(scripts({ check: 'npm run all', all: 'react-scripts test' })), ['CI=true npm run check < package.json']);
});

const REWRITING = [
  'eslint --fix .',
  'biome check --write',
  'prettier . --write',
  'ruff check --fix',
  'gofmt -l -w .',
  'cargo fmt',
  'black -l 100 .',
  'npm run lint:fix',
];

for (const line of REWRITING) {
  test(`the script "${line}" is only proposed, because it changes files`, () => {
    assert.equal(doubtOf('npm run lint', scripts({ lint: line, 'lint:fix': 'eslint --fix .' })), REWRITES);
  });
}

test('a formatter that only looks is a gate, and tests are one whatever they do to files', () => {
  for (const line of ['prettier --check .', 'cargo fmt -- --check', 'isort -c .', 'black --diff .', 'eslint --fix-dry-run .'])
    assert.equal(doubtOf('npm run lint', scripts({ lint: line })), null, line);
  assert.equal(doubtOf('make test', { Makefile: 'test: fmt\n\tgo test ./...\nfmt:\n\tgo fmt ./...\n' }), null);
});

test('where only the build server checks without changing files, that is the gate', () => {
  const files = {
    ...scripts({ lint: 'eslint --fix .' }),
    'Cargo.toml': '',
    ...workflow('npx eslint .', 'cargo fmt', 'cargo fmt -- --check'),
  };
  assert.deepEqual(gates(files), [
    'npx eslint . < .github/workflows/ci.yml',
    'cargo fmt -- --check < .github/workflows/ci.yml',
    'cargo test < Cargo.toml',
    `(npm run lint < package.json) ${REWRITES}`,
  ]);
});

test('a package.json that is no JSON, or no package, has no scripts and says why', () => {
  for (const text of ['{ "scripts": ', '[]', 'null', '{"scripts": {"test": "jest",}}']) {
    assert.deepEqual([gates({ 'package.json': text }), setup({ 'package.json': text })], [[], []], text);
    assert.match(packageProblem(new Map([['package.json', text]])) ?? '', /^package\.json cannot be read: \S/);
  }
  assert.deepEqual([packageProblem(new Map()), packageProblem(new Map([['package.json', '{}']]))], [null, null]);
});

test('a script that is not a text does not hide the others', () => {
  assert.deepEqual(gates({ 'package.json': '{"scripts": {"lint": 7, "test": "jest", "build": null}}' }), ['npm test < package.json']);
  assert.deepEqual(gates({ 'package.json': '{"scripts": []}' }), []);
});

test('tox and nox of the build server are gates where their names say that they check something', () => {
  const lines = ['tox', 'tox -e py311,lint -- -v', 'tox run -e unit', 'nox -s tests-3.12', 'nox --session type_check'];
  for (const line of lines) assert.deepEqual(gates(workflow(line)), [`${line} < .github/workflows/ci.yml`]);
  const kinds = workflow('tox -e lint', 'tox -e mypy', 'tox -e py312');
  assert.deepEqual(
    gates(kinds),
    ['tox -e lint', 'tox -e mypy', 'tox -e py312'].map((run) => `${run} < .github/workflows/ci.yml`),
  );
  const others = ['tox -e publish', 'tox -e py311,bump', 'tox -ebump', 'nox -s bump', 'nox -s tests bump', 'nox --session=bump'];
  assert.deepEqual(gates(workflow(...others)), []);
});

test('tasks of gradle and maven beside a check must be harmless ones', () => {
  const files = { 'build.gradle': '', gradlew: '', 'pom.xml': '' };
  assert.deepEqual(gates({ ...files, ...workflow('./gradlew check publish', './gradlew check bintray', 'mvn verify sonar:sonar') }), [
    './gradlew test < build.gradle',
    'mvn -q test < pom.xml',
  ]);
  assert.deepEqual(gates({ 'build.gradle': '', ...workflow('./gradlew check --no-daemon :app:lint spotlessCheck') }), [
    'gradle test < build.gradle',
    './gradlew check --no-daemon :app:lint spotlessCheck < .github/workflows/ci.yml',
  ]);
});

test('a workflow that runs only for releases, for tags or by hand is not looked at', () => {
  const steps = { jobs: { a: { steps: [{ run: 'pytest' }] } } };
  const found = (on: unknown): string[] => gates({ '.github/workflows/x.yml': JSON.stringify({ on, ...steps }) });
  const byHand = [
    'release',
    ['workflow_dispatch'],
    { release: { types: ['published'] }, workflow_dispatch: null },
    { push: { tags: ['v*'] } },
  ];
  for (const on of byHand) assert.deepEqual(found(on), [], JSON.stringify(on));
  const forChanges = ['push', ['release', 'pull_request'], { push: null, release: null }, { push: { tags: ['v*'], branches: ['main'] } }];
  for (const on of forChanges) assert.deepEqual(found(on), ['pytest < .github/workflows/x.yml'], JSON.stringify(on));
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

test("packages of yarn's Plug'n'Play fill no folder of the checkout", () => {
  const fills = (files: Files): (string | null)[] =>
    guessSetup(new Map(Object.entries({ ...scripts({}), ...files }))).map((one) => one.fills);
  const berry = { 'yarn.lock': '__metadata:\n' };
  assert.deepEqual(fills({ ...berry, '.pnp.cjs': '' }), [null]);
  assert.deepEqual(fills({ ...berry, '.yarnrc.yml': 'nodeLinker: "pnp"\n' }), [null]);
  assert.deepEqual(fills({ ...berry, '.yarnrc.yml': 'a: b\nnodeLinker: node-modules\n' }), ['node_modules']);
  assert.deepEqual(fills({ 'yarn.lock': '# yarn lockfile v1\n' }), ['node_modules']);
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
