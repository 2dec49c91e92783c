import type { Finding } from '../finding.ts';
import { isSecretTag, redact } from '../secrets.ts';
import { fingerprintOf } from './fingerprint.ts';
import { replacementsOf } from './sarif-fix.ts';
import type { QuotedHead } from './sarif-head.ts';
import { levelOf, ruleIdOf } from './sarif-rules.ts';

/** A finding as a SARIF log shows it. */
export type SarifFinding = Pick<
  Finding,
  | 'id'
  | 'status'
  | 'provenance'
  | 'source'
  | 'severity'
  | 'category'
  | 'tag'
  | 'file'
  | 'line'
  | 'lineEnd'
  | 'place'
  | 'description'
  | 'impact'
  | 'suggestion'
  | 'patch'
>;

/** What the results of one log share. */
export type ResultFrame = {
  readonly head: QuotedHead;
  readonly ruleIndexes: ReadonlyMap<string, number>;
  /** The file that stands for findings without a place; null leaves them without one. */
  readonly unplacedAt: string | null;
  /** Tells apart what has the same fingerprint. */
  distinct(fingerprint: string): string;
};

/** The name of the folder that paths in a log are relative to. */
export const SOURCE_ROOT = 'SRCROOT';

/** A finding as a result; no part of it holds a secret. */
export function resultOf(finding: SarifFinding, frame: ResultFrame): object {
  const ruleId = ruleIdOf(finding);
  const description = redact(finding.description);
  const impact = finding.impact === null ? null : redact(finding.impact);
  const suggestion = finding.suggestion === null ? null : redact(finding.suggestion);
  const path = pathOf(finding);
  const region = path === null ? null : regionOf(finding, path, frame.head);
  const fingerprint = fingerprintOf({ ruleId, file: path, description, snippet: region?.snippet?.text ?? null });
  const { id, status, provenance, source, severity, category, place, file, line } = finding;
  const written = path === null && file !== null ? { file: redact(file), line } : {};
  return {
    ruleId,
    ruleIndex: frame.ruleIndexes.get(ruleId),
    level: levelOf(severity),
    message: { text: impact === null ? description : `${description}\n\n${impact}` },
    ...locationsOf(path, region, frame),
    partialFingerprints: { 'volleyFinding/v1': frame.distinct(fingerprint) },
    ...fixesOf(finding, path, { head: frame.head, words: suggestion ?? 'What the review proposes.' }),
    properties: { id, status, provenance, source, severity, category, place, ...written, impact, suggestion },
  };
}

/** The path inside of the repository; null for what lies elsewhere or nowhere. */
function pathOf({ file, place }: SarifFinding): string | null {
  const isInside = file !== null && place !== 'unplaced' && !/^(?:$|[/\\]|[A-Za-z]:[/\\]|[a-z][a-z0-9+.-]*:\/\/|\.\.(?:\/|$))/i.test(file);
  return isInside ? file : null;
}

type Region = { readonly startLine: number; readonly endLine: number; readonly snippet?: { readonly text: string } };

/** The lines of a finding; none where the file at the head has no such line. */
function regionOf({ tag, line, lineEnd, place }: SarifFinding, path: string, head: QuotedHead): Region | null {
  const last = head.lineCount(path) ?? Number.POSITIVE_INFINITY;
  if (line === null || place === 'file' || line > last) return null;
  const endLine = Math.min(lineEnd ?? line, last);
  const quoted = isSecretTag(tag) ? null : head.quote(path, line, endLine);
  return { startLine: line, endLine, ...(quoted === null ? {} : { snippet: { text: redact(quoted) } }) };
}

function locationsOf(path: string | null, region: Region | null, { unplacedAt }: ResultFrame): object {
  if (path !== null)
    return { locations: [{ physicalLocation: { artifactLocation: artifact(path), ...(region === null ? {} : { region }) } }] };
  if (unplacedAt === null) return {};
  const message = { text: 'The finding names no place in the repository; this file stands for the change.' };
  return { locations: [{ physicalLocation: { artifactLocation: artifact(unplacedAt) }, message }] };
}

function artifact(path: string): { readonly uri: string; readonly uriBaseId: string } {
  return { uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'), uriBaseId: SOURCE_ROOT };
}

function fixesOf(
  { patch }: SarifFinding,
  path: string | null,
  { head, words }: { readonly head: QuotedHead; readonly words: string },
): object {
  const text = path === null || patch === null ? null : head.textOf(path);
  if (path === null || patch === null || text === null) return {};
  const replacements = replacementsOf(patch, path, text);
  if (replacements.length === 0) return {};
  return { fixes: [{ description: { text: words }, artifactChanges: [{ artifactLocation: artifact(path), replacements }] }] };
}
