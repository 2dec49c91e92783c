import { z } from 'zod';
import { LoopNumber, LoopUid } from '../../core/loop-name.ts';

/** The parts of the API, as its description groups them. */
export type Tag =
  | 'review-loop'
  | 'tasks'
  | 'loops'
  | 'findings'
  | 'comments'
  | 'changes'
  | 'journal'
  | 'artefacts'
  | 'agents'
  | 'settings'
  | 'analytics'
  | 'server';

/** One route: what is asked, and what is answered. `path` is written as `/api/loops/:id`. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/api/${string}`;
  readonly tag: Tag;
  /** One sentence on what it does, for people who read the description. */
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: z.ZodType;
  readonly reply: z.ZodType;
  /** With what a success is answered. */
  readonly status: 200 | 201 | 202;
  /** With what else, where nothing was made. */
  readonly orStatus?: 200;
  /** `page`: asks for no token, only for the right host and origin. */
  readonly access: 'token' | 'page';
  /** `alone`: a cookie counts without the key of its page; `never`: only the token does. */
  readonly cookie?: 'alone' | 'never';
};

/** Nothing; what a route without parameters or a body takes. */
export const Nothing = z.object({});

type Given = Pick<Route, 'method' | 'path' | 'tag' | 'summary' | 'reply'> & Partial<Route>;
type Plain = { readonly params: typeof Nothing; readonly query: typeof Nothing; readonly body: typeof Nothing };
type Filled<G extends Given> = Omit<Plain, keyof G> & G & Pick<Route, 'status' | 'access'>;

/** A route with nothing set but what is given. */
export function route<const G extends Given>(given: G): Filled<G> {
  return { params: Nothing, query: Nothing, body: Nothing, status: 200, access: 'token', ...given };
}

/** What a handler gets: parsed, so that it can be trusted. */
export type RequestOf<R extends Pick<Route, 'params' | 'query' | 'body'>> = {
  readonly params: z.output<R['params']>;
  readonly query: z.output<R['query']>;
  readonly body: z.output<R['body']>;
};

/** What a handler answers; what the contract does not name does not travel. */
export type ReplyOf<R extends Pick<Route, 'reply'>> = z.input<R['reply']>;

/** What a route takes and nothing beside it: a name that nobody knows is a mistake that is better told. */
export function strictly(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject && schema.def.catchall === undefined ? schema.strict() : schema;
}

const DIGITS = /^(?:0|[1-9][0-9]{0,15})$/;

/** A whole number in a path or a query: digits alone, so that there is one way to write it. Programs may give the number itself. */
export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER) {
  return z
    .union([z.string().regex(DIGITS, { error: 'must be a whole number' }).transform(Number), z.number()])
    .pipe(z.number().int().min(least).max(most))
    .meta({ anyOf: undefined, type: 'integer', minimum: least, maximum: most });
}

/** A loop in a path: its number, or its uid. */
export const LoopName = z.union([
  z
    .string()
    .regex(/^[1-9][0-9]{0,14}$/, { error: 'must be the number of a loop, or its uid' })
    .transform(Number),
  LoopUid,
  LoopNumber,
]);
export type LoopName = z.output<typeof LoopName>;

/** The loop that a path names. */
export const LoopParams = z.object({ id: LoopName });

/** The finding of a loop that a path names by its number, which is the 4 of 29.4. */
export const FindingParams = LoopParams.extend({ number: whole(1, 1_000_000) });

/** How much of a list is asked for, and from where on: `cursor` is the `next` of the page before. */
export const Page = z.object({ limit: whole(1, 500).default(100), cursor: z.string().max(200).optional() });

/** What stands beside a page of a list: how long the whole is, and the cursor of the next page, which is null at the end. */
export const PAGE_END = { total: z.number().int().nonnegative(), next: z.string().nullable() };

/** A switch in a query, where everything is text. */
export const Flag = z
  .preprocess((value: boolean | 'true' | 'false') => String(value), z.enum(['true', 'false']))
  .transform((text) => text === 'true')
  .meta({ type: 'boolean', enum: undefined });
