import { createHash } from 'node:crypto';
import type { Loop } from '../core/loop.ts';
import { transcriptName } from '../core/project-view.ts';
import { promptsIn } from '../core/transcript-prompt.ts';
import type { Artefacts } from './engine.ts';
import { artefactsOf } from './loop-artefacts.ts';

const STRETCH_BYTES = 1024 * 1024;

/**
 * What an agent was told in the session whose transcript has this name; null where there is none. Of a review the proof tells where the
 * prompt ends, also where the change quotes the line behind it; else it is taken to end at the first of these.
 */
export async function sessionPrompt(artefacts: Pick<Artefacts, 'read'>, loop: Loop, name: string): Promise<string | null> {
  const found = artefactsOf(loop).find((one) => one.kind === 'transcript' && one.name === name);
  const text = found === undefined ? null : await readWhole(artefacts, found.path);
  if (text === null) return null;
  const { prompts } = promptsIn(text);
  const hashes = loop.rounds
    .flatMap(({ reviews }) => reviews)
    .flatMap(({ session, proof }) =>
      typeof session?.transcript === 'string' && transcriptName(session.transcript) === name ? [proof.promptSha256] : [],
    );
  const proved = hashes.length === 0 ? undefined : prompts.find((prompt) => hashes.includes(sha256(prompt)));
  return proved ?? prompts[0] ?? null;
}

async function readWhole(artefacts: Pick<Artefacts, 'read'>, path: string): Promise<string | null> {
  const parts: string[] = [];
  let offset: number | null = 0;
  while (offset !== null) {
    const stretch: Awaited<ReturnType<Artefacts['read']>> = await artefacts.read(path, { offset, limit: STRETCH_BYTES });
    if (stretch === null) return null;
    parts.push(stretch.text);
    offset = stretch.next;
  }
  return parts.join('');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
