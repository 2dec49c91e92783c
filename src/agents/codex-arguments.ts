import { join } from 'node:path';
import type { AgentInput } from './agent.ts';
import { KEY_VARIABLES, URL_VARIABLE } from './codex-login.ts';
import type { OwnAccess } from './codex-login.ts';
import { tomlOf } from './codex-toml.ts';
import type { TomlValue } from './codex-toml.ts';
import { RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import { looksOnly } from '../core/settings.ts';
import { runsApart } from './runs-apart.ts';

/** What a session is started with, beside its input. */
export type CodexStart = {
  readonly model: string | null;
  readonly access: OwnAccess;
  /** The folder that it works in, by all its names. */
  readonly workFolders: readonly string[];
  /** The files of skills that it must not read. */
  readonly skills: readonly string[];
  /** The file with the schema of its last message; null where it may say anything. */
  readonly schemaFile: string | null;
  /** The folder with its home and all else that it obeys. */
  readonly ownFolder: string;
};

type Settings = Readonly<Record<string, TomlValue>>;

/** The arguments for `codex`. Every setting is given here, because they outrank whatever file could say otherwise. */
export function codexArguments(input: AgentInput, start: CodexStart): string[] {
  const settings: Settings = {
    ...ALWAYS,
    ...environmentSettings(input),
    ...projectSettings(input, start),
    ...roleSettings(input),
    ...(runsApart(input) ? apartSettings(input, start) : {}),
    ...providerSettings(start.access),
    ...channelSettings(input),
  };
  return [
    'exec',
    '--json',
    '--skip-git-repo-check',
    '--ignore-user-config',
    ...(input.obeysProject ? ['--dangerously-bypass-hook-trust'] : ['--ignore-rules']),
    '-C',
    input.cwd,
    ...(runsApart(input) ? [] : ['-s', sandboxOf(input)]),
    ...(start.model === null ? [] : ['-m', start.model]),
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${tomlOf(value)}`]),
    ...(start.schemaFile === null ? [] : ['--output-schema', start.schemaFile]),
    ...(input.resume === null ? [] : ['resume', input.resume]),
    '-',
  ];
}

/** Nobody is asked, nothing is fetched or sent but the model's own requests, and nothing is kept but the record of the thread. */
const ALWAYS: Settings = {
  approval_policy: 'never',
  cli_auth_credentials_store: 'file',
  check_for_update_on_startup: false,
  'analytics.enabled': false,
  'feedback.enabled': false,
  'otel.metrics_exporter': 'none',
  'history.persistence': 'none',
  'features.plugins': false,
  'features.remote_plugin': false,
  'features.apps': false,
  'features.tool_suggest': false,
  'features.api_key_model_discovery': false,
  'features.daemon_auto_start': false,
  'features.memories': false,
  // It would go on by itself after its answer.
  'features.goals': false,
  // They cost what no token counts.
  'features.image_generation': false,
  // Their tokens are missing in the stream's sum.
  'agents.enabled': false,
  // Without a network it would wait for ever, and say so again and again.
  'features.unbounded_connection_retries': false,
  // A profile in the home of tools is no part of what is worked on.
  allow_login_shell: false,
  'features.shell_snapshot': false,
  'skills.bundled.enabled': false,
};

/** Commands get the environment of the session, without what is Codex's own. */
function environmentSettings(input: AgentInput): Settings {
  const { env } = input;
  const own = [...KEY_VARIABLES, URL_VARIABLE, 'CODEX_HOME', 'RUST_LOG', ...(env['TZ'] === undefined ? ['TZ'] : [])];
  const restored = Object.entries(env).filter(([name]) => ['HOME', 'TZ', ...(runsApart(input) ? ['TMPDIR'] : [])].includes(name));
  return {
    'shell_environment_policy.inherit': 'all',
    'shell_environment_policy.ignore_default_excludes': true,
    'shell_environment_policy.exclude': own,
    'shell_environment_policy.set': Object.fromEntries(restored),
  };
}

/**
 * Codex trusts the folder that it is told to work in unless it is told not to, and then obeys what lies there: servers are started,
 * instructions are read.
 */
function projectSettings({ obeysProject }: AgentInput, { workFolders, skills }: CodexStart): Settings {
  const trust = { trust_level: obeysProject ? 'trusted' : 'untrusted' };
  const folders = {
    projects: Object.fromEntries(workFolders.map((folder) => [folder, trust])),
    // What lies above the checkout is not the repository's.
    project_root_markers: [],
  };
  if (obeysProject) return folders;
  return {
    ...folders,
    project_doc_max_bytes: 0,
    'features.hooks': false,
    'skills.include_instructions': false,
    'skills.config': skills.map((path) => ({ path, enabled: false })),
  };
}

function sandboxOf({ held, role }: AgentInput): string {
  if (held) return 'danger-full-access';
  return looksOnly(role) ? 'read-only' : 'workspace-write';
}

/**
 * Codex's own sandbox, inside the one that holds it, makes the namespace; where it cannot, the command fails. The mode for work is of no
 * use, since it would make folders in the checkout, which is read-only.
 */
function apartSettings({ env, scratch }: AgentInput, { ownFolder }: CodexStart): Settings {
  const { HOME: home, TMPDIR: temporary = '/tmp' } = env;
  // In a folder that commands may write, a repository would else be read-only.
  const copies = scratch === null ? [] : [scratch, join(scratch, '.git')];
  const written = [...copies, ...(home === undefined ? [] : [home]), temporary, '/tmp', '/var/tmp'];
  return {
    default_permissions: 'volley',
    'permissions.volley': {
      filesystem: { ':root': 'read', ...Object.fromEntries(written.map((path) => [path, 'write'])), [ownFolder]: 'read' },
      // What can be reached is decided around it.
      network: { enabled: true },
    },
  };
}

function roleSettings({ held, role }: AgentInput): Settings {
  if (looksOnly(role)) return { web_search: 'disabled' };
  // Others on this machine use its folder for temporary files too; a session has its own.
  return held ? {} : { 'sandbox_workspace_write.exclude_slash_tmp': true, 'sandbox_workspace_write.exclude_tmpdir_env_var': false };
}

/** Another endpoint is a provider of its own, since Codex would try WebSockets with it first, again and again. */
function providerSettings({ baseUrl, key }: OwnAccess): Settings {
  if (baseUrl === null) return {};
  const provider = { name: 'volley', base_url: baseUrl, wire_api: 'responses', ...(key === null ? {} : { env_key: KEY_VARIABLES[0] }) };
  return { 'model_providers.volley': provider, model_provider: 'volley' };
}

const START_SECONDS = 60;
const CALL_SECONDS = 120;

function channelSettings({ report, bridge, role, obeysProject }: AgentInput): Settings {
  if (report !== 'mcp' || bridge === null) return {};
  const [command = '', ...args] = bridge;
  const tool = RESULT_TOOLS[role].name;
  const hint = `The tool ${tool} of the MCP server volley may have to be found first, with tool_search.`;
  return {
    'mcp_servers.volley': {
      command,
      args,
      // Without its tool the session would be for nothing.
      required: true,
      startup_timeout_sec: START_SECONDS,
      tool_timeout_sec: CALL_SECONDS,
      default_tools_approval_mode: 'approve',
    },
    ...(obeysProject ? {} : { developer_instructions: hint }),
  };
}
