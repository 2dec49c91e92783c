import { type Draft, type FieldName, newDraft } from './findings-item.ts';
import { saysNothing } from './nothing.ts';

/** The columns of a table that lists findings; null for a column that is none of ours. */
export type TableHeader = readonly (FieldName | 'title' | null)[];

const COLUMNS: readonly (readonly [FieldName | 'title', RegExp])[] = [
  ['severity', /^(?:severity|priority|sev)$/],
  ['file', /^(?:files?|locations?|path|where|file:line|file \/ line)$/],
  ['line', /^lines?$/],
  ['category', /^(?:category|area)$/],
  ['type', /^type$/],
  ['impact', /^(?:impact|risk|why.*)$/],
  ['fix', /^(?:fix|suggested fix|suggestion|recommendation|remedy|action)$/],
  ['problem', /^(?:details?|description|problem)$/],
  ['title', /^(?:issues?|findings?|concerns?|comments?|bugs?)$/],
];

/** Reads the head of a table; null unless it has a column for what is wrong. */
export function tableHeader(row: string): TableHeader | null {
  const columns = cells(row).map((cell) => {
    const name = cell.toLowerCase().replace(/[*_`]/g, '').trim();
    return COLUMNS.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
  });
  const says = columns.includes('title') || (columns.includes('problem') && (columns.includes('severity') || columns.includes('file')));
  return says ? columns : null;
}

/** Reads one row as an item; null for the ruler below the head, and for rows that say that all is well. */
export function readTableRow(header: TableHeader, row: string, severity: string | null): Draft | null {
  const values = cells(row);
  if (values.every((cell) => /^:?-*:?$/.test(cell))) return null;
  const titleAt = header.indexOf('title');
  const draft = newDraft({ kind: 'bullet', title: titleAt >= 0 ? (values[titleAt] ?? '') : '', severity, sure: true });
  for (const [index, column] of header.entries()) {
    const value = values[index] ?? '';
    if (column !== null && column !== 'title' && value !== '') draft.fields.set(column, [value]);
  }
  if (/^(?:ok|none|n\/a|pass(?:ed)?|fine|good|[✓✔✅]\uFE0F?)$/iu.test(draft.fields.get('severity')?.[0] ?? '')) return null;
  return saysNothing(`${draft.title} ${draft.fields.get('problem')?.[0] ?? ''}`) ? null : draft;
}

function cells(row: string): readonly string[] {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}
