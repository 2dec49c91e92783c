/** A kind of file that decides more than the code in it: what runs on CI machines, which code of others is used, how agents behave. */
export type WatchedKind = 'workflow' | 'manifest' | 'lockfile' | 'agent-settings';

/** The kind of a file that nobody should edit in passing, at any depth and in any case; null for all others. */
export function watchedKind(path: string): WatchedKind | null {
  const plain = path.replaceAll('\\', '/').toLowerCase();
  return KINDS.find(({ files }) => files.test(plain))?.kind ?? null;
}

/** A folder counts by its bare name too: a link or a submodule may take its place. */
const AGENT_FOLDERS =
  /(?:^|\/)\.(?:claude|claude-plugin|codex|codex-plugin|gemini|opencode|cursor|cursor-plugin|agents?|amazonq|augment|cline|clinerules|continue|factory|goose|junie|kilocode|kiro|openhands|qwen|roo|trae|volley|windsurf)(?:\/|$)/;
const AGENT_FILES =
  /(?:^|\/)(?:(?:agents(?:\.override)?|claude(?:\.local)?|gemini|qwen)\.md|\.mcp\.json|\.claude\.json|\.?opencode\.jsonc?|\.?crush\.json|gemini-extension\.json|\.(?:cursor|windsurf|roo)rules|\.roomodes|\.goosehints|\.aider\.conf\.yml|volley\.ya?ml|\.vscode\/(?:mcp|settings|tasks)\.json|\.zed\/(?:settings|tasks)\.json)$/;
const COPILOT = /(?:^|\/)\.github\/(?:copilot-instructions\.md$|(?:agents|chatmodes|copilot|hooks|instructions|prompts|skills)\/)/;

const WORKFLOWS =
  /(?:^|\/)(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)|\.gitlab\/ci|\.circleci|\.buildkite|\.azure-pipelines|\.azuredevops|\.semaphore|\.teamcity|\.tekton|\.woodpecker)(?:\/|$)/;
const WORKFLOW_FILES =
  /(?:^|\/)(?:[^/]*\.gitlab-ci\.ya?ml|azure-pipelines[^/]*\.ya?ml|jenkinsfile(?:\.[^/]*)?|bitbucket-pipelines\.ya?ml|\.?(?:travis|appveyor|drone|cirrus|woodpecker)\.ya?ml|(?:action|bitrise|buildspec|cloudbuild|codemagic)\.ya?ml)$/;

const LOCKFILES =
  /\.lock(?:b|file)?$|[-.]lock\.(?:json|ya?ml|hcl)$|(?:^|\/)(?:npm-shrinkwrap\.json|go(?:\.work)?\.sum|package\.resolved|cartfile\.resolved|cabal\.project\.freeze|pylock(?:\.[^/]*)?\.toml|\.pnp\.(?:cjs|loader\.mjs))$/;

const MANIFESTS =
  /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|bunfig\.toml|(?:deno|jsr|import_map)\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|pipfile|(?:requirements|constraints)[^/]*\.(?:txt|in)|requirements\/[^/]+\.(?:txt|in)|environment\.ya?ml|cargo\.toml|go\.(?:mod|work)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|libs\.versions\.toml|gemfile|gems\.rb|[^/]+\.gemspec|composer\.json|[^/]+\.(?:cs|fs|vb)proj|directory\.(?:build|packages)\.props|packages\.config|nuget\.config|pubspec\.yaml|podfile|cartfile|package\.swift|mix\.exs|rebar\.config|build\.sbt|plugins\.sbt|[^/]+\.cabal|stack\.yaml|conanfile\.(?:py|txt)|vcpkg\.json|flake\.nix|module\.bazel|workspace\.bazel|build\.zig\.zon|shard\.yml|dub\.(?:json|sdl)|elm\.json)$/;

/** The first that fits counts: what an agent obeys stays an agent's setting, also where it looks like a manifest. */
const KINDS: readonly { readonly kind: WatchedKind; readonly files: RegExp }[] = [
  ...[AGENT_FOLDERS, AGENT_FILES, COPILOT].map((files) => ({ kind: 'agent-settings' as const, files })),
  ...[WORKFLOWS, WORKFLOW_FILES].map((files) => ({ kind: 'workflow' as const, files })),
  { kind: 'lockfile', files: LOCKFILES },
  { kind: 'manifest', files: MANIFESTS },
];
