import type { z } from 'zod';
import { VolleyError } from '../core/errors.ts';
import { strictly } from './contract/route.ts';
import type { RequestOf, Route } from './contract/route.ts';
import { plainWords } from './plain-words.ts';

/** A request as it came. */
export type Raw = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** A request as its route declares it; every mistake in it is told at once. */
export function readRequest<R extends Pick<Route, 'params' | 'query' | 'body'>>(route: R, raw: Raw): RequestOf<R> {
  const parts = [
    ['path', route.params, raw.params],
    ['query', strictly(route.query), raw.query],
    ['body', strictly(route.body), raw.body === undefined ? {} : raw.body],
  ] as const;
  const [params, query, body] = parts.map(([, schema, value]) => schema.safeParse(value, { error: plainWords }));
  const problems = [params, query, body].flatMap((result, index) =>
    (result?.error?.issues ?? []).flatMap((issue) => problemsOf(parts[index]?.[0] ?? 'body', issue)),
  );
  if (problems.length > 0) {
    throw new VolleyError(
      'bad-request',
      `${problems.slice(0, MOST_PROBLEMS).join('; ')}.`,
      'See /api/openapi.json for what this route takes.',
    );
  }
  // All three were parsed by the route's own schemas.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { params: params?.data, query: query?.data, body: body?.data } as RequestOf<R>;
}

const MOST_PROBLEMS = 10;

/** What is wrong with a part of what was sent, as clauses. */
export function problemsOf(part: string, issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): readonly string[] {
  const path = [...above, ...issue.path];
  // Of several shapes the one that fits best tells what is wrong.
  const [best] = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => weightOf(a) - weightOf(b)) : [];
  if (best !== undefined) return best.flatMap((inner) => problemsOf(part, inner, path));
  const at = path.length === 0 ? `The ${part}` : `'${path.join('.')}' in the ${part}`;
  return [`${at} ${issue.message}`];
}

/** How far something is from a shape: a name that the shape does not know tells more than all that is wrong within one that it knows. */
function weightOf(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? STRANGE * issue.keys.length : 1), 0);
}

const STRANGE = 1000;
