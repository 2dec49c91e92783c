import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ServedProject } from './served.ts';

type Word = string | number | boolean;
type Parameter = { readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean };
type Operation = {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: unknown };
  readonly responses: Readonly<Record<string, unknown>>;
};

/** What is asked of a route. */
export type Given = {
  readonly params?: Readonly<Record<string, Word>>;
  readonly query?: Readonly<Record<string, Word>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer with its body, which is null where it has none. */
export type Reply = { readonly status: number; readonly etag: string | null; readonly body: unknown };

/** A route as the served description has it, with the pointer to its place there. */
export type DescribedRoute = Operation & { readonly method: string; readonly path: string; readonly pointer: string };

/** A server seen through its own description alone: whatever travels is checked by a JSON schema validator that knows nothing else. */
export class Described {
  readonly routes: ReadonlyMap<string, DescribedRoute>;
  readonly #project: ServedProject;
  readonly #ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });

  private constructor(project: ServedProject, document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }) {
    this.#project = project;
    this.#ajv.addFormat(
      'date-time',
      (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
    );
    this.#ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
    // The document is no schema itself; it holds some.
    this.#ajv.addVocabulary(Object.keys(document));
    this.#ajv.addSchema(document, 'api');
    this.routes = new Map(
      Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => {
          const pointer = `/paths/${token(path)}/${method}`;
          return [operation.operationId, { ...operation, method: method.toUpperCase(), path, pointer }] as const;
        }),
      ),
    );
  }

  static async of(project: ServedProject): Promise<Described> {
    const { status, body } = await project.ask('GET', '/api/openapi.json');
    assert.equal(status, 200);
    return new Described(project, Object(body));
  }

  route(name: string): DescribedRoute {
    const found = this.routes.get(name);
    assert.ok(found, `${name} is not described`);
    return found;
  }

  /** What of a request the description does not allow. */
  problemsOf(name: string, { params = {}, query = {}, body }: Given): readonly string[] {
    const route = this.route(name);
    const given = { path: params, query };
    const problems = route.parameters.flatMap((parameter, index) => {
      const value = given[parameter.in][parameter.name];
      if (value === undefined) return parameter.required ? [`${parameter.name} is missing`] : [];
      // Everything in an address is text; a number or a switch is one that reads as such.
      const readings = [String(value), ...(/^(?:0|[1-9]\d*|true|false)$/.test(String(value)) ? [JSON.parse(String(value))] : [])];
      const found = readings.map((reading) => this.#problems(`${route.pointer}/parameters/${index}/schema`, reading));
      return found.some((one) => one.length === 0) ? [] : [`${parameter.name}: ${found.flat().join()}`];
    });
    const known = new Set(route.parameters.map((parameter) => `${parameter.in} ${parameter.name}`));
    const unknown = Object.entries(given).flatMap(([where, words]) => Object.keys(words).map((word) => `${where} ${word}`));
    const wrongBody =
      route.requestBody === undefined
        ? body === undefined || JSON.stringify(body) === '{}'
          ? []
          : ['it takes no body']
        : this.#problems(`${route.pointer}/requestBody/content/${token('application/json')}/schema`, body ?? {});
    return [...problems, ...unknown.filter((word) => !known.has(word)).map((word) => `${word} is unknown`), ...wrongBody];
  }

  /** Asks a route; the answer has to be what the description says of its status. */
  async ask(name: string, given: Given = {}): Promise<Reply> {
    const { method, path, pointer, responses } = this.route(name);
    const { params = {}, query = {}, body, headers = {} } = given;
    const place = path.replace(/\{(\w+)\}/g, (_all, key: string) => encodeURIComponent(String(params[key])));
    const words = new URLSearchParams(Object.entries(query).map(([key, value]): [string, string] => [key, String(value)])).toString();
    const answer = await this.#project.ask(method, `${place}${words === '' ? '' : `?${words}`}`, { body, headers });
    const status = Object.hasOwn(responses, answer.status) ? String(answer.status) : 'default';
    const reply = { status: answer.status, etag: answer.headers.get('etag'), body: answer.body };
    if (answer.status === 304) return reply;
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8');
    const problems = this.#problems(`${pointer}/responses/${status}/content/${token('application/json')}/schema`, answer.body);
    assert.deepEqual(problems, [], `${name} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 2000)}`);
    assert.equal(status === 'default', answer.status >= 400, `${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return reply;
  }

  #problems(pointer: string, value: unknown): readonly string[] {
    const validate = this.#ajv.getSchema(`api#${pointer}`);
    assert.ok(validate, `there is no schema at ${pointer}`);
    return validate(value) === true
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }
}

/** A step of a JSON pointer, as it stands in a reference. */
function token(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
