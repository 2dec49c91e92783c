import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeError, writeReply } from './model-server-answers.ts';
import { callFor } from './model-server-calls.ts';
import { readCall } from './model-server-incoming.ts';
import type { Asked } from './model-server-incoming.ts';
import { conversationOf, gateOf, newPlay, ruleFor, stepOf, unscripted } from './model-server-play.ts';
import type { Play } from './model-server-play.ts';
import { writeJson } from './model-server-reply.ts';
import type { Piece } from './model-server-reply.ts';
import { readRequest } from './model-server-request.ts';
import type { ModelRequest } from './model-server-request.ts';
import { answerOf } from './model-server-script.ts';
import type { Action, Answer, Api, Script } from './model-server-script.ts';

/** A request that came, and what was answered. What does not apply is null. */
export type ModelRecord = Pick<Asked, 'method' | 'path' | 'headers' | 'body' | 'model' | 'stream' | 'session'> & {
  readonly api: Api | null;
  /** The name of the rule that served; `aux` for a request without tools that no rule wanted. */
  readonly rule: string | null;
  readonly round: number;
  readonly step: number;
  readonly tools: readonly string[];
  readonly system: string;
  readonly prompt: string;
  readonly lastUser: string;
  readonly lastTool: string;
  readonly schema: unknown;
  readonly cwd: string;
  /** One line about the answer. */
  reply: string;
  /** The client went away before the answer was complete. */
  clientGone: boolean;
};

/** A model that follows a script, on a port of the loopback interface. */
export type ModelServer = {
  readonly url: string;
  /** Every request, in order of arrival. */
  readonly records: readonly ModelRecord[];
  /** Takes another script; rounds are counted anew. */
  setScript(script: Script): void;
  /** Lets all requests go on that wait at a gate. */
  release(gate: string): void;
  /** Resolves once a request waits at a gate. */
  reached(gate: string): Promise<void>;
  close(): Promise<void>;
};

/**
 * Starts a scripted model that speaks Anthropic's, OpenAI's and Gemini's protocols, so that real coding agents run unmodified against
 * it: their tools, sandboxes and streams are real, only the model is not. A path may begin with `/s/NAME`, which chooses the rules of
 * that scenario. `model-server-script.ts` says what a script is.
 */
export async function startModelServer({ script = { rules: [] } }: { readonly script?: Script } = {}): Promise<ModelServer> {
  let play = newPlay(script);
  const records: ModelRecord[] = [];
  const server = createServer((request, response) => {
    void answer({ play, records, response }, request).catch((error: unknown) => {
      // A mistake in a script has to be seen, by the client and in the test's output.
      process.stderr.write(`model server: ${String(error)}\n`);
      if (response.headersSent) response.destroy();
      else writeJson(response, 500, { error: { message: String(error) } });
    });
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the model server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    records,
    setScript: (next) => Object.assign(play, newPlay(next), { records, gates: play.gates }),
    release: (gate) => gateOf(play, gate).open(),
    reached: async (gate) => await gateOf(play, gate).reached,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Stage = { readonly play: Play; readonly records: ModelRecord[]; readonly response: ServerResponse };

async function answer({ play, records, response }: Stage, incoming: IncomingMessage): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const asked = readCall(incoming, Buffer.concat(chunks).toString('utf8'));
  if (asked.api === null) {
    records.push(recordOf(asked, { reply: asked.endpoint }));
    return answerAside(asked, response);
  }
  const request = readRequest(asked.api, asked.body);
  const rule = ruleFor(play.script, asked, request);
  const conversation = rule === null ? null : conversationOf(play, rule, { request, session: asked.session });
  const round = conversation?.round ?? 0;
  const names = {
    cwd: request.cwd,
    prompt: request.prompt,
    lastTool: request.lastTool,
    model: asked.model,
    round: String(round + 1),
    step: String(request.step + 1),
  };
  const turn = answerOf(rule === null ? unscripted(request) : stepOf(rule, round, request.step), names);
  const record = recordOf(asked, { request, rule: rule?.name ?? (request.tools.length > 0 ? null : 'aux'), round });
  records.push(record);
  response.once('close', () => {
    record.clientGone = !response.writableFinished;
  });
  if (turn.delayMs !== undefined) await sleep(turn.delayMs);
  const outcome = await act(play, turn, { request, response, key: `${rule?.name}|${round}|${request.step}` });
  if (outcome.kind === 'hang') record.reply = 'hang';
  else if (outcome.kind === 'error') {
    record.reply = `HTTP ${outcome.error.error}`;
    writeError(asked.api, response, outcome.error);
  } else {
    record.reply = outcome.pieces.map(describePiece).join(' | ');
    // A search for tools is a prelude, and a cut answer is asked for again.
    if (conversation !== null && request.step === 0 && !outcome.cut && outcome.pieces.every(({ kind }) => kind !== 'search')) {
      conversation.answered = true;
    }
    if (response.destroyed) return;
    const { chunk = 4096, chunkMs = 0 } = turn;
    const { input = 1000, output = 100, cached = 0, reasoning = 0 } = { ...play.script.usage, ...turn.usage };
    const usage = { input, output, cached, reasoning };
    await writeReply(asked.api, { response, ...asked, ...outcome, usage, chunk, chunkMs });
  }
}

function answerAside({ endpoint, method, path, text }: Asked, response: ServerResponse): void {
  const tokens = Math.ceil(text.length / 4);
  if (endpoint === 'count') return writeJson(response, 200, { input_tokens: tokens, totalTokens: tokens });
  if (endpoint === 'unknown')
    return writeJson(response, 404, { error: { message: `no such endpoint: ${method} ${path}`, type: 'not_found' } });
  const data = [{ id: 'scripted-1', object: 'model', owned_by: 'scripted', type: 'model', display_name: 'scripted-1' }];
  writeJson(response, 200, { object: 'list', data, has_more: false });
}

function recordOf(asked: Asked, more: { request?: ModelRequest; rule?: string | null; round?: number; reply?: string }): ModelRecord {
  const { api, method, path, headers, body, model, stream, session } = asked;
  const { request, rule = null, round = 0, reply = '' } = more;
  const tools = request?.tools.map(({ name, namespace }) => (namespace === null ? name : `${namespace}/${name}`)) ?? [];
  const { system = '', prompt = '', lastUser = '', lastTool = '', schema = null, cwd = '', step = 0 } = request ?? {};
  const said = { system, prompt, lastUser, lastTool, schema, cwd, step };
  return { api, method, path, headers, body, model, stream, session, rule, round, tools, ...said, reply, clientGone: false };
}

type Outcome =
  | { readonly kind: 'hang' }
  | { readonly kind: 'error'; readonly error: Extract<Action, { error: number }> }
  | { readonly kind: 'reply'; readonly pieces: readonly Piece[]; readonly cut: boolean };

type Scene = { readonly request: ModelRequest; readonly response: ServerResponse; readonly key: string };

async function act(play: Play, { actions }: Answer, { request, response, key }: Scene): Promise<Outcome> {
  const pieces: Piece[] = [];
  let cut = false;
  for (const [index, action] of actions.entries()) {
    if ('error' in action) {
      const count = (play.errors.get(`${key}|${index}`) ?? 0) + 1;
      play.errors.set(`${key}|${index}`, count);
      if (count <= (action.times ?? Infinity)) return { kind: 'error', error: action };
    } else if ('hang' in action) return { kind: 'hang' };
    else if ('gate' in action) {
      const gate = gateOf(play, action.gate);
      gate.arrive();
      await Promise.race([gate.opened, once(response, 'close')]);
    } else if ('cut' in action) cut = true;
    else pieces.push(pieceOf(action, request));
  }
  return { kind: 'reply', pieces: pieces.length > 0 ? pieces : [{ kind: 'text', text: 'ok' }], cut };
}

type Spoken = Exclude<Action, { error: number } | { hang: true } | { gate: string } | { cut: true }>;

function pieceOf(action: Spoken, request: ModelRequest): Piece {
  if ('text' in action) return { kind: 'text', text: action.text };
  if ('think' in action) return { kind: 'think', text: action.think };
  if (!('json' in action)) return callFor(action, request);
  const output = request.tools.find(({ name }) => name === 'StructuredOutput');
  if (output === undefined) return { kind: 'text', text: JSON.stringify(action.json) };
  return callFor({ tool: output.name, args: Object(action.json) }, request);
}

function describePiece(piece: Piece): string {
  if (piece.kind === 'search') return `tool_search(${piece.query})`;
  return piece.kind === 'call'
    ? `${piece.name}(${JSON.stringify(piece.input).slice(0, 200)})`
    : `${piece.kind}: ${piece.text.slice(0, 80)}`;
}
