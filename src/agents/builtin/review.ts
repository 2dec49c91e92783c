import type { ReportedIssue } from '../../core/finding.ts';
import { isAtLeast, Severity } from '../../core/finding.ts';
import type { AgentSpec } from '../../core/settings.ts';
import type { Subject } from '../agent.ts';
import { count } from './analysis.ts';
import type { Analysis, Workplace } from './analysis.ts';
import { analyseWithOxlint } from './oxlint.ts';
import { analyseWithSarif } from './sarif-tools.ts';
import { scanSecrets } from './secret-scan.ts';
import { findSilenced } from './silenced.ts';
import { analyseStructure } from './structural.ts';
import { readSubjectFiles } from './subject-files.ts';
import type { SubjectFiles } from './subject-files.ts';

/** Reviews a change by static analysis: everything that the analysers say about its lines, as the result of a reviewer. */
export async function reviewChange(subject: Subject, spec: AgentSpec, place: Workplace): Promise<object> {
  if (subject.change === null) throw new Error('a review without a change');
  const files = await readSubjectFiles(subject.change, place.dir);
  const ran = await Promise.all([
    analyseStructure(files.written, { project: subject.rules, ignore: spec.ignore }, place),
    analyseWithOxlint(files.written, spec.ignore, place),
    ...spec.sarif.map(async (command) => await analyseWithSarif(command, files.all, place)),
  ]);
  const made = [...ran.filter((analysis) => analysis !== null), scanSecrets(files.all), findSilenced(files.written)];
  const found = made.flatMap((analysis) => analysis.issues).filter(({ type }) => !spec.ignore.includes(type ?? ''));
  const issues = found.toSorted(byPlace);
  return {
    // A note is no rejection; what blocks is decided by whoever reads this.
    passed: !issues.some(({ severity }) => isAtLeast(Severity.catch('high').parse(severity), 'medium')),
    summary: summaryOf(issues, files),
    issues,
    evidence: evidenceOf(made, files),
  };
}

/** Analysers work side by side, and the same change must give the same list. */
function byPlace(a: ReportedIssue, b: ReportedIssue): number {
  const [one, other] = [`${a.file} ${a.type}`, `${b.file} ${b.type}`];
  if (a.file !== b.file) return one < other ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (one < other ? -1 : one > other ? 1 : 0);
}

function summaryOf(issues: readonly ReportedIssue[], { written, skipped }: SubjectFiles): string {
  const looked = `${count(written.length, 'file')} analysed${skipped.length === 0 ? '' : `, ${skipped.length} not`}`;
  return `Static analysis: ${issues.length === 0 ? 'nothing found' : count(issues.length, 'finding')} (${looked}).`;
}

function evidenceOf(analyses: readonly Analysis[], { skipped }: SubjectFiles): object[] {
  const left = skipped.map(({ path, why }) => `${path}: ${why}`);
  return [
    ...analyses.map(({ did, result }) => ({ claim: 'The changed lines were analysed.', command: did, output: result })),
    ...(left.length === 0 ? [] : [{ claim: `${count(left.length, 'file')} not analysed by rules.`, command: '', output: left.join('\n') }]),
  ];
}
