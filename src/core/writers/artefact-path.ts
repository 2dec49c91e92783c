import { VolleyError } from '../errors.ts';

/** Where review documents lie unless the project says otherwise. */
export const DEFAULT_ARTEFACT_PATH = '.volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md';

/** What a path template can name; `date` is the day of the loop's start as `yyyymmdd`. */
export type ArtefactNames = { readonly date: string; readonly id: number; readonly ref: string | null; readonly round: number };

const REMEDY = 'Write artefacts.path like .volley/reviews/{yyyymmdd}-task-{id}-review-{n}.md, with {yyyymmdd}, {id}, {ref} and {n}.';

/** `round` is seed 003's name of `n`. */
const NAMES = ['yyyymmdd', 'id', 'ref', 'n', 'round'];

/** What is wrong with a path template, as the end of a sentence; null if nothing is. */
export function artefactPathProblem(template: string): string | null {
  const used = [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '');
  const unknown = used.filter((name) => !NAMES.includes(name));
  if (unknown.length > 0) return `must not use ${unknown.map((name) => `{${name}}`).join(', ')}; it may use {yyyymmdd}, {id}, {ref}, {n}`;
  if (!used.includes('n') && !used.includes('round')) return 'must contain {n}, or rounds would overwrite each other';
  if (!used.includes('id') && !used.includes('ref')) return 'must contain {id} or {ref}, or tasks would overwrite each other';
  const outside = /^[\\/]|^[A-Za-z]:|\\/.test(template) || template.split('/').some((part) => part === '..' || part === '');
  return outside ? 'must be a path inside of the project' : null;
}

/** The path of a round's review document, relative to the project's root. A task without a ref is named by its id. */
export function artefactPath(template: string, names: ArtefactNames): string {
  const problem = artefactPathProblem(template);
  if (problem !== null) throw new VolleyError('bad-config', `artefacts.path ${problem}.`, REMEDY);
  const values: Readonly<Record<string, string>> = {
    yyyymmdd: names.date,
    id: String(names.id),
    ref: fileNamePart(names.ref ?? '') || String(names.id),
    n: String(names.round),
    round: String(names.round),
  };
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => values[name] ?? '');
}

/** The path of the JSON twin beside a review document. */
export function twinPath(path: string): string {
  return path.endsWith('.md') ? `${path.slice(0, -'.md'.length)}.json` : `${path}.json`;
}

function fileNamePart(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '');
}
