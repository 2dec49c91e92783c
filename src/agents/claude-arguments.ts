import { publishedInput, RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import { looksOnly } from '../core/settings.ts';
import type { AgentSpec, Role } from '../core/settings.ts';
import type { AgentInput } from './agent.ts';
import { PROJECT, shellIn, temporaryIn, userIn } from './claude-home.ts';
import { runsApart } from './runs-apart.ts';

/** The name under which Claude Code knows the server of our result tool. */
const SERVER = 'volley';

/** What only looks; the operating system sees to it that commands do not write, where it can. */
const LOOK = ['Read', 'Grep', 'Glob', 'Bash'];
/**
 * What works. Left out are those that make worktrees, schedules or agents which outlive their call, write to other sessions, or hand a
 * review to somebody else.
 */
const WORK = [...LOOK, 'Edit', 'Write', 'NotebookEdit', 'Task', 'TaskCreate', 'TaskGet', 'TaskList', 'TaskUpdate', 'WebFetch', 'WebSearch'];
/** What Claude Code itself lets a looking role do, where nothing else holds it. */
const LOOK_ALLOWED = ['Read', 'Grep', 'Glob', 'Bash(git diff *)', 'Bash(git log *)', 'Bash(git show *)', 'Bash(git status *)'];

/** The arguments of a session. */
export function claudeArguments(spec: AgentSpec, input: AgentInput): string[] {
  return [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    // A sign of life while a long message is written, and the one place that tells exactly what each has cost.
    '--include-partial-messages',
    ...(spec.model === null ? [] : ['--model', spec.model]),
    ...settings(input),
    ...permissions(input),
    ...report(input),
    ...(input.resume === null ? [] : ['--resume', input.resume]),
    ...(looksOnly(input.role) && input.resume === null ? ['--no-session-persistence'] : []),
    ...(input.budgetUsd === null || input.budgetUsd <= 0 ? [] : ['--max-budget-usd', String(input.budgetUsd)]),
  ];
}

/** The variables of a session: where its config folder and its login are, and nothing that calls home, waits for long or remembers. */
export function claudeEnvironment(input: AgentInput, { config, login }: { config: string; login: string }): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: config,
    CLAUDE_SECURESTORAGE_CONFIG_DIR: login,
    // Else profiles of accounts are looked for in the home.
    ANTHROPIC_CONFIG_DIR: config,
    // Where it cannot be held its temporary files would else lie among everybody's.
    CLAUDE_CODE_TMPDIR: temporaryIn(config),
    CLAUDE_CODE_PROJECT_DIR_NAME: PROJECT,
    CLAUDE_CODE_SHELL_PREFIX: shellIn(config),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    // A diff may say @ before anything.
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    // Sub-agents and commands in the background would let a session end before its work does.
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    // Commits are ours.
    CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
    // The result tool has to be there from the first word on.
    ENABLE_TOOL_SEARCH: 'false',
    MCP_CONNECT_TIMEOUT_MS: '30000',
    MCP_TIMEOUT: '30000',
    MCP_TOOL_TIMEOUT: '60000',
    // About ten seconds: a limit has to show within minutes, a hiccup has to pass.
    CLAUDE_CODE_MAX_RETRIES: '4',
    ...(input.obeysProject ? {} : { CLAUDE_CODE_DISABLE_CLAUDE_MDS: '1' }),
    // Without it nobody is let do everything who is root.
    ...(input.held ? { IS_SANDBOX: '1' } : {}),
    // Its own programs, such as git and its first shell, must not find what commands have left where those may write.
    ...(runsApart(input) ? { HOME: userIn(config), TMPDIR: userIn(config), CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1' } : {}),
  };
}

/** Which settings count: those of the repository where that is allowed, else none at all. */
function settings({ obeysProject }: AgentInput): string[] {
  return obeysProject ? ['--setting-sources', 'project'] : ['--setting-sources', '', '--strict-mcp-config', '--disable-slash-commands'];
}

function permissions(input: AgentInput): string[] {
  const isLook = looksOnly(input.role);
  const tools = [...(isLook ? LOOK : WORK), ...(input.obeysProject ? ['Skill'] : [])];
  const mode = (name: string): string[] => ['--tools', tools.join(), '--permission-mode', name];
  if (input.held) return mode('bypassPermissions');
  const allowed = [...(isLook ? LOOK_ALLOWED : ['Bash']), ...(input.report === 'mcp' ? [toolOf(input.role)] : [])];
  return [...mode(isLook ? 'dontAsk' : 'acceptEdits'), '--allowedTools', allowed.join()];
}

function report({ role, report: way, bridge }: AgentInput): string[] {
  if (way === 'structured') return ['--json-schema', JSON.stringify(publishedInput(RESULT_TOOLS[role]))];
  if (way !== 'mcp' || bridge === null) return [];
  const [command, ...args] = bridge;
  return ['--mcp-config', JSON.stringify({ mcpServers: { [SERVER]: { type: 'stdio', command, args, env: {}, alwaysLoad: true } } })];
}

function toolOf(role: Role): string {
  return `mcp__${SERVER}__${RESULT_TOOLS[role].name}`;
}
