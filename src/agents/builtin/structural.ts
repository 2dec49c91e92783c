import type { ReportedIssue } from '../../core/finding.ts';
import { linePatch, linesOf } from '../../core/line-patch.ts';
import { counted } from '../../core/words.ts';
import { AnalysisFailed, issueAt } from './analysis.ts';
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
    files.map(({ name }) => name),
    rules,
    place,
  );
  const byPath = new Map(files.map((file) => [file.name, file]));
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  // What one rule finds on one line is one finding, whose fix mends all of it.
  const places = Map.groupBy(matches, ({ file, ruleId, range }) => `${file}\0${ruleId}\0${range.start.line}`);
  const issues = [...places.values()].flatMap((found) => {
    const [first] = found;
    const [file, rule] = [byPath.get(first?.file ?? ''), byId.get(first?.ruleId ?? '')];
    return file === undefined || rule === undefined ? [] : issueOf(found, file, rule);
  });
  return {
    issues,
    tool: 'ast-grep scan',
    result: `${counted(rules.length, 'rule')} on ${counted(files.length, 'file')}: ${counted(matches.length, 'match', 'matches')}, ${issues.length} on changed lines`,
  };
}

async function chooseRules(files: readonly SubjectFile[], { project, ignore }: RuleChoice): Promise<readonly Rule[]> {
  const languages = new Set(files.flatMap(({ name }) => languageOf(name) ?? []));
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

function issueOf(found: readonly Match[], file: SubjectFile, rule: Rule): ReportedIssue[] {
  const ends = found.map(({ range }) => range.end.line + (range.end.column === 0 ? 0 : 1));
  const line = (found[0]?.range.start.line ?? 0) + 1;
  // A match that ends before the first character of a line does not reach that line.
  const lineEnd = Math.max(line, ...ends);
  if (!touches(file, line, lineEnd)) return [];
  const patch = patchOf(found, file);
  return [
    issueAt({ file: file.path, line, lineEnd }, rule, {
      description: found[0]?.message ?? '',
      impact: rule.impact,
      suggestion: rule.suggestion,
      patch: patch === null || patch.line < line || patch.lineEnd > lineEnd ? null : patch.text,
    }),
  ];
}

/** The replacements of matches as one patch of whole lines; none where they touch each other or one has none. */
function patchOf(
  found: readonly Match[],
  file: SubjectFile,
): { readonly text: string; readonly line: number; readonly lineEnd: number } | null {
  const edits = found
    .flatMap(({ replacement, replacementOffsets: at }) => (replacement === undefined || at === undefined ? [] : [{ replacement, ...at }]))
    .toSorted((a, b) => a.start - b.start);
  const [first, last] = [edits[0], edits.at(-1)];
  const isApart = edits.every((edit, index) => index === 0 || edit.start >= (edits[index - 1]?.end ?? 0));
  if (!file.exact || first === undefined || last === undefined || edits.length < found.length || !isApart) return null;
  const bytes = Buffer.from(file.text);
  if (!edits.every((edit) => keepsIndentation(bytes.toString('utf8', edit.start, edit.end), edit.replacement))) return null;
  const from = first.start === 0 ? 0 : bytes.lastIndexOf('\n', first.start - 1) + 1;
  const newline = bytes.indexOf('\n', last.end);
  const to = newline < 0 ? bytes.length : newline;
  let changed = '';
  let at = from;
  for (const { start, end, replacement } of edits) {
    changed += bytes.toString('utf8', at, start) + replacement;
    at = end;
  }
  changed += bytes.toString('utf8', at, to);
  const line = linesOf(bytes.toString('utf8', 0, from)).length + 1;
  const removed = bytes.toString('utf8', from, to).split('\n').length;
  // A statement that is taken away takes its line with it.
  const added = changed.trim() === '' ? [] : changed.split('\n');
  const text = newline < 0 && added.length === 0 ? null : linePatch(file.path, file.text, { line, removed, added });
  return text === null ? null : { text, line, lineEnd: line + removed - 1 };
}

/** The engine indents what it puts in over several lines, which would change texts that span them. */
function keepsIndentation(before: string, after: string): boolean {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const indentation = (line: string | undefined): string => /^\s*/.exec(line ?? '')?.[0] ?? '';
  return (
    old.length === 1 ||
    (old.length === now.length && old.every((line, index) => index === 0 || indentation(line) === indentation(now[index])))
  );
}
