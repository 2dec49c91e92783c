import type { Change, Hunk } from '../../core/diff.ts';
import type { RaisedFinding } from '../../core/finding.ts';
import { secretValues } from '../../core/secret-mask.ts';
import { redact } from '../../core/secrets.ts';
import type { Engine } from '../engine.ts';

const MAX_SNIPPET_LINES = 12;

/** The lines that a finding points at, as they are in this commit but for secrets; the hunks of its file tell most of them. */
export async function snippetOf(
  engine: Engine,
  commit: string,
  placed: Pick<RaisedFinding, 'file' | 'line' | 'lineEnd' | 'place'> & { readonly hunks: readonly Hunk[] },
): Promise<string | null> {
  const { file, line: first } = placed;
  if (file === null || first === null || placed.place === 'unplaced') return null;
  const last = Math.min(placed.lineEnd ?? first, first - 1 + MAX_SNIPPET_LINES);
  const shown = placed.hunks.flatMap((hunk) => hunk.lines.filter(({ newLine }) => newLine !== null && newLine >= first && newLine <= last));
  if (shown.length > 0 && shown.length === last - first + 1) return redact(shown.map(({ text }) => text).join('\n'));
  const lines = (await engine.workspace.readText(commit, file))?.split('\n').slice(first - 1, last) ?? [];
  return lines.length === 0 ? null : redact(lines.join('\n'));
}

/** The full text of every changed file that still exists. */
export async function readContents(engine: Engine, change: Change): Promise<{ readonly path: string; readonly text: string }[]> {
  const readable = change.files.filter((file) => !file.binary && !file.submodule && file.status !== 'deleted');
  const texts = await Promise.all(readable.map(async ({ path }) => ({ path, text: await engine.workspace.readText(change.head, path) })));
  return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}

/** The values on the lines of a finding that calls them a secret; they stand nowhere else than in memory. */
export async function readSecretValues(
  engine: Engine,
  commit: string,
  placed: Pick<RaisedFinding, 'file' | 'line' | 'lineEnd'>,
): Promise<string[]> {
  const { file, line } = placed;
  if (file === null || line === null) return [];
  const lines = (await engine.workspace.readText(commit, file))?.split('\n').slice(line - 1, placed.lineEnd ?? line) ?? [];
  return secretValues(lines);
}
