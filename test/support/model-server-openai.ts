import { setTimeout as sleep } from 'node:timers/promises';
import { chunks, openStream, id, nameOf, objectInput, seconds, textOf, writeJson } from './model-server-reply.ts';
import type { Piece, Reply } from './model-server-reply.ts';

/** Answers in the words of OpenAI's `responses`. */
export async function writeResponses(reply: Reply): Promise<void> {
  const { response, model, usage: used } = reply;
  const items = reply.pieces.map(responseItem);
  const usage = {
    input_tokens: used.input,
    input_tokens_details: { cached_tokens: used.cached },
    output_tokens: used.output,
    output_tokens_details: { reasoning_tokens: used.reasoning },
    total_tokens: used.input + used.output,
  };
  const whole = {
    id: id('resp_'),
    object: 'response',
    created_at: seconds(),
    status: 'completed',
    model,
    output: items,
    usage,
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  };
  if (!reply.stream) return writeJson(response, 200, whole);
  const write = openStream(response);
  let sequence_number = 0;
  const send = (type: string, more: object): void => write({ type, ...more, sequence_number: sequence_number++ }, type);
  send('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } });
  for (const [output_index, item] of items.entries()) {
    send('response.output_item.added', { output_index, item: begun(item) });
    if (reply.cut) return void response.destroy();
    const place = { item_id: item.id, output_index };
    if (item.type === 'message') {
      const part = { ...place, content_index: 0 };
      const [{ text }] = item.content;
      send('response.content_part.added', { ...part, part: { type: 'output_text', text: '', annotations: [] } });
      for (const delta of chunks(text, reply.chunk)) {
        send('response.output_text.delta', { ...part, delta });
        if (reply.chunkMs > 0) await sleep(reply.chunkMs);
      }
      send('response.output_text.done', { ...part, text });
      send('response.content_part.done', { ...part, part: item.content[0] });
    } else if (item.type === 'function_call') {
      send('response.function_call_arguments.delta', { ...place, delta: item.arguments });
      send('response.function_call_arguments.done', { ...place, arguments: item.arguments });
    }
    send('response.output_item.done', { output_index, item });
  }
  send('response.completed', { response: whole });
  response.end();
}

type ResponseItem = ReturnType<typeof responseItem>;

function begun(item: ResponseItem): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] };
  return item.type === 'function_call' ? { ...item, arguments: '', status: 'in_progress' } : item;
}

function responseItem(piece: Piece) {
  switch (piece.kind) {
    case 'text': {
      const content = [{ type: 'output_text', text: piece.text, annotations: [] }] as const;
      return { type: 'message', id: id('msg_'), role: 'assistant', status: 'completed', content } as const;
    }
    case 'think':
      return { type: 'reasoning', id: id('rs_'), summary: [{ type: 'summary_text', text: piece.text }], encrypted_content: null } as const;
    case 'search': {
      const base = { type: 'tool_search_call', id: id('ts_'), call_id: id('call_') } as const;
      return { ...base, execution: 'client', status: 'completed', arguments: { query: piece.query } } as const;
    }
    case 'call': {
      const namespace = piece.namespace === null ? {} : { namespace: piece.namespace };
      const base = { id: id('fc_'), call_id: id('call_'), name: piece.name, status: 'completed', ...namespace };
      if (typeof piece.input === 'string') return { ...base, type: 'custom_tool_call', input: piece.input } as const;
      return { ...base, type: 'function_call', arguments: JSON.stringify(piece.input) } as const;
    }
  }
}

/** Answers in the words of OpenAI's `chat/completions`. */
export async function writeChat(reply: Reply): Promise<void> {
  const { response, model, pieces, usage: used } = reply;
  const usage = {
    prompt_tokens: used.input,
    completion_tokens: used.output,
    total_tokens: used.input + used.output,
    prompt_tokens_details: { cached_tokens: used.cached },
    completion_tokens_details: { reasoning_tokens: used.reasoning },
  };
  const text = textOf(pieces, 'text');
  const tool_calls = pieces.flatMap((piece) =>
    piece.kind === 'call' || piece.kind === 'search'
      ? [{ id: id('call_'), type: 'function', function: { name: nameOf(piece), arguments: JSON.stringify(objectInput(piece)) } }]
      : [],
  );
  const finish = tool_calls.length > 0 ? 'tool_calls' : 'stop';
  const calls = tool_calls.length > 0 ? { tool_calls: tool_calls.map((one, index) => ({ index, ...one })) } : {};
  const base = { id: id('chatcmpl-'), object: 'chat.completion.chunk', created: seconds(), model };
  if (!reply.stream) {
    const message = { role: 'assistant', content: text === '' ? null : text, ...calls };
    return writeJson(response, 200, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage });
  }
  const write = openStream(response);
  const send = (delta: object, finish_reason: string | null = null): void =>
    write({ ...base, choices: [{ index: 0, delta, finish_reason }] });
  send({ role: 'assistant', content: '' });
  if (reply.cut) return void response.destroy();
  const thought = textOf(pieces, 'think');
  if (thought !== '') send({ reasoning_content: thought });
  for (const content of text === '' ? [] : chunks(text, reply.chunk)) {
    send({ content });
    if (reply.chunkMs > 0) await sleep(reply.chunkMs);
  }
  if (tool_calls.length > 0) send(calls);
  send({}, finish);
  write({ ...base, choices: [], usage });
  response.end('data: [DONE]\n\n');
}
