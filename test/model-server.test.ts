import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startModelServer } from './support/model-server.ts';
import type { ModelServer } from './support/model-server.ts';
import type { Script, Step } from './support/model-server-script.ts';

let server: ModelServer;
before(async () => {
  server = await startModelServer();
});
after(async () => await server.close());

const TOOLS = [{ type: 'function', name: 'exec_command', parameters: {} }];

function steps(...list: readonly Step[]): Script {
  return { rules: [{ name: 'only', steps: list }] };
}

async function ask(path: string, body: object): Promise<Response> {
  return await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

function said(text: string): object {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}

async function respond(input: readonly object[], more: object = {}): Promise<string> {
  return await (await ask('/v1/responses', { model: 'm', tools: TOOLS, input, ...more })).text();
}

test('every protocol carries the same words, tool calls and tokens, in a stream or at once', async () => {
  server.setScript(steps([{ text: 'hello' }, { shell: 'ls' }]));
  const usage = { input: 1000, output: 100 };
  const anthropic = { messages: [{ role: 'user', content: 'go' }], tools: [{ name: 'Bash', input_schema: {} }] };
  const chat = { messages: [{ role: 'user', content: 'go' }], tools: [{ type: 'function', function: { name: 'bash', parameters: {} } }] };
  const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
  const gemini = { contents, tools: [{ functionDeclarations: [{ name: 'run_shell_command', parameters: {} }] }] };
  const asked: readonly (readonly [path: string, body: object, call: string, tokens: string])[] = [
    ['/v1/messages', { model: 'm', ...anthropic }, 'Bash', `"input_tokens":${usage.input}`],
    ['/v1/messages', { model: 'm', stream: true, ...anthropic }, 'Bash', `"output_tokens":${usage.output}`],
    ['/v1/responses', { model: 'm', input: [said('go')], tools: TOOLS }, 'exec_command', `"total_tokens":${usage.input + usage.output}`],
    ['/v1/responses', { model: 'm', stream: true, input: [said('go')], tools: TOOLS }, 'exec_command', `"input_tokens":${usage.input}`],
    ['/v1/chat/completions', { model: 'm', ...chat }, 'bash', `"prompt_tokens":${usage.input}`],
    ['/v1/chat/completions', { model: 'm', stream: true, ...chat }, 'bash', `"completion_tokens":${usage.output}`],
    ['/v1beta/models/m:generateContent', gemini, 'run_shell_command', `"promptTokenCount":${usage.input}`],
    ['/v1beta/models/m:streamGenerateContent?alt=sse', gemini, 'run_shell_command', `"candidatesTokenCount":${usage.output}`],
  ];
  for (const [path, body, call, tokens] of asked) {
    const answer = await (await ask(path, body)).text();
    for (const part of ['hello', `"name":"${call}"`, 'ls', tokens]) assert.ok(answer.includes(part), `${path} lacks ${part}: ${answer}`);
    assert.equal(server.records.at(-1)?.model, 'm');
  }
});

test('a step is chosen by the tool results in the request, and a round by the conversation', async () => {
  server.setScript({ rules: [{ name: 'work', rounds: [[{ shell: 'one' }, { text: 'first {{lastTool}}' }], [{ text: 'second' }]] }] });
  const result = [
    { type: 'function_call', name: 'exec_command', call_id: 'c', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c', output: 'seen' },
  ];
  assert.match(await respond([said('go')]), /one/);
  assert.match(await respond([said('go'), ...result]), /first seen/);
  assert.match(await respond([said('go')]), /second/);
  assert.match(await respond([said('go')]), /second/);
});

test('rules are chosen by scenario, prompt, protocol and tools', async () => {
  server.setScript({
    rules: [
      { name: 'scenario', scenario: 'one', steps: [{ text: 'in scenario' }] },
      { name: 'titles', when: { tools: false }, steps: [{ text: 'a title' }] },
      { name: 'review', when: { prompt: 'Review \\d+', api: 'responses' }, steps: [{ text: 'reviewed {{m:Review (\\d+)}}' }] },
    ],
  });
  assert.match(await (await ask('/s/one/v1/responses', { input: [said('x')], tools: TOOLS })).text(), /in scenario/);
  assert.match(await respond([said('x')], { tools: [] }), /a title/);
  assert.match(await respond([said('Review 29')]), /reviewed 29/);
  assert.match(await respond([said('x')]), /No rule of the script fits/);
});

test('an error comes as often as the script says, with the words that it names', async () => {
  server.setScript(steps([{ error: 429, times: 1, retryAfter: 3, headers: { 'x-limit': 'day' }, message: 'too many' }, { text: 'fine' }]));
  const refused = await ask('/v1/responses', { input: [said('go')], tools: TOOLS });
  assert.deepEqual([refused.status, refused.headers.get('retry-after'), refused.headers.get('x-limit')], [429, '3', 'day']);
  assert.match(await refused.text(), /too many/);
  assert.match(await respond([said('go')]), /fine/);
  server.setScript(steps({ error: 400, body: { error: { type: 'mine' } } }));
  assert.equal(await respond([said('go')]), '{"error":{"type":"mine"}}');
});

test('a gate holds an answer back until the test releases it', async () => {
  server.setScript(steps([{ gate: 'door' }, { text: 'through' }]));
  const answer = respond([said('go')]);
  await server.reached('door');
  assert.equal(server.records.at(-1)?.reply, '');
  server.release('door');
  assert.match(await answer, /through/);
});

test('a cut answer breaks the connection, and the same step is asked for again', async () => {
  server.setScript({ rules: [{ name: 'cut', rounds: [[[{ cut: true }, { text: 'never whole' }]], [{ text: 'another round' }]] }] });
  await assert.rejects(respond([said('go')], { stream: true }));
  await assert.rejects(respond([said('go')], { stream: true }));
  assert.equal(server.records.at(-1)?.round, 0);
});

test('a client that goes away is noticed', async () => {
  server.setScript(steps([{ gate: 'shut' }, { text: 'late' }]));
  const leaving = new AbortController();
  const body = JSON.stringify({ input: [said('go')], tools: TOOLS });
  const answer = fetch(`${server.url}/v1/responses`, { method: 'POST', body, signal: leaving.signal });
  await server.reached('shut');
  leaving.abort();
  await assert.rejects(answer);
  while (server.records.at(-1)?.clientGone !== true) await new Promise(setImmediate);
});

test('a demanded schema is answered by the smallest value that follows it where no rule fits', async () => {
  server.setScript({ rules: [] });
  const schema = { type: 'object', required: ['title', 'tags'], properties: { title: { type: 'string' }, tags: { type: 'array' } } };
  assert.ok((await respond([said('x')], { tools: [], text: { format: { schema } } })).includes(JSON.stringify('{"title":"ok","tags":[]}')));
});
