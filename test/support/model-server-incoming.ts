import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { at } from './model-server-request.ts';
import type { Api } from './model-server-script.ts';

/** A request as HTTP tells it. */
export type Asked = {
  readonly method: string;
  readonly path: string;
  /** As the client sent them: a test may ask which key was used. */
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly model: string;
  readonly stream: boolean;
  /** The client's own id of its session. */
  readonly session: string;
  readonly text: string;
  readonly scenario: string | null;
} & ({ readonly api: Api; readonly endpoint: 'model' } | { readonly api: null; readonly endpoint: 'count' | 'models' | 'unknown' });

/** Reads what HTTP tells of a request: which protocol, model and session. */
export function readCall(incoming: IncomingMessage, text: string): Asked {
  const url = (incoming.url ?? '').replace(/^\/\/+/, '/');
  const [, scenario = null, below] = /^\/s\/([^/]+)(\/.*)$/.exec(url) ?? [];
  const path = (below ?? url).split('?')[0] ?? '';
  const body = parsed(text);
  const { method = '', headers } = incoming;
  const [, gemini, verb = ''] = /\/models\/([^:/]+):(\w+)$/.exec(path) ?? [];
  const model = gemini === undefined ? at(body, 'model') : decodeURIComponent(gemini);
  const sessions = ['x-claude-code-session-id', 'session_id', 'session-id', 'x-session-affinity'].map((name) => headers[name]);
  const session = sessions.find((value) => value !== undefined) ?? at(body, 'prompt_cache_key');
  const asked = {
    method,
    path,
    headers,
    body,
    text,
    scenario: scenario === null ? null : decodeURIComponent(scenario),
    model: typeof model === 'string' ? model : '',
    stream: at(body, 'stream') === true || verb.startsWith('stream'),
    session: typeof session === 'string' ? session : '',
  };
  if (/(?:\/count_tokens|:countTokens)$/.test(path)) return { ...asked, api: null, endpoint: 'count' };
  if (path.endsWith('/models')) return { ...asked, api: null, endpoint: 'models' };
  const api = method === 'POST' ? apiOf(path, verb) : null;
  return api === null ? { ...asked, api, endpoint: 'unknown' } : { ...asked, api, endpoint: 'model' };
}

function apiOf(path: string, verb: string): Api | null {
  if (path.endsWith('/messages')) return 'anthropic';
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith('/chat/completions')) return 'chat';
  return /generateContent$/i.test(verb) ? 'gemini' : null;
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    // Compressed, or no JSON at all: the record shows that it was not understood.
    return { unreadable: text.slice(0, 200) };
  }
}
