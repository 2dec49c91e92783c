import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { generatedBy } from './generated.ts';
import { watchedKind } from './watched-files.ts';
import type { WatchedKind } from './watched-files.ts';

const FILES: Readonly<Record<WatchedKind, readonly string[]>> = {
  workflow: [
    '.github/workflows/ci.yml',
    '.github/actions/build/action.yml',
    '.gitlab-ci.yml',
    'ci/test.gitlab-ci.yml',
    '.circleci/config.yml',
    'azure-pipelines.yml',
    'azure-pipelines-release.yaml',
    'Jenkinsfile',
    'ci/Jenkinsfile.release',
    '.buildkite/pipeline.yml',
    'bitbucket-pipelines.yml',
    '.travis.yml',
    '.woodpecker/test.yaml',
    'action.yml',
  ],
  manifest: [
    'package.json',
    '.npmrc',
    'pyproject.toml',
    'requirements.txt',
    'requirements-dev.txt',
    'requirements/test.in',
    'Cargo.toml',
    'go.mod',
    'pom.xml',
    'build.gradle',
    'build.gradle.kts',
    'Gemfile',
    'volley.gemspec',
    'composer.json',
    'src/App.csproj',
    'deno.json',
    'deno.jsonc',
    'Package.swift',
  ],
  lockfile: [
    'package-lock.json',
    'npm-shrinkwrap.json',
    'yarn.lock',
    'pnpm-lock.yaml',
    'bun.lockb',
    'Cargo.lock',
    'go.sum',
    'poetry.lock',
    'uv.lock',
    'Pipfile.lock',
    'composer.lock',
    'Gemfile.lock',
    'mix.lock',
    'flake.lock',
  ],
  'agent-settings': [
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/hooks/start.sh',
    '.claude',
    '.mcp.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    'opencode.json',
    'opencode.jsonc',
    '.opencode/plugin/a.ts',
    '.opencode/package.json',
    '.cursor/mcp.json',
    '.cursorrules',
    '.vscode/mcp.json',
    '.vscode/tasks.json',
    'AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
    '.github/copilot-instructions.md',
    '.github/hooks/start.json',
    '.volley/standards.md',
    'volley.yaml',
  ],
};
const ALL = Object.entries(FILES).flatMap(([kind, paths]) => paths.map((path) => ({ kind, path })));

test('files that decide more than the code in them are known by kind', () => {
  for (const { kind, path } of ALL) assert.equal(watchedKind(path), kind, path);
});

test('ordinary files are not watched, also where their names come close', () => {
  const ordinary = [
    'src/package.ts',
    'src/lock.ts',
    'docs/workflows/ci.md',
    'github/workflows/ci.yml',
    'claude/settings.json',
    'src/agents.ts',
    'src/my-package.json.ts',
    '.vscode/launch.json',
    'src/requirements.ts',
    'notes.claude/x.md',
    '.claudette/x.md',
    '',
  ];
  for (const path of ordinary) assert.equal(watchedKind(path), null, path);
});

test('depth, case and the separators of Windows change nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ALL), fc.array(fc.constantFrom('a', 'Web', 'x y'), { maxLength: 3 }), ({ kind, path }, folders) => {
      const deep = [...folders, path].join('/');
      for (const form of [deep, deep.toUpperCase(), deep.toLowerCase(), deep.replaceAll('/', '\\')]) {
        assert.equal(watchedKind(form), kind, form);
      }
    }),
  );
});

test('each lockfile that a review may summarise is watched', () => {
  for (const path of FILES.lockfile) assert.equal(generatedBy({ path, text: '', addedLines: new Set() }), 'a lockfile', path);
});

test('a hostile path is answered at once', () => {
  const started = performance.now();
  for (const path of ['/'.repeat(200_000), '.gitlab-ci'.repeat(20_000), 'requirements'.repeat(20_000), '.'.repeat(200_000)])
    watchedKind(path);
  assert.ok(performance.now() - started < 2000);
});
