import type { z } from 'zod';
import { counted } from '../core/words.ts';

type Issue = z.core.$ZodRawIssue;

/** What is wrong with a value that was sent, as a claim that follows its name: "is missing", "must be a number". */
export function plainWords(issue: Issue): string {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return input === undefined ? 'is missing' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return input === undefined ? 'is missing' : `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
    case 'too_small':
      return isEmpty(issue)
        ? 'must not be empty'
        : `must ${bound(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? 'in the form that the route takes'}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.map((key) => `'${key}'`).join(', ')}`;
    case 'invalid_union':
      return isMissing(issue) ? 'is missing' : 'is of no kind that is known';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not valid';
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time, such as 2026-01-31T12:00:00Z',
  date: 'a day, such as 2026-01-31',
};

type Bound = Extract<Issue, { code: 'too_small' | 'too_big' }>;

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

function bound({ origin }: Bound, how: string, limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? `be ${how} ${limit}` : `have ${how} ${counted(Number(limit), unit)}`;
}

function isEmpty({ origin, minimum }: Extract<Issue, { code: 'too_small' }>): boolean {
  return UNITS[origin] !== undefined && minimum === 1;
}

/** Of several shapes nothing tells which one is meant. */
function isMissing({ input, discriminator }: Extract<Issue, { code: 'invalid_union' }>): boolean {
  if (discriminator === undefined) return input === undefined;
  return typeof input === 'object' && input !== null && !Object.hasOwn(input, discriminator);
}
