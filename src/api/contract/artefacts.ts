import { z } from 'zod';
import { Proof } from '../../core/proof.ts';
import { LoopParams, Page, PAGE_END, route, whole } from './route.ts';

const MOST_BYTES = 1024 * 1024;
/** The longest character of UTF-8, so that every answer gets on. */
const LEAST_BYTES = 4;

const count = z.number().int().nonnegative();
const bytes = z.number().int().nonnegative();

/** One thing that was looked at again. */
const CheckOutput = z.object({
  round: z.number().int().nullable(),
  what: z.string(),
  /** Null where it cannot be told. */
  ok: z.boolean().nullable(),
  detail: z.string(),
});

/** The routes about what a loop has written, and what proves its approval. */
export const artefactsContract = {
  listArtefacts: route({
    method: 'GET',
    path: '/api/loops/:id/artefacts',
    tag: 'artefacts',
    summary: 'The documents of a loop, their JSON twins and the transcripts of its sessions.',
    params: LoopParams,
    query: Page,
    reply: z.object({
      artefacts: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(['document', 'twin', 'transcript']),
          /** Relative to the project's root. */
          path: z.string(),
          /** Null where it is gone. */
          bytes: bytes.nullable(),
        }),
      ),
      ...PAGE_END,
    }),
  }),
  readArtefact: route({
    method: 'GET',
    path: '/api/loops/:id/artefacts/:name',
    tag: 'artefacts',
    summary: 'The text of an artefact, at most a megabyte at once; ask again from `next` until that is null.',
    params: LoopParams.extend({ name: z.string().max(500) }),
    query: z.object({
      offset: whole(0).default(0),
      limit: whole(LEAST_BYTES, MOST_BYTES).default(MOST_BYTES),
    }),
    reply: z.object({ name: z.string(), text: z.string(), bytes, offset: bytes, next: bytes.nullable() }),
  }),
  readPrompt: route({
    method: 'GET',
    path: '/api/loops/:id/artefacts/:name/prompt',
    tag: 'artefacts',
    summary: 'What an agent was told in a session, by the name of its transcript.',
    params: LoopParams.extend({ name: z.string().max(500) }),
    /** `cut` where it is longer than what is sent; the transcript holds all of it. */
    reply: z.object({ name: z.string(), text: z.string(), cut: z.boolean() }),
  }),
  listProofs: route({
    method: 'GET',
    path: '/api/loops/:id/proofs',
    tag: 'artefacts',
    summary: 'The proof of every review, oldest first, and whether it is one of the newest commit.',
    params: LoopParams,
    query: Page,
    reply: z.object({
      proofs: z.array(
        z.object({
          round: z.number().int(),
          member: z.string(),
          proof: Proof,
          /** Why it carries no verdict about the newest commit; null if it does. */
          problem: z.string().nullable(),
        }),
      ),
      ...PAGE_END,
    }),
  }),
  verifyLoop: route({
    method: 'POST',
    path: '/api/loops/:id/verify',
    tag: 'artefacts',
    summary: 'Checks everything again that a loop claims about its reviews and its approval; nothing is written.',
    params: LoopParams,
    reply: z.object({
      loop: z.number().int(),
      head: z.string().nullable(),
      /** True only of an approval by review that every check bears out. */
      holds: z.boolean(),
      why: z.string(),
      failed: count,
      unchecked: count,
      checks: z.array(CheckOutput),
    }),
  }),
  landLoop: route({
    method: 'POST',
    path: '/api/loops/:id/land',
    tag: 'loops',
    summary: 'Brings the work of an approved loop to a branch of yours, wholly or not at all; answers when it is there.',
    params: LoopParams,
    body: z.object({ onto: z.string().min(1).max(500).nullable().default(null) }),
    reply: z.object({
      loop: z.number().int(),
      onto: z.string(),
      kind: z.enum(['fast-forward', 'merged', 'applied', 'already']),
      from: z.string().nullable(),
      to: z.string().nullable(),
      /** Where `kind` is `applied`: the files of your working tree that changed. */
      files: z.array(z.string()),
    }),
  }),
};
