import { placeIssue } from '../../core/anchor.ts';
import type { Placement } from '../../core/anchor.ts';
import type { Change, Hunk } from '../../core/diff.ts';
import { shareLine } from '../../core/finding.ts';
import type { RaisedFinding, ReportedIssue } from '../../core/finding.ts';
import { settingsFindings } from '../../core/own-findings.ts';
import { parsePatch } from '../../core/parse-patch.ts';
import { redactAll } from '../../core/redact-all.ts';
import { raiseIssue } from '../../core/readers/raise-issue.ts';
import type { ReviewReading } from '../../core/review.ts';
import { withoutValues } from '../../core/secret-mask.ts';
import { isSecretTag, redact } from '../../core/secrets.ts';
import { watchedKind } from '../../core/watched-files.ts';
import { sha256 } from '../../lib/ids.ts';
import type { Engine } from '../engine.ts';
import { readSecretValues, snippetOf } from './read-lines.ts';

/** What was read of an answer about a change, and where its agent saw the files. */
export type Answered = {
  readonly engine: Engine;
  readonly change: Change;
  readonly reading: ReviewReading;
  readonly agent: string;
  readonly roots: readonly string[];
};

/** The findings of an answer: placed in the change, judged, with the code that each one cites; and those of our own. */
export async function raiseFindings(answered: Answered): Promise<RaisedFinding[]> {
  const [raised, own] = await Promise.all([raiseIssues(answered), raiseOwn(answered)]);
  return [...raised, ...own];
}

/** The issues of an answer as findings. */
export async function raiseIssues({
  engine,
  change,
  reading,
  agent,
  roots,
}: Omit<Answered, 'reading'> & { readonly reading: Pick<ReviewReading, 'issues' | 'claim'> }): Promise<RaisedFinding[]> {
  if (reading.issues.length === 0) return [];
  const { head } = change;
  const patches = new Map(parsePatch(change.patch).map((file) => [file.path, file.hunks]));
  const hunksOf = (path: string | null): readonly Hunk[] => patches.get(path ?? '') ?? [];
  const within = { files: change.files, hunksOf, roots };
  const placed = await Promise.all(
    reading.issues.map(async (issue) => ({ issue, at: await existing(engine, change, placeIssue(issue, within)) })),
  );
  const secrets = placed.filter(({ issue }) => isSecretTag(issue.type));
  const values = (await Promise.all(secrets.map(async ({ at }) => await readSecretValues(engine, head, at)))).flat();
  return await Promise.all(
    placed.map(async ({ issue, at }) => {
      // Nothing keeps a line that somebody calls a secret, nor its value where it stands again.
      const isNear = isSecretTag(issue.type) || secrets.some((secret) => shareLine(secret.at, at));
      const lines = isNear ? null : await snippetOf(engine, head, { ...at, hunks: hunksOf(at.file) });
      const isSecret = isNear || values.some((value) => `${lines ?? ''}\n${issue.patch ?? ''}`.includes(value));
      const cited = { snippet: isSecret ? null : lines, codeHash: await hashOf(engine, change, at) };
      return raiseIssue(withoutSecret(issue, values, isSecret), { ...at, ...cited }, { claim: reading.claim, agent });
    }),
  );
}

/** A place outside of the change must at least exist; a path that no file has is no place. */
async function existing(engine: Engine, { head }: Change, at: Placement): Promise<Placement> {
  if (at.place !== 'outside' || at.file === null) return at;
  return (await engine.workspace.readText(head, at.file)) === null ? { ...at, place: 'unplaced' } : at;
}

const LINK_MODE = '120000';

/** Settings in the change that would make an agent run something. */
async function raiseOwn({ engine, change }: Answered): Promise<RaisedFinding[]> {
  const watched = change.files.filter(({ path, status }) => status !== 'deleted' && watchedKind(path) === 'agent-settings');
  const files = await Promise.all(
    watched.map(async ({ path, newMode, submodule }) => ({
      path,
      text: await engine.workspace.readText(change.head, path),
      isLink: submodule || newMode === LINK_MODE,
    })),
  );
  return await Promise.all(
    settingsFindings(files).map(async (finding) => ({ ...finding, codeHash: await hashOf(engine, change, finding) })),
  );
}

/** An issue without the values of secrets, and without a patch that would show one. */
function withoutSecret(issue: ReportedIssue, values: readonly string[], isSecret: boolean): ReportedIssue {
  const { patch, ...words } = issue;
  const told = redactAll(words);
  return {
    ...told,
    description: withoutValues(told.description, values),
    patch: isSecret || redact(patch ?? '') !== (patch ?? '') ? null : patch,
  };
}

/**
 * A hash over the code that a finding cites: its lines but for their indentation, else its file, else the whole change. The same
 * lines may stand in a file more than once, so the hash knows which of them are meant.
 */
async function hashOf(engine: Engine, change: Change, { file, line, lineEnd, place }: Placement): Promise<string> {
  if (file === null || place === 'unplaced') return sha256(`change\n${change.patchSha256}`);
  const text = await engine.workspace.readText(change.head, file);
  if (text === null) {
    const known = change.files.find(({ path }) => path === file);
    return sha256(known === undefined ? `change\n${change.patchSha256}` : `blob\n${file}\n${known.oldBlob ?? ''}\n${known.newBlob ?? ''}`);
  }
  const all = text.split('\n').map((one) => one.trim());
  const cited = line === null ? [] : all.slice(line - 1, lineEnd ?? line);
  if (line === null || cited.length === 0) return sha256(`file\n${file}\n${text}`);
  const rank = `${occurrences(all.slice(0, line - 1 + cited.length), cited)} of ${occurrences(all, cited)}`;
  return sha256(`lines\n${file}\n${rank}\n${cited.join('\n')}`);
}

/** How often some lines stand in a text, one below the other. */
function occurrences(text: readonly string[], lines: readonly string[]): number {
  return text.filter((_, at) => lines.every((line, index) => text[at + index] === line)).length;
}
