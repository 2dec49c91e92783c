import { VolleyError } from '../errors.ts';

/** Where review documents lie unless the project says otherwise. */
export const DEFAULT_ARTEFACT_PATH = '.volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md';

/** What a path template can name; `date` is the day of the loop's start as `yyyymmdd`. */
export type ArtefactNames = { readonly date: string; readonly id: number; readonly ref: string | null; readonly round: number };

const REMEDY = 'Write artefacts.path like .volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md, with {yyyymmdd}, {id}, {ref} and {n}.';

/** The path of a round's review document, relative to the project's root. A task without a ref is named by its id. */
export function artefactPath(template: string, names: ArtefactNames): string {
  const round = String(names.round);
  const values: Readonly<Record<string, string>> = {
    yyyymmdd: names.date,
    id: String(names.id),
    ref: fileNamePart(names.ref ?? '') || String(names.id),
    n: round,
    round,
  };
  const used = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const unknown = used.filter((name) => !Object.hasOwn(values, name));
  if (unknown.length > 0) throw refused(`artefacts.path uses names that do not exist: ${unknown.map((name) => `{${name}}`).join(', ')}.`);
  if (!used.includes('n') && !used.includes('round'))
    throw refused('artefacts.path has no {n}, so that rounds would overwrite each other.');
  if (!used.includes('id') && !used.includes('ref')) throw refused('artefacts.path has no {id}, so that tasks would overwrite each other.');
  const path = template.replace(/\{([^{}]*)\}/g, (_, name: string) => values[name] ?? '');
  if (/^[\\/]|^[A-Za-z]:|\\/.test(path) || path.split('/').some((part) => part === '..' || part === '')) {
    throw refused(`artefacts.path must stay inside of the project, but gives ${path}.`);
  }
  return path;
}

/** The path of the JSON twin beside a review document. */
export function twinPath(path: string): string {
  return path.endsWith('.md') ? `${path.slice(0, -'.md'.length)}.json` : `${path}.json`;
}

function fileNamePart(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
}

function refused(what: string): VolleyError {
  return new VolleyError('bad-config', what, REMEDY);
}
