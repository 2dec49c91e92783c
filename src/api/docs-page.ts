import { z } from 'zod';
import { schemaText } from './schema-text.ts';

const Body = z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }) }) });

const Operation = z.object({
  tags: z.array(z.string()),
  summary: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: z.unknown() })),
  requestBody: Body.optional(),
  responses: z.record(z.string(), z.unknown()),
});

const Description = z.object({
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** The description of the API as a page without a script, to be browsed. */
export function docsPage(description: unknown): string {
  const { info, paths, components } = Description.parse(description);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ tag: operation.tags[0] ?? '', html: routeHtml(path, method, operation) })),
  );
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  const sections = tags.map(
    (tag) => `<h2 id="${escaped(tag)}">${escaped(tag)}</h2>${routes.flatMap((one) => (one.tag === tag ? [one.html] : [])).join('')}`,
  );
  const shapes = Object.entries(components.schemas).map(([name, schema]) =>
    folded(`<code>${escaped(name)}</code>`, pre(schemaText(schema))),
  );
  return page(`
    <h1>${escaped(info.title)} API <small>${escaped(info.version)}</small></h1>
    <p>Send <code>Authorization: Bearer</code> with the token of the token file. Every error has a code, a sentence and a remedy. The same as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
    <nav>${[...tags, 'shapes'].map((tag) => `<a href="#${escaped(tag)}">${escaped(tag)}</a>`).join(' ')}</nav>
    ${sections.join('\n')}
    <h2 id="shapes">shapes</h2>${shapes.join('')}`);
}

function routeHtml(path: string, method: string, operation: z.infer<typeof Operation>): string {
  const head = `<span class="verb">${escaped(method.toUpperCase())}</span><code>${escaped(path)}</code><span class="what">${escaped(operation.summary)}</span>`;
  const parameters = operation.parameters.map(
    ({ name, in: where, required, schema }) => `${name}${required ? '' : '?'}: ${schemaText(schema)}  // ${where}`,
  );
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const reply = Body.safeParse(success?.[1]);
  const parts = [
    ...(parameters.length > 0 ? [`<h3>Parameters</h3>${pre(parameters.join('\n'))}`] : []),
    ...(operation.requestBody === undefined ? [] : [`<h3>Body</h3>${pre(schemaOf(operation.requestBody))}`]),
    ...(reply.success ? [`<h3>Reply ${escaped(success?.[0] ?? '')}</h3>${pre(schemaOf(reply.data))}`] : []),
  ];
  return folded(head, parts.join(''));
}

function schemaOf({ content }: z.infer<typeof Body>): string {
  return schemaText(content['application/json'].schema);
}

function folded(head: string, inside: string): string {
  return `<details class="route"><summary>${head}</summary><div>${inside}</div></details>`;
}

function pre(text: string): string {
  return `<pre>${escaped(text)}</pre>`;
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Volley API</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/pages/page.css"></head><body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
