import type { ServerResponse } from 'node:http';
import { writeAnthropic } from './model-server-anthropic.ts';
import { writeGemini } from './model-server-gemini.ts';
import { writeChat, writeResponses } from './model-server-openai.ts';
import { id, writeJson } from './model-server-reply.ts';
import type { Reply } from './model-server-reply.ts';
import type { Action, Api } from './model-server-script.ts';

/** Writes an answer in the words of a protocol. */
export async function writeReply(api: Api, reply: Reply): Promise<void> {
  await WRITERS[api](reply);
}

/** Writes an HTTP error as the providers word it. */
export function writeError(api: Api, response: ServerResponse, action: Extract<Action, { error: number }>): void {
  const { error: status, message = `scripted error ${status}`, retryAfter, headers = {}, body = errorBody(api, status, message) } = action;
  const more = { ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }), ...headers };
  for (const [name, value] of Object.entries(more)) response.setHeader(name, value);
  writeJson(response, status, body);
}

function errorBody(api: Api, status: number, message: string): object {
  switch (api) {
    case 'anthropic':
      return { type: 'error', error: { type: anthropicError(status), message }, request_id: id('req_') };
    case 'gemini': {
      const word =
        status === 401 ? 'UNAUTHENTICATED' : status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT';
      return { error: { code: status, message, status: word } };
    }
    case 'responses':
    case 'chat': {
      const code = status === 401 ? 'invalid_api_key' : status === 429 ? 'rate_limit_exceeded' : null;
      const type = status === 429 ? 'rate_limit_exceeded' : status === 401 ? 'invalid_request_error' : 'server_error';
      return { error: { message, type, code } };
    }
  }
}

function anthropicError(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 429) return 'rate_limit_error';
  if (status === 529) return 'overloaded_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}

const WRITERS: Readonly<Record<Api, (reply: Reply) => Promise<void>>> = {
  anthropic: writeAnthropic,
  responses: writeResponses,
  chat: writeChat,
  gemini: writeGemini,
};
