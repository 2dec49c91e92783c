import type { ReportedIssue } from '../../core/finding.ts';
import { bySeverity, isAtLeast, Severity, shareLine } from '../../core/finding.ts';
import { secretValues, withoutValues } from '../../core/secret-mask.ts';
import { isSecretTag } from '../../core/secrets.ts';
import type { AgentSpec } from '../../core/settings.ts';
import type { Subject } from '../agent.ts';
import { counted, someOf } from '../../core/words.ts';
import { issueAt } from './analysis.ts';
import type { Analysis, Workplace } from './analysis.ts';
import { analyseWithOxlint } from './oxlint.ts';
import { analyseWithSarif } from './sarif-tools.ts';
import { scanSecrets } from './secret-scan.ts';
import { findReviewSettings } from './review-settings.ts';
import { findSilenced, heard } from './silenced.ts';
import { analyseStructure } from './structural.ts';
import { languageOf } from './rule.ts';
import { readSubjectFiles, writeTexts } from './subject-files.ts';
import type { SubjectFile, SubjectFiles } from './subject-files.ts';

/** Reviews a change by static analysis: everything that the analysers say about its lines, as the result of a reviewer. */
export async function reviewChange(subject: Subject, spec: AgentSpec, place: Workplace): Promise<object> {
  if (subject.change === null) throw new Error('a review without a change');
  const files = await readSubjectFiles(subject.change, place.dir);
  await writeTexts(files.written, place.heard, heard);
  const ran = await together(place, (one) => [
    analyseStructure(files.written, { project: subject.rules, ignore: spec.ignore }, one),
    analyseWithOxlint(files.written, spec.ignore, one),
    ...spec.sarif.map(async (command) => await analyseWithSarif(command, files.all, one)),
  ]);
  const made = [
    ...ran.filter((analysis) => analysis !== null),
    scanSecrets(files.all),
    findSilenced(files.written),
    findReviewSettings(files.all),
  ];
  const found = made.flatMap((analysis) => analysis.issues).filter(({ type }) => !spec.ignore.includes(type ?? ''));
  const issues = withoutSecrets([...found, ...unanalysed(files)], files.all).toSorted(worstFirst);
  const unknown = subject.rules.length > 0 ? [] : files.written.filter(({ name }) => languageOf(name) === null).map(({ path }) => path);
  return {
    // A note is no rejection; what blocks is decided by whoever reads this.
    passed: !issues.some(({ severity }) => isAtLeast(severityOf(severity), 'medium')),
    summary: summaryOf(issues.length, files, unknown),
    issues,
    evidence: evidenceOf(made, files, unknown),
  };
}

/** Starts analysers side by side; where one fails, the others are ended before its failure is told, because they share a folder. */
async function together<T>(place: Workplace, start: (place: Workplace) => readonly Promise<T>[]): Promise<T[]> {
  const failed = new AbortController();
  const running = start({ ...place, signal: AbortSignal.any([place.signal, failed.signal]) });
  try {
    return await Promise.all(running);
  } finally {
    failed.abort();
    await Promise.allSettled(running);
  }
}

/** A patch shows the lines that it changes, and a sentence may quote code: neither may hold the value of a secret. */
function withoutSecrets(issues: readonly ReportedIssue[], files: readonly SubjectFile[]): ReportedIssue[] {
  const secrets = issues.filter(({ type }) => isSecretTag(type));
  const values = secrets.flatMap(({ file, line }) => {
    const text = files.find(({ path }) => path === file)?.text.split('\n')[(line ?? 0) - 1] ?? '';
    return secretValues([text]);
  });
  return issues.map((issue) => {
    const shows = secrets.some((one) => shareLine(one, issue)) || values.some((value) => issue.patch?.includes(value) === true);
    return { ...issue, description: withoutValues(issue.description, values), patch: shows ? null : issue.patch };
  });
}

const NOT_ANALYSED = { id: 'not-analysed', severity: 'high', category: 'architecture' } as const;

/** Code that no rule could look at must not pass as looked at. */
function unanalysed({ skipped }: SubjectFiles): ReportedIssue[] {
  return skipped
    .filter(({ path, harmless }) => !harmless && languageOf(path) !== null)
    .map(({ path, why }) =>
      issueAt({ file: path, line: null }, NOT_ANALYSED, {
        description: `No rule looked at this file: ${why}.`,
        impact: 'Whatever is wrong in it is not reported.',
        suggestion: 'Split it, or have it reviewed by somebody else.',
      }),
    );
}

/** Analysers work side by side, and the same change must give the same list; the worst first, because a long one is cut. */
function worstFirst(a: ReportedIssue, b: ReportedIssue): number {
  const [one, other] = [`${a.file} ${a.type}`, `${b.file} ${b.type}`];
  const byName = one < other ? -1 : one > other ? 1 : 0;
  return (
    bySeverity({ severity: severityOf(a.severity) }, { severity: severityOf(b.severity) }) ||
    (a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : 0) ||
    byName
  );
}

/** A tool of the project may give no severity, or one that nobody knows. */
function severityOf(word: string | null): Severity {
  return Severity.catch('high').parse(word);
}

function summaryOf(findings: number, { written, skipped }: SubjectFiles, unknown: readonly string[]): string {
  const analysed = written.length - unknown.length;
  const left = [
    ...(unknown.length === 0 ? [] : [`only secrets were looked for in ${someOf(unknown)}`]),
    ...(skipped.length === 0 ? [] : [`no rule looked at ${someOf(skipped.map(({ path, why }) => `${path} (${why})`))}`]),
  ];
  const said = findings === 0 ? 'nothing found' : counted(findings, 'finding');
  return `Static analysis: ${said}; rules looked at ${counted(analysed, 'file')}${left.map((words) => `; ${words}`).join('')}.`;
}

function evidenceOf(analyses: readonly Analysis[], { skipped }: SubjectFiles, unknown: readonly string[]): object[] {
  const left = [...unknown.map((path) => `${path}: no rules for such files`), ...skipped.map(({ path, why }) => `${path}: ${why}`)];
  return [
    ...analyses.map(({ tool, result }) => ({ claim: 'The changed lines were analysed.', command: tool, output: result })),
    ...(left.length === 0 ? [] : [{ claim: `No rule looked at ${counted(left.length, 'file')}.`, command: '', output: left.join('\n') }]),
  ];
}
