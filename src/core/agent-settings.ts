import { isKey, readJson, readToml, select } from './settings-tree.ts';
import type { ReadTree, Tree } from './settings-tree.ts';
import { watchedKind } from './watched-files.ts';

/** Something that an agent's settings make it run or obey; `line` starts at 1. */
export type Execution = {
  readonly what: 'hook' | 'mcp-server' | 'command';
  /** The hook's event, the server's name, or the setting. */
  readonly name: string;
  readonly command: string;
  readonly line: number | null;
};

/** The name of the one execution in settings that may hold some, but cannot be read; its command is empty. */
export const UNREADABLE = 'cannot be read';

/** The name of the one execution in a file that is code itself; its command is the file's path. */
export const OWN_CODE = 'code';

/** What an agent's settings in the repository would run, by what stands in the file alone; nothing for files that are no such settings. */
export function executions(path: string, text: string): readonly Execution[] {
  if (watchedKind(path) !== 'agent-settings') return [];
  const plain = path.replaceAll('\\', '/').toLowerCase();
  if (CODE.test(plain)) return [{ what: 'command', name: OWN_CODE, command: path, line: null }];
  if (text.length > LONGEST) return [unreadable];
  if (/\.jsonc?$/.test(plain)) return inTree(readJson(text), { path: plain, text });
  if (COMMAND_FILES.test(plain)) return shellLines(text, /!\{([^}]+)\}?/g);
  if (plain.endsWith('.toml')) return inTree(readToml(text), { path: plain, text });
  if (PROMPTS.test(plain)) return [...inFrontmatter(text), ...shellLines(text, IN_BACKTICKS)];
  return plain.endsWith('/.env') ? environmentLines(text) : [];
}

/** People write settings of a few kilobytes. */
const LONGEST = 250_000;
const unreadable: Execution = { what: 'command', name: UNREADABLE, command: '', line: null };

/** Code that lies among the settings: plugins that are loaded from their folder, and what hooks call. */
const CODE =
  /(?:^|\/)\.(?:opencode\/(?:plugins?|tools?)|(?:claude|codex|gemini|cursor|clinerules)\/hooks)\/(?!.*\.(?:jsonc?|toml|ya?ml|md|txt|log|mp3|wav|png|svg)$|.*\/?\.git(?:keep|ignore)$)/;
const PROMPTS = /\/(?:commands?|agents?|skills?|prompts|plugins?)\/.*\.md$/;
const COMMAND_FILES = /(?:^|\/)\.gemini\/(?:.*\/)?commands\/.*\.toml$/;
const OPENCODE = /(?:^|\/)\.?opencode(?:\/|\.jsonc?$)/;

type Rule = {
  /** Keys from the top, `*` for any. */
  readonly at: string;
  readonly what: Execution['what'];
  readonly files?: RegExp;
  /** Which values count, where not all do. */
  readonly only?: RegExp;
};

const setting = (at: string, only?: RegExp): Rule => ({ at, what: 'command', ...(only === undefined ? {} : { only }) });

const RULES: readonly Rule[] = [
  ...['mcpServers/*', 'mcp_servers/*', 'mcp/servers/*'].map((at): Rule => ({ at, what: 'mcp-server' })),
  { at: 'servers/*', what: 'mcp-server', files: /mcp\.json$/ },
  { at: '*', what: 'mcp-server', files: /\.mcp\.json$/ },
  { at: 'mcp/*', what: 'mcp-server', files: OPENCODE },
  ...['plugin/*', 'formatter/*', 'lsp/*', 'shell', 'provider/*/options/baseURL'].map((at) => ({ ...setting(at), files: OPENCODE })),
  ...['install', 'start', 'terminals/*'].map((at) => ({ ...setting(at), files: /\.cursor\/environment\.json$/ })),
  ...['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh', 'otelHeadersHelper', 'proxyAuthHelper'].map((at) =>
    setting(at),
  ),
  ...['processWrapper', 'policyHelper', 'statusLine', 'subagentStatusLine', 'fileSuggestion'].map((at) => setting(at)),
  ...['sandbox/ripgrep', 'sandbox/bwrapPath', 'sandbox/socatPath'].map((at) => setting(at)),
  ...['tools/discoveryCommand', 'tools/callCommand', 'toolDiscoveryCommand', 'toolCallCommand'].map((at) => setting(at)),
  ...['mcp/serverCommand', 'mcpServerCommand'].map((at) => setting(at)),
  ...['notify', 'openai_base_url', 'chatgpt_base_url', 'model_providers/*/base_url', 'model_providers/*/auth'].map((at) => setting(at)),
  setting('sandbox_mode', /^danger-full-access$/i),
  setting('permissions/defaultMode', /^bypassPermissions$/i),
  setting('permissions/allow/*', /^Bash(?:\(:?\**\))?$/i),
  setting('enableAllProjectMcpServers', /^true$/),
  setting('chat.tools.autoApprove', /^true$/),
  setting('chat.tools.global.autoApprove', /^true$/),
];

/** Variables that send an agent elsewhere, or make programs run something else. */
const ENVIRONMENT =
  /_BASE_URL$|_PROXY$|_ENDPOINT$|_CUSTOM_HEADERS$|^(?:LD_|DYLD_|GIT_|BASH_|PYTHON|NPM_CONFIG_)|^(?:PATH|ENV|SHELL|PAGER|EDITOR|PROMPT_COMMAND|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|CLAUDE_CODE_SHELL|CLAUDE_CODE_SHELL_PREFIX)$/i;
const TELLING = /hook|mcp_?servers|"servers"|command|helper|notify|_base_url/i;

function inTree({ root, isWhole }: ReadTree, { path, text }: { readonly path: string; readonly text: string }): readonly Execution[] {
  const found = [
    ...select(root, 'hooks').flatMap(({ tree }) => hooksIn(tree)),
    ...select(root, 'experimental/hook').flatMap(({ tree }) => hooksIn(tree)),
    ...RULES.filter(({ files }) => files?.test(path) ?? true).flatMap((rule) => byRule(root, rule)),
    ...[...select(root, 'env/*'), ...select(root, 'shell_environment_policy/set/*')].flatMap(({ keys, tree }) =>
      variable(keys.at(-1), tree),
    ),
    ...select(root, 'enabledPlugins/*')
      .filter(({ tree }) => tree.text === 'true')
      .map(({ keys, tree }) => ({ what: 'command' as const, name: 'plugin', command: keys.at(-1) ?? '', line: tree.line })),
    ...select(root, 'command/*/template').flatMap(({ tree }) =>
      shellLines(tree.text ?? '', IN_BACKTICKS).map((one) => ({ ...one, line: tree.line })),
    ),
    ...(path.endsWith('tasks.json') ? select(root, 'tasks/*').flatMap(({ tree }) => taskOnOpen(tree)) : []),
  ];
  return found.length === 0 && !isWhole && TELLING.test(text) ? [unreadable] : found;
}

function byRule(root: Tree, { at, what, only }: Rule): Execution[] {
  return select(root, at).flatMap(({ keys, tree }) => {
    const command = what === 'mcp-server' && (tree.isList || tree.text !== null) ? null : commandOf(tree);
    if (command === null || (only !== undefined && !only.test(command.text))) return [];
    return [{ what, name: what === 'mcp-server' ? (keys.at(-1) ?? '') : keys.join('.'), command: command.text, line: command.line }];
  });
}

/** Hooks lie under their event, in groups or not; what counts is whatever they call. */
function hooksIn(tree: Tree, event: string | null = null, depth = 0): Execution[] {
  if (depth > DEEPEST_HOOK) return [];
  if (depth === 0 && tree.text !== null) return /[./]/.test(tree.text) ? [hook('file', tree.text, tree.line)] : [];
  const args = argsOf(tree);
  return tree.branches.flatMap(({ key, tree: branch }) => {
    const words = HOOK_KEYS.has(key.toLowerCase()) ? wordsOf(branch) : [];
    return words.length === 0 ? hooksIn(branch, event ?? key, depth + 1) : [hook(event ?? key, sentence([...words, ...args]), branch.line)];
  });
}

const DEEPEST_HOOK = 8;
const HOOK_KEYS: ReadonlySet<string> = new Set(['command', 'commandwindows', 'command_windows', 'bash', 'powershell', 'url']);

function hook(name: string, command: string, line: number): Execution {
  return { what: 'hook', name, command, line };
}

function taskOnOpen(task: Tree): Execution[] {
  if (!select(task, 'runOptions/runOn').some(({ tree }) => tree.text?.toLowerCase() === 'folderopen')) return [];
  const name = select(task, 'label')[0]?.tree.text ?? 'task';
  return [task, ...['windows', 'linux', 'osx'].flatMap((system) => select(task, system).map(({ tree }) => tree))].flatMap((tree) => {
    const command = commandOf(tree);
    return command === null
      ? []
      : [{ what: 'command' as const, name: `on opening the folder: ${name}`, command: command.text, line: command.line }];
  });
}

function variable(name: string | undefined, { text, line }: Pick<Tree, 'text' | 'line'>): Execution[] {
  if (name === undefined || text === null || !ENVIRONMENT.test(name)) return [];
  return [{ what: 'command', name: `env ${name}`, command: text, line }];
}

/** What a value calls: it is the command itself, its words, or says under one of these keys what to start or reach. */
const CALLS: readonly string[] = ['command', 'url', 'httpurl', 'serverurl', 'path', 'script'];

function commandOf(tree: Tree): { readonly text: string; readonly line: number } | null {
  const calls =
    tree.isList || tree.text !== null ? tree : CALLS.flatMap((key) => tree.branches.findLast((one) => isKey(one, key)) ?? [])[0]?.tree;
  const words = calls === undefined ? [] : wordsOf(calls);
  return calls === undefined || words.length === 0 ? null : { text: sentence([...words, ...argsOf(tree)]), line: calls.line };
}

function argsOf(tree: Tree): readonly string[] {
  const args = tree.branches.findLast((one) => isKey(one, 'args'));
  return args === undefined ? [] : wordsOf(args.tree);
}

function wordsOf(tree: Tree): readonly string[] {
  const words = tree.isList ? tree.branches.slice(0, MOST_WORDS).flatMap((one) => one.tree.text ?? []) : [tree.text ?? ''];
  return words.filter((word) => word.trim() !== '');
}

const MOST_WORDS = 100;
const MOST_CHARACTERS = 2000;

function sentence(words: readonly string[]): string {
  return words.join(' ').slice(0, MOST_CHARACTERS);
}

const IN_BACKTICKS = /!`([^`]+)`?/g;

/** Lines of a prompt that run before an agent sees it: a command behind `!`, or a block of them. */
function shellLines(text: string, marked: RegExp): Execution[] {
  let isBlock = false;
  return text.split('\n').flatMap((line, index) => {
    const fence = /^\s*```+\s*(!?)/.exec(line);
    if (fence !== null) isBlock = !isBlock && fence[1] === '!';
    const commands = isBlock && fence === null ? [line] : [...line.matchAll(marked)].map((one) => one[1] ?? '');
    return commands
      .filter((command) => command.trim() !== '')
      .map((command) => ({ what: 'command' as const, name: 'shell line', command: sentence([command.trim()]), line: index + 1 }));
  });
}

/** What the head of a prompt allows, hooks up or starts. */
function inFrontmatter(text: string): Execution[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trimEnd());
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : 0;
  let section = '';
  const head = lines.slice(0, Math.max(end, 0));
  const found = head.flatMap((line, index): Execution[] => {
    section = /^["']?([\w-]+)["']?\s*:/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [what, name, sign] = HEAD.get(section) ?? [];
    if (what === undefined || name === undefined || sign?.test(line) !== true) return [];
    const value = line.replace(/^\s*(?:-\s+)?(?:["']?[\w-]+["']?\s*:\s*)?/, '').replace(/^["']|["']$/g, '');
    return [{ what, name, command: sentence([value]), line: index + 1 }];
  });
  // Hooks and servers that are written in another way than line by line are there all the same.
  const isNamed = head.some((line) => /\b(?:hooks|mcpServers)\b/i.test(line));
  return isNamed && !found.some(({ what }) => what !== 'command') ? [...found, unreadable] : found;
}

const CALL_LINE = /^\s+(?:-\s+)?["']?(?:command|url)["']?\s*:\s*\S/;
const HEAD: ReadonlyMap<string, readonly [Execution['what'], string, RegExp]> = new Map([
  ['allowed-tools', ['command', 'allowed-tools', /\bBash\b/i]],
  ['permissionmode', ['command', 'permissionMode', /bypassPermissions/i]],
  ['hooks', ['hook', 'hooks', CALL_LINE]],
  ['mcpservers', ['mcp-server', 'mcpServers', CALL_LINE]],
]);

function environmentLines(text: string): Execution[] {
  return text.split('\n').flatMap((line, index) => {
    const [, name, value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*)$/.exec(line) ?? [];
    return variable(name, { text: sentence([value.trim()]), line: index + 1 });
  });
}
