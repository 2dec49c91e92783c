import type { Resolution } from '../finding.ts';
import type { AuthorReading, FixReading, Ruling } from '../review.ts';
import { boolOf, isRecord, lineNumberOf, pick, textOf } from './coerce.ts';
import { readPlace } from './place.ts';
import { usageOf } from './result-json.ts';

const MAX_ANSWERS = 5000;

const STATUSES: Readonly<Record<string, Resolution['status']>> = {
  fixed: 'fixed',
  resolved: 'fixed',
  addressed: 'fixed',
  done: 'fixed',
  disputed: 'disputed',
  dispute: 'disputed',
  'false-positive': 'disputed',
  'needs-person': 'needs_person',
  'needs-human': 'needs_person',
  'needs-discussion': 'needs_person',
};

const RULINGS: Readonly<Record<string, Ruling['ruling']>> = {
  upheld: 'upheld',
  uphold: 'upheld',
  valid: 'upheld',
  refuted: 'refuted',
  refute: 'refuted',
  invalid: 'refuted',
};

/** Reads an author's result; without a word about it the task is complete. */
export function readAuthorJson(value: unknown): AuthorReading | null {
  if (!isRecord(value)) return null;
  const complete = pick(value, 'taskComplete');
  return {
    summary: textOf(pick(value, 'summary')),
    taskComplete: complete === undefined || boolOf(complete) === true,
    usage: usageOf(pick(value, 'usage')),
  };
}

/** Reads a fixer's result; `findingIds` are the ones it was asked about. */
export function readFixJson(value: unknown, findingIds: readonly string[]): FixReading | null {
  if (!isRecord(value)) return null;
  return {
    summary: textOf(pick(value, 'summary')),
    resolutions: listOf(pick(value, 'resolutions')).flatMap((item) => resolutionOf(item, findingIds)),
    commits: listOf(pick(value, 'commits')).flatMap(commitOf),
    usage: usageOf(pick(value, 'usage')),
  };
}

/** Reads an arbiter's result; what it does not clearly refute stands. */
export function readRulingsJson(value: unknown, findingIds: readonly string[]): readonly Ruling[] | null {
  const rulings = Array.isArray(value) ? value : isRecord(value) ? pick(value, 'rulings') : undefined;
  if (rulings === undefined) return null;
  return listOf(rulings).flatMap((item) => {
    const findingId = isRecord(item) ? findingIdOf(pick(item, 'findingId', 'id'), findingIds) : null;
    if (!isRecord(item) || findingId === null) return [];
    const word = textOf(pick(item, 'ruling')) ?? '';
    const ruling = lookUp(RULINGS, word);
    const note = textOf(pick(item, 'note', 'reason')) ?? '';
    return [
      {
        findingId,
        ruling: ruling ?? 'upheld',
        note: ruling === undefined ? flagged(note, `ruling '${word}' is unknown, taken as upheld`) : note,
      },
    ];
  });
}

function resolutionOf(item: unknown, findingIds: readonly string[]): readonly Resolution[] {
  if (!isRecord(item)) return [];
  const findingId = findingIdOf(pick(item, 'findingId', 'id'), findingIds);
  if (findingId === null) return [];
  const word = textOf(pick(item, 'status')) ?? 'fixed';
  const status = lookUp(STATUSES, word);
  const note = textOf(pick(item, 'note', 'evidence', 'reason')) ?? '';
  return [
    {
      findingId,
      status: status ?? 'needs_person',
      note: status === undefined ? flagged(note, `status '${word}' is unknown, taken as needs_person`) : note,
      places: listOf(pick(item, 'places')).flatMap(placeOf),
    },
  ];
}

/** The id as we wrote it. A JSON number has lost its last zero (`29.10`), so it counts only where one id can be meant. */
function findingIdOf(value: unknown, known: readonly string[]): string | null {
  if (typeof value === 'number') {
    const meant = known.filter((id) => Number(id) === value || id.endsWith(`.${value}`));
    return meant.length === 1 ? (meant[0] ?? null) : null;
  }
  const written = typeof value === 'string' ? value.replace(/^[\s#[]+|[\s\]]+$/g, '') : '';
  if (written === '') return null;
  if (known.includes(written)) return written;
  const short = known.filter((id) => id.endsWith(`.${written}`));
  return short.length === 1 ? (short[0] ?? null) : written;
}

function placeOf(item: unknown): Resolution['places'] {
  if (typeof item === 'string') {
    const { file, line } = readPlace(item);
    return file === null ? [] : [{ file, line }];
  }
  const file = isRecord(item) ? textOf(pick(item, 'file', 'path')) : null;
  return isRecord(item) && file !== null ? [{ file, line: lineNumberOf(pick(item, 'line')) }] : [];
}

/** A group without a summary or without paths is no group: its files go into the common commit. */
function commitOf(item: unknown): FixReading['commits'] {
  if (!isRecord(item)) return [];
  const summary = textOf(pick(item, 'summary', 'message'));
  const paths = listOf(pick(item, 'paths', 'files')).filter((path) => typeof path === 'string');
  return summary === null || paths.length === 0 ? [] : [{ summary, paths }];
}

function lookUp<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  const key = word
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function flagged(note: string, flag: string): string {
  return note === '' ? `(${flag})` : `${note} (${flag})`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_ANSWERS) : [];
}
