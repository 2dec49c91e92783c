import { setTimeout as sleep } from 'node:timers/promises';
import { chunks, openStream, id, nameOf, objectInput, writeJson } from './model-server-reply.ts';
import type { Piece, Reply } from './model-server-reply.ts';

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: object };

/** Answers in the words of Anthropic's `messages`. */
export async function writeAnthropic(reply: Reply): Promise<void> {
  const { response, model, usage: used } = reply;
  const usage = {
    input_tokens: Math.max(0, used.input - used.cached),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: used.cached,
    output_tokens: used.output,
  };
  const content = reply.pieces.map(blockOf);
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const message = { id: id('msg_'), type: 'message', role: 'assistant', model, stop_sequence: null };
  if (!reply.stream) return writeJson(response, 200, { ...message, content, stop_reason, usage });
  const write = openStream(response);
  const send = (type: string, more: object = {}): void => write({ type, ...more }, type);
  send('message_start', { message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } } });
  for (const [index, block] of content.entries()) {
    send('content_block_start', { index, content_block: begun(block) });
    if (reply.cut) return void response.destroy();
    for (const delta of deltasOf(block, reply.chunk)) {
      send('content_block_delta', { index, delta });
      if (reply.chunkMs > 0) await sleep(reply.chunkMs);
    }
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  send('message_stop');
  response.end();
}

function blockOf(piece: Piece): Block {
  if (piece.kind === 'text') return { type: 'text', text: piece.text };
  if (piece.kind === 'think') return { type: 'thinking', thinking: piece.text, signature: 'c2NyaXB0ZWQ=' };
  return { type: 'tool_use', id: id('toolu_'), name: nameOf(piece), input: objectInput(piece) };
}

function begun(block: Block): Block {
  switch (block.type) {
    case 'text':
      return { ...block, text: '' };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'tool_use':
      return { ...block, input: {} };
  }
}

function deltasOf(block: Block, chunk: number): readonly object[] {
  switch (block.type) {
    case 'text':
      return chunks(block.text, chunk).map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        { type: 'thinking_delta', thinking: block.thinking },
        { type: 'signature_delta', signature: block.signature },
      ];
    case 'tool_use':
      return chunks(JSON.stringify(block.input), 4096).map((text) => ({ type: 'input_json_delta', partial_json: text }));
  }
}
