import { z } from 'zod';
import { LoopNumber } from '../../core/loop-name.ts';
import { ErrorOutput, EventOutput } from '../../core/output.ts';
import { ReviewLoopEvent } from '../../core/review-loop-events.ts';
import { ListedLoop } from './loops.ts';

/** What can be followed: seed 002's events, every entry of the journals, and what agents say while they work. */
export const LiveTopic = z.enum(['review-loop', 'journal', 'output']);
export type LiveTopic = z.infer<typeof LiveTopic>;

/** The number of a frame: it grows over the whole project, and a client goes on behind the last one that it has seen. */
export const FrameSeq = z.number().int().nonnegative();

const MOST_LOOPS = 200;
const MOST_OUTPUT_LOOPS = 50;

/** Asks for topics, in the place of whatever was asked for before. */
export const Subscribe = z
  .strictObject({
    type: z.literal('subscribe'),
    topics: z.array(LiveTopic).min(1).max(LiveTopic.options.length),
    /** Only of these; left out, of all. Output has to be asked for by loop. */
    loops: z.array(LoopNumber).max(MOST_LOOPS).exactOptional(),
    /** Go on behind this frame; left out, from now on, or from where the client is if it had asked before. */
    after: FrameSeq.exactOptional(),
    /**
     * From which byte on to go on with a transcript, by its path; one that is not named comes from its beginning. Left out, only
     * what is said from now on.
     */
    outputAfter: z.record(z.string().max(300), z.number().int().nonnegative()).exactOptional(),
  })
  .refine(({ topics, loops }) => !topics.includes('output') || (loops !== undefined && loops.length <= MOST_OUTPUT_LOOPS), {
    error: `needs the numbers of at most ${MOST_OUTPUT_LOOPS} loops in 'loops' where output is a topic`,
  });
export type Subscribe = z.infer<typeof Subscribe>;

/** Asks for nothing any more; the socket stays open. */
export const Unsubscribe = z.strictObject({ type: z.literal('unsubscribe') });

/** Asks whether the server is there, and how far this client is. */
export const Ping = z.strictObject({ type: z.literal('ping') });

/** What a client may say. */
export const ClientFrame = z.discriminatedUnion('type', [Subscribe, Unsubscribe, Ping]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** The first frame: everything up to `seq` has happened already. */
const Hello = z.object({ type: z.literal('hello'), v: z.literal(1), seq: FrameSeq });

/** The subscription holds; its frames come behind `seq`. */
const Subscribed = z.object({
  type: z.literal('subscribed'),
  topics: z.array(LiveTopic),
  loops: z.array(z.number()).nullable(),
  seq: FrameSeq,
  /** By transcript, from which byte on output comes; null where nobody asked for it. */
  outputAfter: z.record(z.string(), z.number()).nullable(),
});

/** One of seed 002's events, with its payload to the letter. */
const ReviewLoopFrame = z.discriminatedUnion('type', framesOf(ReviewLoopEvent.options));

/** An entry of a loop's journal; `seq` in it counts within the loop, that of the frame over the whole project. */
export const JournalFrame = z.object({ type: z.literal('event'), seq: FrameSeq, payload: EventOutput });
export type JournalFrame = z.infer<typeof JournalFrame>;

/** Something happened to a loop whose journal this server cannot read: it is damaged, or a newer version wrote it. */
export const Unreadable = z.object({ type: z.literal('unreadable'), seq: FrameSeq, loop: z.number() });
export type Unreadable = z.infer<typeof Unreadable>;

/** Something that an agent said, from the byte `offset` of its transcript up to `next`. */
const OutputFrame = z.object({
  type: z.literal('output'),
  loop: z.number(),
  transcript: z.string(),
  offset: z.number(),
  next: z.number(),
  text: z.string(),
});

/**
 * In the place of frames that this client was too slow, or too long away, for: the loops that changed since then, as they are now;
 * null where they are too many, so that the list is to be fetched anew. Frames go on behind `seq`.
 */
const Snapshot = z.object({ type: z.literal('snapshot'), seq: FrameSeq, loops: z.array(ListedLoop).nullable() });

/** The answer to a ping: the client has got every frame up to `seq`. */
const Pong = z.object({ type: z.literal('pong'), seq: FrameSeq });

/** What the server says. */
export const ServerFrame = z.discriminatedUnion('type', [
  Hello,
  Subscribed,
  ReviewLoopFrame,
  JournalFrame,
  Unreadable,
  OutputFrame,
  Snapshot,
  Pong,
  ErrorOutput,
]);
export type ServerFrame = z.infer<typeof ServerFrame>;

type Named = z.ZodObject<{ name: z.ZodLiteral<string>; payload: z.ZodType }>;
type FrameOf<E extends Named> = z.ZodObject<{ type: E['shape']['name']; seq: typeof FrameSeq; payload: E['shape']['payload'] }>;

function framesOf<const E extends readonly Named[]>(events: E): { [I in keyof E]: FrameOf<E[I]> } {
  const frames = events.map(({ shape }) => z.object({ type: shape.name, seq: FrameSeq, payload: shape.payload }));
  // A frame for each event, in their order: the types of a list do not survive its map.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return frames as unknown as { [I in keyof E]: FrameOf<E[I]> };
}
