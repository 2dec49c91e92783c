import { isRecord } from '../core/readers/coerce.ts';
import { publishedInput, RESULT_TOOLS } from '../core/readers/tool-inputs.ts';
import type { Role } from '../core/settings.ts';

/** What a result need not say: which loop it belongs to, and what it cost, are known better without. */
const KNOWN = ['loopId', 'taskId', 'usage'];

/** The schema of a role's result as OpenAI takes it for the last message. */
export function answerSchema(role: Role): object {
  const { properties, ...schema } = publishedInput(RESULT_TOOLS[role]);
  const asked = isRecord(properties) ? Object.entries(properties).filter(([name]) => !KNOWN.includes(name)) : [];
  return strictSchema({ ...schema, properties: Object.fromEntries(asked) });
}

/** The same schema with nothing left open: every property has to be written, null stands for one that could be left out. */
export function strictSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { properties, required, items, additionalProperties: _, ...rest } = schema;
  const known = {
    ...rest,
    ...(isRecord(items) ? { items: strictSchema(items) } : {}),
    ...eachOption(rest),
  };
  if (!isRecord(properties)) return known;
  const must: readonly unknown[] = Array.isArray(required) ? required : [];
  const entries = Object.entries(properties).map(([name, inner]): [string, unknown] => {
    const strict = strictSchema(isRecord(inner) ? inner : {});
    return [name, must.includes(name) ? strict : nullable(strict)];
  });
  return { ...known, properties: Object.fromEntries(entries), required: entries.map(([name]) => name), additionalProperties: false };
}

function eachOption({ anyOf }: Readonly<Record<string, unknown>>): object {
  return Array.isArray(anyOf) ? { anyOf: anyOf.map((option: unknown) => (isRecord(option) ? strictSchema(option) : option)) } : {};
}

function nullable(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type, enum: words, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const types: unknown[] = Array.isArray(type) ? type : [type];
  // What has no type could be anything, null included.
  if (type === undefined || types.includes('null')) return { ...schema };
  return { ...schema, type: [...types, 'null'], ...(Array.isArray(words) ? { enum: [...words, null] } : {}) };
}
