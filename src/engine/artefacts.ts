import type { Loop, Round } from '../core/loop.ts';
import { artefactPath, twinPath } from '../core/writers/artefact-path.ts';
import { writeReviewDocument } from '../core/writers/review-document.ts';
import { writeReviewTwin } from '../core/writers/review-twin.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { Engine } from './engine.ts';

/** Where the document of a round lies, relative to the project's root. */
export function documentPath(loop: Loop, round: number): string {
  const date = loop.createdAt.slice(0, 10).replaceAll('-', '');
  return artefactPath(loop.settings.artefactPath, { date, id: loop.id, ref: loop.task.ref, round });
}

/** Writes the documents of every round that has none yet, so that a crash after the review loses nothing. */
export async function ensureArtefacts(engine: Engine, loop: Loop): Promise<void> {
  for (const round of loop.rounds) {
    if (round === loop.rounds.at(-1) || !(await engine.artefacts.exists(documentPath(loop, round.round))))
      await writeRound(engine, loop, round);
  }
}

async function writeRound(engine: Engine, loop: Loop, round: Round): Promise<void> {
  const path = documentPath(loop, round.round);
  await engine.artefacts.write(path, writeReviewDocument({ loop, round }));
  await failpoint('between documents');
  await engine.artefacts.write(twinPath(path), writeReviewTwin({ loop, round }));
}
