import type { ReportedIssue } from '../finding.ts';
import type { TextLine } from './lines.ts';
import { saysNothing } from './nothing.ts';
import { severityWord } from './severity.ts';
import { type Draft, draftIssue, fieldLine, type FieldName, isSubstantial, newDraft } from './findings-item.ts';
import { readTableRow, type TableHeader, tableHeader } from './findings-table.ts';
import { headingKind, type Section } from './findings-heading.ts';

const HEADING = /^ {0,3}(#{1,6})\s+(\S.*)$/;
const BOLD_LINE = /^\s{0,3}\*\*([^*]{3,80})\*\*:?\s*$/;
const NUMBERED = /^ {0,3}\d{1,4}[.)]\s+(\S.*)$/;
const BULLET = /^ ?[-*+•]\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
const STATED = /^\s{0,8}[-*+]?\s{0,4}\**(critical|important|high|major)\b[^:\d]{0,24}:?\**:?\s*\**(\d{1,5})\b/i;

type State = {
  readonly drafts: Draft[];
  readonly stated: Map<string, number>;
  section: Section | null;
  draft: Draft | null;
  field: FieldName | null;
  table: TableHeader | null;
  /** Free words in a section of findings; they are a finding only where the section lists none. */
  loose: string[];
  listed: number;
};

/**
 * Reads seed 003's findings document, and what agents make of it: numbered items, headings, bullets or tables,
 * under sections named by severity or with severities of their own.
 */
export function readFindingsDocument(lines: readonly TextLine[]): readonly ReportedIssue[] {
  const state: State = { drafts: [], stated: new Map(), section: null, draft: null, field: null, table: null, loose: [], listed: 0 };
  for (const line of lines) readLine(state, line);
  closeSection(state);
  const issues = state.drafts.filter(isSubstantial).map(draftIssue);
  return [...issues, ...unreadIssues(state.stated, issues)];
}

function readLine(state: State, line: TextLine): void {
  if (line.code) return append(state, line.text);
  const heading = HEADING.exec(line.text);
  if (heading !== null) return readHeading(state, heading[2] ?? '', heading[1]?.length ?? 1);
  const bold = BOLD_LINE.exec(line.text)?.[1];
  if (bold !== undefined && headingKind(bold, 2, null).kind === 'section') return readHeading(state, bold, 2);
  if (line.text.trim().startsWith('|')) return readTable(state, line.text);
  state.table = null;
  if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line.text)) return closeDraft(state);
  readStated(state, line.text);
  if (state.draft !== null) {
    const field = fieldLine(line.text);
    if (field !== null) return openField(state, field.name, field.text);
  }
  if (state.section !== null && readItem(state, line.text, state.section)) return;
  append(state, line.text);
}

function readHeading(state: State, title: string, level: number): void {
  const heading = headingKind(title, level, state.section);
  switch (heading.kind) {
    case 'field':
      if (state.draft !== null) openField(state, heading.field, '');
      return;
    case 'item':
      closeDraft(state);
      return openDraft(
        state,
        newDraft({
          kind: 'heading',
          title: heading.title,
          severity: heading.severity ?? state.section?.severity ?? null,
          sure: state.section !== null,
        }),
      );
    case 'section':
      closeSection(state);
      state.section = heading.section;
      return;
    case 'other':
      closeSection(state);
      state.section = null;
  }
}

/** A numbered line or a bullet begins an item, unless the section's items are headings or numbered already. */
function readItem(state: State, text: string, section: Section): boolean {
  const numbered = NUMBERED.exec(text)?.[1];
  const bullet = numbered === undefined ? BULLET.exec(text)?.[1] : undefined;
  const title = numbered ?? bullet;
  if (title === undefined) return false;
  const kind = numbered === undefined ? 'bullet' : 'numbered';
  if (state.draft !== null && (state.draft.kind === 'heading' || (kind === 'bullet' && state.draft.kind === 'numbered'))) return false;
  closeDraft(state);
  const field = fieldLine(text);
  openDraft(state, newDraft({ kind, title: field === null ? title : '', severity: section.severity, sure: true }));
  if (field !== null) openField(state, field.name, field.text);
  return true;
}

function readTable(state: State, text: string): void {
  if (state.table === null) {
    state.table = tableHeader(text);
    if (state.table === null) append(state, text);
    return;
  }
  const draft = readTableRow(state.table, text, state.section?.severity ?? null);
  if (draft === null) return;
  state.drafts.push(draft);
  state.listed += 1;
}

/** Counts that a summary states, so that must-fix findings which nobody could read are not taken for none. */
function readStated(state: State, text: string): void {
  const match = state.section === null ? STATED.exec(text) : null;
  const word = match?.[1]?.toLowerCase();
  if (word !== undefined) state.stated.set(word, Math.max(state.stated.get(word) ?? 0, Number(match?.[2])));
}

function unreadIssues(stated: ReadonlyMap<string, number>, issues: readonly ReportedIssue[]): readonly ReportedIssue[] {
  const read = new Set(issues.map((issue) => severityWord(issue.severity ?? '') ?? 'high'));
  return [...stated].flatMap(([word, count]) => {
    const isRead = word === 'critical' ? read.has('critical') : read.has('critical') || read.has('high') || read.has('medium');
    if (count === 0 || isRead) return [];
    const title = `The summary counts ${count} ${word} finding${count === 1 ? '' : 's'} that could not be read in the document.`;
    return [draftIssue(newDraft({ kind: 'bullet', title, severity: word, sure: true }))];
  });
}

function openDraft(state: State, draft: Draft): void {
  state.draft = draft;
  state.field = null;
  state.listed += 1;
}

function openField(state: State, name: FieldName, text: string): void {
  state.field = name;
  state.draft?.fields.set(name, [...(state.draft.fields.get(name) ?? []), text]);
}

function append(state: State, text: string): void {
  if (state.draft === null) {
    if (state.section?.severity != null && text.trim() !== '') state.loose.push(text.trim());
    return;
  }
  const name = state.field ?? 'body';
  const lines = state.draft.fields.get(name) ?? [];
  lines.push(text);
  state.draft.fields.set(name, lines);
}

function closeDraft(state: State): void {
  if (state.draft !== null) state.drafts.push(state.draft);
  state.draft = null;
  state.field = null;
}

function closeSection(state: State): void {
  closeDraft(state);
  const words = state.loose.join('\n');
  if (state.listed === 0 && state.section !== null && !saysNothing(words)) {
    state.drafts.push(newDraft({ kind: 'bullet', title: words, severity: state.section.severity, sure: true }));
  }
  state.loose = [];
  state.listed = 0;
}
