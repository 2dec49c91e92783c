import type { Loop } from '../../core/loop.ts';
import { proofProblem } from '../../core/proof.ts';
import type { Desk } from '../../engine/desk.ts';
import { artefactsOf, isGrowing } from '../../engine/loop-artefacts.ts';
import { sessionPrompt } from '../../engine/session-prompt.ts';
import type { artefactsContract } from '../contract/artefacts.ts';
import type { ReplyOf } from '../contract/route.ts';
import { pageOf } from '../cursor.ts';
import { findLoop, notThere } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';

const MOST_PROMPT_CHARS = 1_000_000;

/** Shows what loops have written, checks it again, and brings it over. */
export function artefactsRoutes(desk: Desk): Handlers<typeof artefactsContract> {
  const { artefacts } = desk.engine;
  return {
    listArtefacts: async ({ params, query }) => {
      const { items, ...page } = pageOf(artefactsOf(await findLoop(desk, params.id)), query);
      const sized = await Promise.all(items.map(async (one) => ({ ...one, bytes: await artefacts.bytes(one.path) })));
      return { artefacts: sized, ...page };
    },
    readArtefact: async ({ params: { id, name }, query }) => {
      const loop = await findLoop(desk, id);
      const named = artefactsOf(loop).find((one) => one.name === name);
      const found = named === undefined ? null : await artefacts.read(named.path, query);
      // Between the start of a session and its first word there is no file.
      const read = found ?? (isGrowing(loop, name) ? { text: '', bytes: 0, offset: 0, next: null } : null);
      if (read === null) throw notThere('artefact of this name', `See GET /api/loops/${loop.id}/artefacts.`);
      return { name, ...read };
    },
    readPrompt: async ({ params: { id, name } }) => {
      const loop = await findLoop(desk, id);
      const text = await sessionPrompt(artefacts, loop, name);
      if (text === null) throw notThere('prompt of this name', `See GET /api/loops/${loop.id}/sessions for their transcripts.`);
      return { name, text: text.slice(0, MOST_PROMPT_CHARS), cut: text.length > MOST_PROMPT_CHARS };
    },
    listProofs: async ({ params, query }) => {
      const { items, ...page } = pageOf(proofsOf(await findLoop(desk, params.id)), query);
      return { proofs: items, ...page };
    },
    verifyLoop: async ({ params }) => {
      const { id } = await findLoop(desk, params.id);
      const { loop, checks, verification } = await desk.results.verify(id);
      return { loop: id, head: loop.head?.commit ?? null, ...verification, checks: [...checks] };
    },
    landLoop: async ({ params, body }, { stops: signal }) => {
      const { id } = await findLoop(desk, params.id);
      const landed = await desk.results.land(id, { ...body, signal });
      // What waits for this task may start from it.
      desk.stir();
      return { loop: id, ...landed, files: [...landed.files] };
    },
  };
}

type Proofs = ReplyOf<typeof artefactsContract.listProofs>['proofs'];

function proofsOf({ head, rounds }: Loop): Proofs {
  return rounds.flatMap(({ round, reviews }) =>
    reviews.map(({ member, proof }) => ({
      round,
      member,
      proof,
      problem: head === null ? 'there is no commit' : (proofProblem(proof, head)?.detail ?? null),
    })),
  );
}
