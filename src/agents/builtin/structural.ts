import type { ReportedIssue } from '../../core/finding.ts';
import { linePatch, linesOf } from '../../core/line-patch.ts';
import { AnalysisFailed, count, issueAt } from './analysis.ts';
import type { Analysis, Workplace } from './analysis.ts';
import { scan } from './ast-grep.ts';
import type { Match } from './ast-grep.ts';
import { loadOwnRules, readRules } from './load-rules.ts';
import type { RuleText } from './load-rules.ts';
import { languageOf } from './rule.ts';
import type { Rule } from './rule.ts';
import { touches } from './subject-files.ts';
import type { SubjectFile } from './subject-files.ts';

/** The rules to look for: those of the project beside our own, without the ones that are switched off. */
export type RuleChoice = { readonly project: readonly RuleText[]; readonly ignore: readonly string[] };

/** Matches structural rules against the changed lines. */
export async function analyseStructure(files: readonly SubjectFile[], choice: RuleChoice, place: Workplace): Promise<Analysis> {
  const rules = await chooseRules(files, choice);
  const matches = await matchAll(
    files.map(({ path }) => path),
    rules,
    place,
  );
  const byPath = new Map(files.map((file) => [file.path, file]));
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const issues = matches.flatMap((match) => {
    const [file, rule] = [byPath.get(match.file), byId.get(match.ruleId)];
    return file === undefined || rule === undefined ? [] : issueOf(match, file, rule);
  });
  return {
    issues: withoutTwins(issues),
    did: `ast-grep: ${count(rules.length, 'rule')} on ${count(files.length, 'file')}`,
    result: `${count(matches.length, 'match').replace('matchs', 'matches')}, ${issues.length} on changed lines`,
  };
}

async function chooseRules(files: readonly SubjectFile[], { project, ignore }: RuleChoice): Promise<readonly Rule[]> {
  const languages = new Set(files.flatMap(({ path }) => languageOf(path) ?? []));
  const own = languages.size === 0 ? [] : await loadOwnRules(languages);
  const theirs = readRules(project);
  if (theirs.problems.length > 0) throw new AnalysisFailed(`A rule of the project is wrong: ${theirs.problems.join('; ')}`);
  // A rule of the project replaces ours of the same name.
  const named = new Map([...own, ...theirs.rules].map((rule) => [rule.id, rule]));
  return [...named.values()].filter(({ id }) => !ignore.includes(id));
}

/** The engine reads all rules at once and names none that is wrong, so a wrong one is looked for among those that we did not write. */
async function matchAll(files: readonly string[], rules: readonly Rule[], place: Workplace): Promise<Match[]> {
  try {
    return await scan({ rules, files }, place);
  } catch (error) {
    if (!(error instanceof AnalysisFailed) || error.reason !== 'crashed') throw error;
    for (const rule of rules.filter(({ origin }) => origin !== null)) {
      await scan({ rules: [rule], files: files.slice(0, 1) }, place).catch((cause: Error) => {
        throw new AnalysisFailed(`The rule ${rule.id} in ${rule.origin} is wrong: ${cause.message}`);
      });
    }
    throw error;
  }
}

function issueOf(match: Match, file: SubjectFile, rule: Rule): ReportedIssue[] {
  const line = match.range.start.line + 1;
  // A match that ends before the first character of a line does not reach that line.
  const lineEnd = Math.max(line, match.range.end.line + (match.range.end.column === 0 ? 0 : 1));
  if (!touches(file, line, lineEnd)) return [];
  const patch = patchOf(match, file);
  return [
    issueAt({ file: file.path, line, lineEnd }, rule, {
      description: match.message,
      impact: rule.impact,
      suggestion: rule.suggestion,
      patch: patch === null || patch.line < line || patch.lineEnd > lineEnd ? null : patch.text,
    }),
  ];
}

/** The replacement of a match as a patch of whole lines. */
function patchOf(match: Match, file: SubjectFile): { readonly text: string; readonly line: number; readonly lineEnd: number } | null {
  const { replacement, replacementOffsets: at } = match;
  if (replacement === undefined || at === undefined) return null;
  const bytes = Buffer.from(file.text);
  const before = bytes.toString('utf8', 0, at.start);
  const after = bytes.toString('utf8', at.end);
  const start = before.lastIndexOf('\n') + 1;
  const rest = after.indexOf('\n');
  const [tail, isLast] = rest < 0 ? [after, true] : [after.slice(0, rest), false];
  const line = linesOf(before.slice(0, start)).length + 1;
  const removed = linesOf(bytes.toString('utf8', Buffer.byteLength(before.slice(0, start)), at.end) + tail).length;
  const changed = `${before.slice(start)}${replacement}${tail}`;
  // A statement that is taken away takes its line with it.
  const added = changed.trim() === '' ? [] : changed.split('\n');
  const text = isLast && added.length === 0 ? null : linePatch(file.path, file.text, { line, removed, added });
  return text === null ? null : { text, line, lineEnd: line + removed - 1 };
}

/** The same rule may match a node and the one around it; one finding per place is enough. */
function withoutTwins(issues: readonly ReportedIssue[]): ReportedIssue[] {
  const seen = new Set<string>();
  return issues.filter(({ file, line, type }) => {
    const key = `${file}\0${line}\0${type}`;
    return !seen.has(key) && seen.add(key);
  });
}
