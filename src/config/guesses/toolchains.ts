import { firstOf } from './guess.ts';
import type { Candidate, ProjectTexts, SetupGuess } from './guess.ts';

/** One kind of project that has its own build tool: the file by which it is known, and what that means. */
type Toolchain = {
  readonly files: readonly string[];
  gates(texts: ProjectTexts): readonly string[];
  /** The lockfile, and the command that brings what it names. */
  readonly setup?: readonly [lock: string, run: string, fills: string | null];
};

const TOOLCHAINS: readonly Toolchain[] = [
  { files: ['go.mod'], gates: () => ['go vet ./...', 'go test ./...'], setup: ['go.sum', 'go mod download', null] },
  {
    files: ['Cargo.toml'],
    gates: (texts) => [
      ...(firstOf(texts, ['clippy.toml', '.clippy.toml']) === undefined ? [] : ['cargo clippy -- -D warnings']),
      'cargo test',
    ],
    setup: ['Cargo.lock', 'cargo fetch --locked', null],
  },
  { files: ['build.gradle', 'build.gradle.kts'], gates: (texts) => [texts.has('gradlew') ? './gradlew test' : 'gradle test'] },
  { files: ['pom.xml'], gates: (texts) => [texts.has('mvnw') ? './mvnw -q test' : 'mvn -q test'] },
  {
    files: ['composer.json'],
    gates: (texts) => (texts.has('phpunit.xml') || texts.has('phpunit.xml.dist') ? ['vendor/bin/phpunit'] : []),
    setup: ['composer.lock', 'composer install', 'vendor'],
  },
  { files: ['Gemfile'], gates: rubyGates, setup: ['Gemfile.lock', 'bundle install', null] },
  { files: ['mix.exs'], gates: () => ['mix test'], setup: ['mix.lock', 'mix deps.get', 'deps'] },
];

/** The tests of projects whose build tool is known by one file. */
export function toolchainGates(texts: ProjectTexts): Candidate[] {
  return present(texts).flatMap(({ toolchain, from }) => toolchain.gates(texts).map((run) => ({ run, from })));
}

/** How what such projects depend on gets onto the machine, while there is a network. */
export function toolchainSetup(texts: ProjectTexts): SetupGuess[] {
  return present(texts).flatMap(({ toolchain: { setup } }) => {
    if (setup === undefined || !texts.has(setup[0])) return [];
    const [from, run, fills] = setup;
    return [{ run, from, fills, doubt: null }];
  });
}

function present(texts: ProjectTexts): { readonly toolchain: Toolchain; readonly from: string }[] {
  return TOOLCHAINS.flatMap((toolchain) => {
    const from = firstOf(texts, toolchain.files);
    return from === undefined ? [] : [{ toolchain, from }];
  });
}

function rubyGates(texts: ProjectTexts): readonly string[] {
  const gemfile = texts.get('Gemfile') ?? '';
  const hasRspec = texts.has('.rspec') || /\brspec\b/.test(gemfile);
  return [
    ...(texts.has('.rubocop.yml') ? ['bundle exec rubocop'] : []),
    ...(hasRspec ? ['bundle exec rspec'] : texts.has('Rakefile') ? ['bundle exec rake test'] : []),
  ];
}
