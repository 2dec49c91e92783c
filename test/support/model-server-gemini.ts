import { setTimeout as sleep } from 'node:timers/promises';
import { chunks, openStream, id, nameOf, objectInput, writeJson } from './model-server-reply.ts';
import type { Piece, Reply } from './model-server-reply.ts';

/** Answers in the words of Gemini's `generateContent`. */
export async function writeGemini(reply: Reply): Promise<void> {
  const { response, usage: used } = reply;
  const usageMetadata = {
    promptTokenCount: used.input,
    candidatesTokenCount: used.output,
    totalTokenCount: used.input + used.output + used.reasoning,
    cachedContentTokenCount: used.cached,
    thoughtsTokenCount: used.reasoning,
  };
  const responseId = id('');
  const part = (parts: readonly object[], isLast: boolean): object => {
    const candidate = { content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) };
    return { candidates: [candidate], ...(isLast ? { usageMetadata } : {}), modelVersion: reply.model, responseId };
  };
  if (!reply.stream)
    return writeJson(
      response,
      200,
      part(
        reply.pieces.flatMap((piece) => geminiParts(piece, Infinity)),
        true,
      ),
    );
  const send = openStream(response);
  if (reply.cut) {
    send(part([{ text: 'partial' }], false));
    return void response.destroy();
  }
  const parts = reply.pieces.flatMap((piece) => geminiParts(piece, reply.chunk));
  for (const [index, one] of parts.entries()) {
    send(part([one], index === parts.length - 1));
    if (reply.chunkMs > 0) await sleep(reply.chunkMs);
  }
  response.end();
}

function geminiParts(piece: Piece, chunk: number): object[] {
  if (piece.kind === 'text') return chunks(piece.text, chunk).map((text) => ({ text }));
  if (piece.kind === 'think') return [{ text: piece.text, thought: true }];
  return [{ functionCall: { id: id('fc_'), name: nameOf(piece), args: objectInput(piece) }, thoughtSignature: 'c2NyaXB0ZWQ=' }];
}
