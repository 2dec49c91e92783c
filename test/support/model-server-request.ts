import { isRecord } from '../../src/core/readers/coerce.ts';
import type { Api } from './model-server-script.ts';

/** A tool that a client declared. */
export type DeclaredTool = { readonly name: string; readonly namespace: string | null; readonly schema: unknown; readonly kind: string };

/** What a request says, the same for every protocol. */
export type ModelRequest = {
  readonly system: string;
  readonly tools: readonly DeclaredTool[];
  /** The JSON schema that the answer has to follow. */
  readonly schema: unknown;
  /** What the user said last, with the context that the client put before it. */
  readonly prompt: string;
  readonly lastUser: string;
  readonly lastTool: string;
  /** How many answers with tool calls came since the prompt. */
  readonly step: number;
  /** The folder that the client says it works in. */
  readonly cwd: string;
  /** What Codex was already told to look for among its tools. */
  readonly searches: readonly string[];
};

type Message = { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string };
type Parts = { system: string; messages: Message[]; tools: DeclaredTool[]; schema: unknown; searches: string[] };

/** Reads a request of any of the protocols. */
export function readRequest(api: Api, body: unknown): ModelRequest {
  const { system, messages, tools, schema, searches } = READERS[api](body);
  const last = messages.findLastIndex(({ role, text }) => role === 'user' && text.trim() !== '');
  let first = last;
  while (first > 0 && messages[first - 1]?.role === 'user') first -= 1;
  const step = messages.filter(({ role }, index) => index > last && role === 'tool' && messages[index - 1]?.role !== 'tool').length;
  return {
    system,
    tools,
    schema,
    prompt: messages
      .slice(Math.max(first, 0), last + 1)
      .map(({ text }) => text)
      .join('\n'),
    lastUser: messages[last]?.text ?? '',
    lastTool: messages.findLast(({ role }) => role === 'tool')?.text ?? '',
    step,
    cwd: cwdOf(system, messages),
    searches,
  };
}

const READERS: Readonly<Record<Api, (body: unknown) => Parts>> = {
  anthropic: readAnthropic,
  responses: readResponses,
  chat: readChat,
  gemini: readGemini,
};

function readAnthropic(body: unknown): Parts {
  const parts = emptyParts(textIn(at(body, 'system')));
  for (const message of listAt(body, 'messages')) {
    const content = at(message, 'content');
    const role = at(message, 'role');
    if (role === 'assistant') parts.messages.push({ role, text: textIn(content) });
    else if (role === 'system') parts.system += `\n${textIn(content)}`;
    else {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
      const results = blocks.filter((block) => at(block, 'type') === 'tool_result');
      const text = blocks.filter((block) => at(block, 'type') === 'text').map((block) => textIn(at(block, 'text')));
      // Text beside tool results is a reminder of the client's, not a new prompt.
      if (results.length > 0) parts.messages.push({ role: 'tool', text: results.map((one) => textIn(at(one, 'content'))).join('\n') });
      else if (text.length > 0) parts.messages.push({ role: 'user', text: text.join('\n') });
    }
  }
  parts.tools = listAt(body, 'tools').map((tool) => declared(tool, at(tool, 'input_schema')));
  parts.schema = at(body, 'output_config', 'format', 'schema') ?? at(body, 'output_format', 'schema') ?? null;
  return parts;
}

function readResponses(body: unknown): Parts {
  const parts = emptyParts(textIn(at(body, 'instructions')));
  const input = at(body, 'input');
  for (const item of typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : listOf(input)) {
    const type = textIn(at(item, 'type'));
    const role = at(item, 'role');
    if (type === 'message' || (type === '' && role !== undefined)) {
      const text = textIn(at(item, 'content'));
      if (role === 'assistant' || role === 'user') parts.messages.push({ role, text });
      else parts.system += `\n${text}`;
    } else if (type === 'tool_search_output' || type === 'additional_tools') parts.tools.push(...listAt(item, 'tools').flatMap(flatTools));
    else if (type.endsWith('_call_output')) parts.messages.push({ role: 'tool', text: textIn(at(item, 'output')) });
    // Codex looks for tools that were not declared at once; that is no step of the script.
    else if (type === 'tool_search_call') parts.searches.push(textIn(at(item, 'arguments', 'query')));
    else if (type.endsWith('_call')) parts.messages.push({ role: 'assistant', text: '' });
  }
  parts.tools.push(...listAt(body, 'tools').flatMap(flatTools));
  parts.schema = at(body, 'text', 'format', 'schema') ?? null;
  return parts;
}

function readChat(body: unknown): Parts {
  const parts = emptyParts('');
  for (const message of listAt(body, 'messages')) {
    const role = at(message, 'role');
    const text = textIn(at(message, 'content'));
    if (role === 'user' || role === 'assistant' || role === 'tool') parts.messages.push({ role, text });
    else if (role === 'function') parts.messages.push({ role: 'tool', text });
    else parts.system += `${text}\n`;
  }
  parts.tools = listAt(body, 'tools').map((tool) => {
    const inner = at(tool, 'function') ?? tool;
    return { ...declared(inner, at(inner, 'parameters')), kind: 'function' };
  });
  parts.schema = at(body, 'response_format', 'json_schema', 'schema') ?? null;
  return parts;
}

function readGemini(body: unknown): Parts {
  const instruction = at(body, 'systemInstruction');
  const parts = emptyParts(textIn(at(instruction, 'parts') ?? instruction));
  for (const message of listAt(body, 'contents')) {
    const pieces = listAt(message, 'parts');
    const results = pieces.map((piece) => at(piece, 'functionResponse')).filter((result) => result !== undefined);
    if (at(message, 'role') === 'model') parts.messages.push({ role: 'assistant', text: textIn(pieces) });
    else if (results.length === 0) parts.messages.push({ role: 'user', text: textIn(pieces) });
    else parts.messages.push({ role: 'tool', text: results.map((result) => JSON.stringify(at(result, 'response') ?? '')).join('\n') });
  }
  parts.tools = listAt(body, 'tools')
    .flatMap((tool) => listAt(tool, 'functionDeclarations'))
    .map((tool) => ({ ...declared(tool, at(tool, 'parametersJsonSchema') ?? at(tool, 'parameters')), kind: 'function' }));
  parts.schema = at(body, 'generationConfig', 'responseJsonSchema') ?? at(body, 'generationConfig', 'responseSchema') ?? null;
  return parts;
}

function emptyParts(system: string): Parts {
  return { system, messages: [], tools: [], schema: null, searches: [] };
}

function declared(tool: unknown, schema: unknown): DeclaredTool {
  const kind = textIn(at(tool, 'type'));
  return { name: textIn(at(tool, 'name')) || kind, namespace: null, schema, kind: kind || 'function' };
}

function flatTools(tool: unknown): DeclaredTool[] {
  if (at(tool, 'type') !== 'namespace') return [declared(tool, at(tool, 'parameters'))];
  const namespace = textIn(at(tool, 'name'));
  return listAt(tool, 'tools').map((one) => ({ ...declared(one, at(one, 'parameters')), namespace }));
}

const CWD_WORDS = [
  /<cwd>([^<]+)<\/cwd>/,
  /(?:Primary w|W)orking directory:\s*`?([^\n`]+)/i,
  /currently working in the director(?:y|ies):?\s*\n?\s*-?\s*`?([^\n`]+)/i,
  /Workspace Directories:\**\s*\n?\s*-\s*`?([^\n`]+)/i,
  /\bcwd[":=\s]+(\/[^\s"'<,]+)/,
];

function cwdOf(system: string, messages: readonly Message[]): string {
  const texts = [system, ...messages.filter(({ role }) => role === 'user').map(({ text }) => text.slice(0, 20_000))];
  for (const words of CWD_WORDS) {
    for (const text of texts) {
      const found = words.exec(text)?.[1];
      if (found !== undefined) return found.trim();
    }
  }
  return '';
}

/** What lies below these keys. */
export function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
}

function listAt(value: unknown, key: string): readonly unknown[] {
  return listOf(at(value, key));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The words of a content, which is a text, a block or a list of blocks. */
function textIn(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((block: unknown) => textIn(innerText(block) ?? '')).join('\n');
  return isRecord(content) ? textIn(at(content, 'text') ?? at(content, 'output') ?? JSON.stringify(content)) : JSON.stringify(content);
}

function innerText(block: unknown): unknown {
  return at(block, 'text') ?? at(block, 'content') ?? at(block, 'output');
}
