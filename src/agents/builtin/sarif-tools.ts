import { linePatch, linesOf } from '../../core/line-patch.ts';
import type { ReportedIssue } from '../../core/finding.ts';
import { readSarif } from '../../core/readers/sarif.ts';
import type { SarifIssue } from '../../core/readers/sarif.ts';
import { AnalysisFailed, count } from './analysis.ts';
import type { Analysis, Workplace } from './analysis.ts';
import { runTool } from './run-tool.ts';
import { touches } from './subject-files.ts';
import type { SubjectFile } from './subject-files.ts';

/** Runs a command of the project that prints SARIF, in the copy of the head, and takes what it says about the changed lines. */
export async function analyseWithSarif(command: string, files: readonly SubjectFile[], place: Workplace): Promise<Analysis> {
  const printed = await runTool({ name: `'${command}'`, argv: ['/bin/sh', '-c', command], cwd: place.scratch, env: place.env }, place);
  // Most of what a tool says is about other lines, so all of it has to be looked through.
  const read = readSarif(printed, Infinity);
  if (read.kind === 'unreadable') throw new AnalysisFailed(`'${command}' printed no SARIF: ${read.detail}.`);
  const [problem] = read.problems;
  if (problem !== undefined) throw new AnalysisFailed(`'${command}' says that it failed: ${problem}`);
  const issues = read.issues.flatMap((issue) => inChange(issue, files, place));
  const tools = read.tools.map(({ name, version }) => (version === null ? name : `${name} ${version}`)).join(', ');
  return { issues, did: command, result: `${tools}: ${count(read.issues.length, 'result')}, ${issues.length} on changed lines` };
}

/** What a tool says about other lines was there before; what names no line belongs to the whole. */
function inChange(issue: SarifIssue, files: readonly SubjectFile[], place: Workplace): ReportedIssue[] {
  const path = issue.file === null ? null : pathOf(issue.file, place);
  const file = files.find((one) => one.path === path);
  if (path === null || file === undefined) return [];
  if (issue.line !== null && !touches(file, issue.line, issue.lineEnd ?? issue.line)) return [];
  const { line, lineEnd, severity, category, description, impact, suggestion } = issue;
  const words = { severity, category, description, impact, suggestion };
  return [{ file: path, line, lineEnd, ...words, type: issue.type ?? issue.ruleId, patch: patchOf(issue, file, place) }];
}

function pathOf(written: string, place: Workplace): string {
  const root = [place.scratch, place.dir].find((folder) => written.startsWith(`${folder}/`));
  return root === undefined ? written.replace(/^\.\//, '') : written.slice(root.length + 1);
}

/** A fix of one place in the file itself, as a patch of whole lines. */
function patchOf(issue: SarifIssue, file: SubjectFile, place: Workplace): string | null {
  const [fix] = issue.fixes;
  if (fix === undefined || issue.fixes.length !== 1 || pathOf(fix.file, place) !== file.path) return null;
  const lines = linesOf(file.text);
  const [first, last] = [lines[fix.startLine - 1], lines[fix.endLine - 1]];
  if (first === undefined || last === undefined) return null;
  const cut =
    fix.columnKind === 'unicodeCodePoints' ? codePoints : (line: string, column: number): number => Math.min(column - 1, line.length);
  const end = fix.endColumn === null ? last.length : cut(last, fix.endColumn);
  const text = `${first.slice(0, cut(first, fix.startColumn))}${fix.insertedText}${last.slice(end)}`;
  return linePatch(file.path, file.text, { line: fix.startLine, removed: fix.endLine - fix.startLine + 1, added: text.split('\n') });
}

/** Where a column lies that counts characters, not units of UTF-16. */
function codePoints(line: string, column: number): number {
  return Array.from(line)
    .slice(0, column - 1)
    .join('').length;
}
