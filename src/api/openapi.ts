import { z } from 'zod';
import { COMPONENTS } from './contract/components.ts';
import { PAGE_HEADER } from './contract/page-key.ts';
import { strictly } from './contract/route.ts';
import type { Route } from './contract/route.ts';
import { ROUTES } from './contract.ts';

type Json = Readonly<Record<string, unknown>>;

/** The description of the API as OpenAPI 3.1. */
export type Description = Json & { readonly openapi: string };

/** The description of the API, made when it is first asked for: that takes longer than a server should to start. */
export function describeApi(version: string): () => Description {
  let made: Description | null = null;
  return () => (made ??= openApi(version));
}

/** The description of the API, made of the contract. */
export function openApi(version: string): Description {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Volley',
      version,
      description: 'Agent-to-agent code review loops that end, with approvals you can trust.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [], page: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token of the file that volley serve --json names.' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'volley-PORT', description: 'What a browser gets for a one-time code.' },
        page: {
          type: 'apiKey',
          in: 'header',
          name: PAGE_HEADER,
          description: 'The key that came with the cookie, which counts only with it.',
        },
      },
      schemas: schemas.all(),
    },
  };
}

function operationOf(name: string, route: Route, schemas: Schemas): Json {
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && Object.keys(shapeOf(route.body)).length > 0;
  const isRead = route.method === 'GET';
  const success = {
    description: 'What was asked for.',
    ...(isRead ? { headers: { ETag: { description: 'For If-None-Match.', schema: { type: 'string' } } } } : {}),
    content: content(schemas.of(route.reply, 'output')),
  };
  return {
    operationId: name,
    tags: [route.tag],
    summary: route.summary,
    ...(route.access === 'page' ? { security: [] } : {}),
    ...(route.cookie === undefined ? {} : { security: [{ token: [] }, ...(route.cookie === 'alone' ? [{ cookie: [] }] : [])] }),
    parameters: [...parametersOf(route.params, 'path', schemas), ...parametersOf(route.query, 'query', schemas)],
    ...(hasBody
      ? { requestBody: { required: !z.safeParse(route.body, {}).success, content: content(schemas.of(strictly(route.body), 'input')) } }
      : {}),
    responses: {
      [route.status]: success,
      ...(route.orStatus === undefined ? {} : { [route.orStatus]: success }),
      ...(isRead ? { 304: { description: 'It is as the ETag of If-None-Match says.' } } : {}),
      default: { description: 'What is wrong, and what to do about it.', content: content({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

function parametersOf(schema: z.ZodObject, where: 'path' | 'query', schemas: Schemas): readonly Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const without = z.safeParse(field, undefined);
    const stands = without.success && without.data !== undefined ? { default: without.data } : {};
    return { name, in: where, required: where === 'path' || !without.success, schema: { ...schemas.of(field, 'input'), ...stands } };
  });
}

function content(schema: Json): Json {
  return { 'application/json': { schema } };
}

function shapeOf(schema: z.ZodType): object {
  return schema instanceof z.ZodObject ? schema.shape : { any: schema };
}

/** JSON schemas of the contract, in which a shape that has a name stands once. */
class Schemas {
  readonly #named = z.registry<{ id: string }>();
  readonly #used = new Map<string, Json>();

  constructor() {
    for (const [id, schema] of Object.entries(COMPONENTS)) this.#named.add(schema, { id });
    const { schemas } = z.toJSONSchema(this.#named, { ...OPTIONS, uri: (id) => `#/components/schemas/${id}`, io: 'output' });
    for (const [id, schema] of Object.entries(schemas)) this.#used.set(id, plain(schema));
  }

  all(): Json {
    return Object.fromEntries(this.#used);
  }

  of(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
    const id = this.#named.get(schema)?.id;
    if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
    return plain(z.toJSONSchema(schema, io === 'input' ? { ...OPTIONS, io } : { ...OPTIONS, metadata: this.#named, io }));
  }
}

const OPTIONS = {
  target: 'draft-2020-12',
  unrepresentable: 'any',
  // What a shape says of itself, a format for example, beside what it is.
  override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, z.globalRegistry.get(zodSchema)),
} as const satisfies Parameters<typeof z.toJSONSchema>[1];

/** A shape without its head, in which the named ones are referred to: their definitions are those of the whole document. */
function plain({ $schema: _schema, $id: _id, $defs: _defs, id: _name, ...rest }: Json): Json {
  const parsed: unknown = JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return z.record(z.string(), z.unknown()).parse(parsed);
}
