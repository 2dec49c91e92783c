import type { Change } from '../../core/diff.ts';
import type { RaisedFinding } from '../../core/finding.ts';
import type { Engine } from '../engine.ts';

const MAX_SNIPPET_LINES = 12;

/** The lines that a finding points at, as they are in this commit. */
export async function snippetOf(
  engine: Engine,
  commit: string,
  placed: Pick<RaisedFinding, 'file' | 'line' | 'lineEnd' | 'place'>,
): Promise<string | null> {
  if (placed.file === null || placed.line === null || placed.place === 'unplaced') return null;
  const text = await engine.workspace.readText(commit, placed.file);
  if (text === null) return null;
  const lines = text.split('\n').slice(placed.line - 1, Math.min(placed.lineEnd ?? placed.line, placed.line - 1 + MAX_SNIPPET_LINES));
  return lines.length === 0 ? null : lines.join('\n');
}

/** The full text of every changed file that still exists. */
export async function readContents(engine: Engine, change: Change): Promise<{ readonly path: string; readonly text: string }[]> {
  const readable = change.files.filter((file) => !file.binary && !file.submodule && file.status !== 'deleted');
  const texts = await Promise.all(readable.map(async ({ path }) => ({ path, text: await engine.workspace.readText(change.head, path) })));
  return texts.flatMap(({ path, text }) => (text === null ? [] : [{ path, text }]));
}
