import { realpathSync } from 'node:fs';
import { linePatch, linesOf } from '../../core/line-patch.ts';
import type { ReportedIssue } from '../../core/finding.ts';
import { readSarif } from '../../core/readers/sarif.ts';
import type { SarifIssue } from '../../core/readers/sarif.ts';
import { counted } from '../../core/words.ts';
import { AnalysisFailed } from './analysis.ts';
import type { Analysis, Workplace } from './analysis.ts';
import { runTool } from './run-tool.ts';
import { touches } from './subject-files.ts';
import type { SubjectFile } from './subject-files.ts';

/** Runs a command of the project that prints SARIF, in the copy of the head, and takes what it says about the changed lines. */
export async function analyseWithSarif(command: string, files: readonly SubjectFile[], place: Workplace): Promise<Analysis> {
  const { printed, code } = await runTool(
    { name: `'${command}'`, argv: ['/bin/sh', '-c', command], cwd: place.scratch, env: place.env },
    place,
  );
  const logs = logsIn(printed).map((log) => readSarif(log, Infinity));
  const broken = logs.find((log) => log.kind === 'unreadable');
  if (broken !== undefined) throw new AnalysisFailed(`'${command}' printed no SARIF: ${broken.detail}.`);
  const read = logs.filter((log) => log.kind === 'sarif');
  const [problem] = read.flatMap(({ problems }) => problems);
  if (problem !== undefined) throw new AnalysisFailed(`'${command}' says that it failed: ${problem}`);
  const results = read.flatMap((log) => log.issues);
  if (code !== 0 && results.length === 0) throw new AnalysisFailed(`'${command}' ended with exit code ${code} and told nothing.`);
  const issues = results.flatMap((issue) => inChange(issue, files, place));
  const tools = read
    .flatMap((log) => log.tools)
    .map(({ name, version }) => (version === null ? name : `${name} ${version}`))
    .join(', ');
  return { issues, tool: command, result: `${tools}: ${counted(results.length, 'result')}, ${issues.length} on changed lines` };
}

/** A command may run several tools, which print one log after the other. */
function logsIn(printed: string): string[] {
  const parts = printed.split(/\n(?=\{)/).filter((part) => part.includes('"runs"'));
  return parts.length < 2 ? [printed] : parts;
}

/** What a tool says about other lines was there before; what names no line, or no file, belongs to the whole. */
function inChange(issue: SarifIssue, files: readonly SubjectFile[], place: Workplace): ReportedIssue[] {
  const path = issue.file === null ? null : pathOf(issue.file, place);
  const file = path === null ? undefined : fileOf(path, files);
  if (path !== null && file === undefined) return [];
  if (file !== undefined && issue.line !== null && !touches(file, issue.line, issue.lineEnd ?? issue.line)) return [];
  const { line, lineEnd, severity, category, description, impact, suggestion } = issue;
  // The name of a rule is no category.
  const words = { severity, category: category ?? 'logic', description, impact, suggestion };
  return [
    {
      file: file?.path ?? null,
      line,
      lineEnd,
      ...words,
      type: issue.type ?? issue.ruleId,
      patch: file === undefined ? null : patchOf(issue, file, place),
    },
  ];
}

/** A tool that runs in a folder names files from there; the end of one path only is that file. */
function fileOf(path: string, files: readonly SubjectFile[]): SubjectFile | undefined {
  const ending = files.filter((one) => one.path.endsWith(`/${path}`));
  return files.find((one) => one.path === path) ?? (ending.length === 1 ? ending[0] : undefined);
}

function pathOf(written: string, place: Workplace): string {
  const root = [place.scratch, place.dir]
    .flatMap((folder) => [folder, realpathSync(folder)])
    .find((folder) => written.startsWith(`${folder}/`));
  return root === undefined ? written.replace(/^\.\//, '') : written.slice(root.length + 1);
}

/** A fix of one place in the file itself, as a patch of whole lines. */
function patchOf(issue: SarifIssue, file: SubjectFile, place: Workplace): string | null {
  const [fix] = issue.fixes;
  if (fix === undefined || !file.exact || issue.fixes.length !== 1 || fileOf(pathOf(fix.file, place), [file]) === undefined) return null;
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
