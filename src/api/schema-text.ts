import { counted } from '../core/words.ts';

type Json = Readonly<Record<string, unknown>>;

/** A JSON schema as people read it, in the notation of TypeScript; what it limits beyond that stands in a comment. */
export function schemaText(schema: unknown, depth = 0): string {
  return isGroup(schema) ? `${shapeText(schema, depth)}${limitsText(schema)}` : 'unknown';
}

function shapeText(schema: Json, depth: number): string {
  const { $ref, enum: options, const: constant, anyOf, oneOf, allOf, not, type } = schema;
  if (isGroup(not) && Object.keys(not).length === 0) return 'never';
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  if (Array.isArray(options)) return alternatives(options.map((one) => JSON.stringify(one)));
  if (constant !== undefined) return JSON.stringify(constant);
  const any = anyOf ?? oneOf;
  if (Array.isArray(any)) return alternatives(any.map((part) => schemaText(part, depth)));
  if (Array.isArray(allOf)) return allOf.map((part) => schemaText(part, depth)).join(' & ');
  return alternatives([type].flat().map((one) => plainText({ ...schema, type: one }, depth)));
}

function alternatives(texts: readonly string[]): string {
  return [...new Set(texts)].join(' | ');
}

function plainText(schema: Json, depth: number): string {
  switch (schema['type']) {
    case 'array':
      return listText(schemaText(schema['items'], depth));
    case 'object':
      return objectText(schema, depth);
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema['type'];
    case 'integer':
      return 'number';
    default:
      return 'unknown';
  }
}

function listText(item: string): string {
  return /[ *]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function objectText({ properties, required, additionalProperties }: Json, depth: number): string {
  const inside = '  '.repeat(depth + 1);
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(isGroup(properties) ? properties : {}).map(
    ([name, field]) => `${inside}${name}${needed.includes(name) ? '' : '?'}: ${schemaText(field, depth + 1)};\n`,
  );
  if (fields.length > 0) return `{\n${fields.join('')}${'  '.repeat(depth)}}`;
  return isGroup(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? `{ [name: string]: ${schemaText(additionalProperties, depth)} }`
    : '{}';
}

function limitsText(schema: Json): string {
  const { type, format, minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems, default: preset } = schema;
  const isWhole = [type].flat().includes('integer');
  const least = isWhole && typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  const limits = [
    ...(typeof format === 'string' ? [format] : []),
    ...(isWhole ? ['whole'] : []),
    ...rangeText(least, maximum, null),
    ...(typeof exclusiveMinimum !== 'number' || isWhole ? [] : [`above ${exclusiveMinimum}`]),
    ...rangeText(minLength, maxLength, 'character'),
    ...rangeText(minItems, maxItems, 'item'),
    ...(preset === undefined || preset === null ? [] : [`default ${JSON.stringify(preset)}`]),
  ];
  return limits.length === 0 ? '' : ` /* ${limits.join(', ')} */`;
}

/** What is no limit but the end of all whole numbers says nothing. */
function rangeText(least: unknown, most: unknown, unit: string | null): string[] {
  const [from, to] = [boundOf(least), boundOf(most)];
  const told = (count: number): string => (unit === null ? String(count) : counted(count, unit));
  if (from !== null && to !== null) return [`${from} to ${told(to)}`];
  if (from !== null) return [`at least ${told(from)}`];
  return to === null ? [] : [`at most ${told(to)}`];
}

function boundOf(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function isGroup(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
