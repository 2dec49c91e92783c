import type { Action } from './model-server-script.ts';
import { at } from './model-server-request.ts';
import type { DeclaredTool, ModelRequest } from './model-server-request.ts';

/** A call of a tool as the model writes it: with arguments, or with one text. `search`: the client has to look for the tool first. */
export type ModelCall =
  | { readonly kind: 'call'; readonly name: string; readonly namespace: string | null; readonly input: string | object }
  | { readonly kind: 'search'; readonly query: string };

/** Actions that are done by a tool. */
export type ToolAction = Extract<
  Action,
  { write: string } | { edit: string } | { read: string } | { shell: string } | { mcp: string } | { tool: string }
>;

/** The call by which this client does what the action says. */
export function callFor(action: ToolAction, { tools, searches }: Pick<ModelRequest, 'tools' | 'searches'>): ModelCall {
  if ('tool' in action) {
    const found = tools.find(({ name }) => name === action.tool);
    return call(found ?? { name: action.tool, namespace: null }, action.input ?? action.args ?? {});
  }
  if ('mcp' in action) return mcpCall(action, tools, searches);
  if ('shell' in action) return shellCall(tools, action.shell);
  if ('read' in action) return readCall(tools, action.read);
  return 'write' in action ? writeCall(action, tools) : editCall(action, tools);
}

type Named = Pick<DeclaredTool, 'name' | 'namespace'>;

function call({ name, namespace }: Named, input: string | object): ModelCall {
  return { kind: 'call', name, namespace, input };
}

function pickTool(tools: readonly DeclaredTool[], ...names: readonly string[]): DeclaredTool | null {
  for (const name of names) {
    const found = tools.find((tool) => tool.name === name);
    if (found !== undefined) return found;
  }
  return null;
}

type McpAction = Extract<Action, { mcp: string }>;

function mcpCall({ mcp, args = {} }: McpAction, tools: readonly DeclaredTool[], searches: readonly string[]): ModelCall {
  const found =
    tools.find(({ name }) => name === mcp) ?? tools.find(({ name }) => name.endsWith(mcp)) ?? tools.find(({ name }) => name.includes(mcp));
  if (found !== undefined) return call(found, args);
  // What was looked for in vain is called nevertheless, and the client says that there is no such tool.
  if (tools.some(({ name }) => name === 'tool_search') && !searches.includes(mcp)) return { kind: 'search', query: mcp };
  const code = tools.find(isCodeTool);
  if (code === undefined) return call({ name: mcp, namespace: null }, args);
  const find = `const k = Object.keys(tools).find((x) => x.endsWith(${JSON.stringify(mcp)}));`;
  return call(code, `${find} const r = await tools[k](${JSON.stringify(args)}); text(JSON.stringify(r));`);
}

/** The one tool of Codex's "code mode", which takes JavaScript. */
function isCodeTool({ name, kind }: DeclaredTool): boolean {
  return name === 'exec' && kind === 'custom';
}

function shellCall(tools: readonly DeclaredTool[], command: string): ModelCall {
  const names = ['Bash', 'bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell', 'local_shell', 'exec'];
  const tool = pickTool(tools, ...names);
  if (tool === null) return call({ name: 'Bash', namespace: null }, { command });
  if (isCodeTool(tool)) {
    const run = `const r = await tools.exec_command({cmd: ${JSON.stringify(command)}});`;
    return call(tool, `${run} text(r.output ?? JSON.stringify(r));`);
  }
  switch (tool.name) {
    case 'exec_command':
      return call(tool, { cmd: command });
    case 'shell':
    case 'local_shell':
      return call(tool, { command: ['bash', '-lc', command] });
    case 'shell_command':
      return call(tool, { command });
    default:
      return call(tool, { command, description: 'scripted command' });
  }
}

function readCall(tools: readonly DeclaredTool[], path: string): ModelCall {
  const tool = pickTool(tools, 'Read', 'read_file', 'read');
  if (tool === null) return shellCall(tools, `cat ${quoted(path)}`);
  return call(tool, tool.name === 'read' ? { filePath: path } : { file_path: path });
}

function writeCall({ write, content }: Extract<Action, { write: string }>, tools: readonly DeclaredTool[]): ModelCall {
  const tool = pickTool(tools, 'Write', 'write_file', 'write', 'apply_patch');
  if (tool === null) {
    return shellCall(tools, `mkdir -p "$(dirname ${quoted(write)})" && printf %s ${quoted(content)} > ${quoted(write)}`);
  }
  if (tool.name === 'apply_patch') return patchCall(tool, `*** Add File: ${write}\n${prefixed('+', content.replace(/\n$/, ''))}`);
  return call(tool, tool.name === 'write' ? { filePath: write, content } : { file_path: write, content });
}

function editCall(action: Extract<Action, { edit: string }>, tools: readonly DeclaredTool[]): ModelCall {
  const { edit, old: before, new: after } = action;
  const tool = pickTool(tools, 'Edit', 'replace', 'edit', 'apply_patch');
  if (tool === null) {
    const script = String.raw`perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/'`;
    return shellCall(tools, `OLD=${quoted(before)} NEW=${quoted(after)} ${script} ${quoted(edit)}`);
  }
  if (tool.name === 'apply_patch') {
    return patchCall(tool, `*** Update File: ${edit}\n@@\n${prefixed('-', before)}\n${prefixed('+', after)}`);
  }
  if (tool.name === 'edit') return call(tool, { filePath: edit, oldString: before, newString: after });
  const required = at(tool.schema, 'required');
  const instruction = Array.isArray(required) && required.includes('instruction') ? { instruction: 'scripted edit' } : {};
  return call(tool, { file_path: edit, old_string: before, new_string: after, ...instruction });
}

function patchCall(tool: DeclaredTool, change: string): ModelCall {
  const patch = `*** Begin Patch\n${change}\n*** End Patch`;
  if (tool.kind === 'custom') return call(tool, patch);
  return call(tool, at(tool.schema, 'properties', 'patchText') === undefined ? { input: patch } : { patchText: patch });
}

function prefixed(sign: string, text: string): string {
  return text.replaceAll(/^/gm, sign);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
