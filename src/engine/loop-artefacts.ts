import type { Loop } from '../core/loop.ts';
import { sessionViews, transcriptName } from '../core/project-view.ts';
import { twinPath } from '../core/writers/artefact-path.ts';
import { documentPath } from './artefacts.ts';

/** A file that a loop has written: by which name it is asked for, and where it lies below the project's root. */
export type LoopArtefact = { readonly name: string; readonly kind: 'document' | 'twin' | 'transcript'; readonly path: string };

/** Transcripts lie here and nowhere else, whatever a journal from elsewhere says. */
const TRANSCRIPT = /^\.volley\/transcripts\/[^/\\]+$/;

/** The files that belong to a loop, each under a name of its own, whether they are there or not. */
export function artefactsOf(loop: Loop): readonly LoopArtefact[] {
  const rounds = loop.imported === null ? loop.rounds : loop.rounds.filter(({ round }) => isOurs(documentPath(loop, round)));
  const documents = rounds.flatMap(({ round }): LoopArtefact[] => {
    const path = documentPath(loop, round);
    return [
      { name: `review-${round}.md`, kind: 'document', path },
      { name: `review-${round}.json`, kind: 'twin', path: twinPath(path) },
    ];
  });
  const paths = new Set([
    ...loop.sessions.flatMap(({ transcript }) => (transcript !== null && TRANSCRIPT.test(transcript) ? [transcript] : [])),
    ...growing(loop).map((name) => `.volley/transcripts/${name}`),
  ]);
  const transcripts = [...paths].map((path): LoopArtefact => ({ name: transcriptName(path), kind: 'transcript', path }));
  return [...documents, ...transcripts];
}

/** Whether an artefact is the transcript of a session at work: it may not be there yet, and it is not whole. */
export function isGrowing(loop: Loop, name: string): boolean {
  return growing(loop).includes(name);
}

function growing(loop: Loop): readonly string[] {
  return sessionViews(loop).flatMap(({ endedAt, transcript }) => (endedAt === null && transcript !== null ? [transcript] : []));
}

/** What came with a file from elsewhere names no place of the project but Volley's own. */
function isOurs(path: string): boolean {
  return path.startsWith('.volley/');
}
