import { z } from 'zod';
import { VolleyError } from '../core/errors.ts';
import { jsonValue } from '../core/parse-json.ts';

/** The text by which the next page is asked for; nobody has to understand it. */
export function cursorOf(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** What a cursor says; one that is none of ours is a mistake. */
export function readCursor<S extends z.ZodType>(cursor: string, schema: S): z.output<S> {
  const parsed = schema.safeParse(jsonValue(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  throw new VolleyError('bad-request', 'The cursor does not belong to this list.', 'Ask for the first page again, without a cursor.');
}

const Index = z.tuple([z.literal('from'), z.number().int().nonnegative()]);

/** Which part of a list is asked for. */
type Asked = { readonly limit: number; readonly cursor?: string | undefined };
/** A part of a list, how long the whole is, and the cursor of the next part. */
type Part<T> = { readonly items: T[]; readonly total: number; readonly next: string | null };

/** The index at which the part begins that a cursor names. */
export function indexOf(cursor: string | undefined): number {
  return cursor === undefined ? 0 : readCursor(cursor, Index)[1];
}

/** The cursor of the part that begins at an index. */
export function cursorAt(index: number): string {
  return cursorOf(['from', index]);
}

/** A part of a list that only grows at its end. */
export function pageOf<T>(items: readonly T[], { limit, cursor }: Asked): Part<T> {
  const from = indexOf(cursor);
  const until = from + limit;
  return { items: items.slice(from, until), total: items.length, next: until < items.length ? cursorAt(until) : null };
}

/** What a list is ordered by: the key of an item, and whether an item comes behind a key. */
type Order<T, K extends z.ZodType> = {
  readonly key: K;
  keyOf(item: T): z.input<K>;
  isBehind(item: T, key: z.output<K>): boolean;
};

/** A part of a list in which items come and go anywhere: it goes on behind the last one that was given, also where that is gone. */
export function pageBehind<T, K extends z.ZodType>(items: readonly T[], { limit, cursor }: Asked, order: Order<T, K>): Part<T> {
  const key = cursor === undefined ? null : readCursor(cursor, order.key);
  const left = key === null ? items : items.filter((item) => order.isBehind(item, key));
  const given = left.slice(0, limit);
  const last = given.at(-1);
  return { items: given, total: items.length, next: last !== undefined && left.length > limit ? cursorOf(order.keyOf(last)) : null };
}
