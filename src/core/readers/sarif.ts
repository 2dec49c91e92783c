import { Severity } from '../finding.ts';
import type { ReportedIssue } from '../finding.ts';
import { categoryWord } from './category.ts';
import { amountOf, isRecord, parseJson, textOf } from './coerce.ts';
import { MAX_ISSUES, surplusIssue } from './result-json.ts';
import { readFix } from './sarif-fix.ts';
import type { SarifReplacement } from './sarif-fix.ts';
import { entryOf, listOf, recordOf, wordsOf } from './sarif-json.ts';
import type { Json } from './sarif-json.ts';
import { messageText, plainText, withoutPointers } from './sarif-message.ts';
import { openPaths, placeOf } from './sarif-place.ts';
import type { PathOf } from './sarif-place.ts';
import { problemsOf } from './sarif-problems.ts';
import { openTool } from './sarif-rules.ts';
import type { SarifRule, SarifTool } from './sarif-rules.ts';

/** One result of an analysis tool as an issue. */
export type SarifIssue = ReportedIssue & {
  readonly ruleId: string | null;
  /** The edits of its first fix, to be made together or not at all. */
  readonly fixes: readonly SarifReplacement[];
  /** What a person should know about how it was read. */
  readonly flags: readonly string[];
};

/** What a SARIF log says. */
export type SarifReading =
  | {
      readonly kind: 'sarif';
      /** One per run. */
      readonly tools: readonly { readonly name: string; readonly version: string | null }[];
      readonly issues: readonly SarifIssue[];
      /** How many results somebody has settled already, in the source or elsewhere. */
      readonly suppressed: number;
      /** What went wrong in the tool itself; where there is one, no issues does not mean that nothing is wrong. */
      readonly problems: readonly string[];
    }
  | { readonly kind: 'unreadable'; readonly detail: string };

const MAX_PROBLEMS = 20;
const MAX_STARTS = 5;
const MAX_TAGS = 50;
const LONGEST = 20_000;
const LONGEST_IMPACT = 500;
const LONGEST_WORD = 100;
const NO_WORDS = '(the tool gave no words)';

/** Reads a SARIF 2.1.0 log, also behind lines that another program printed first; broken parts are flagged, never dropped. More than `most` issues are counted. */
export function readSarif(text: string, most: number = MAX_ISSUES): SarifReading {
  const found = findLog(text);
  if ('detail' in found) return { kind: 'unreadable', detail: found.detail };
  const tools: SarifTool[] = [];
  const issues: SarifIssue[] = [];
  const problems = found.runs.length === 0 ? ['the log holds no run'] : [];
  let suppressed = 0;
  let surplus = 0;
  for (const value of found.runs) {
    const run = openRun(recordOf(value));
    tools.push(run.tool);
    for (const problem of problemsOf(run.json, run.tool)) if (problems.length < MAX_PROBLEMS) problems.push(problem);
    for (const result of listOf(run.json.results)) {
      const standing = standingOf(recordOf(result));
      if (standing === 'suppressed') suppressed += 1;
      else if (standing === 'problem' && issues.length < most) issues.push(issueOf(result, run));
      else if (standing === 'problem') surplus += 1;
    }
  }
  if (surplus > 0) issues.push({ ...surplusIssue(surplus), ruleId: null, fixes: [], flags: [] });
  return { kind: 'sarif', tools: tools.map(({ name, version }) => ({ name, version })), issues, suppressed, problems };
}

type Found = { readonly runs: readonly unknown[] } | { readonly detail: string };

/** The runs of the log in a text: all of it, or what begins with one of its first lines that open an object. */
function findLog(text: string): Found {
  const whole = parseJson(text);
  if (whole.ok) return runsOf(whole.value);
  const end = text.lastIndexOf('}') + 1;
  let detail = 'there is no JSON object in it';
  let tries = 0;
  for (const { 0: opening, index } of text.matchAll(/^[^\S\n]*\{/gm)) {
    const parsed = parseJson(text.slice(index + opening.length - 1, end));
    if (parsed.ok) return runsOf(parsed.value);
    if (tries === 0) detail = `it is not JSON (${parsed.problem})`;
    if ((tries += 1) === MAX_STARTS) break;
  }
  return { detail };
}

function runsOf(log: unknown): Found {
  const { runs } = recordOf(log);
  return Array.isArray(runs) ? { runs } : { detail: 'it has no list of runs' };
}

type Run = { readonly json: Json; readonly tool: SarifTool; readonly pathOf: PathOf };

function openRun(json: Json): Run {
  return { json, tool: openTool(json), pathOf: openPaths(json) };
}

const NO_PROBLEM: readonly unknown[] = ['pass', 'open', 'review', 'notApplicable', 'informational'];

/** Whether a result counts; a word that nobody knows does not excuse it. */
function standingOf(result: Json): 'problem' | 'suppressed' | 'none' {
  if (NO_PROBLEM.includes(result.kind) || result.baselineState === 'absent') return 'none';
  const suppressions = listOf(result.suppressions);
  const isSuppressed = suppressions.length > 0 && suppressions.every(isAccepted);
  return isSuppressed ? 'suppressed' : 'problem';
}

function isAccepted(suppression: unknown): boolean {
  return isRecord(suppression) && (suppression.status === undefined || suppression.status === 'accepted');
}

function issueOf(value: unknown, run: Run): SarifIssue {
  const result = isRecord(value) ? value : { message: textOf(value) };
  const rule = run.tool.ruleOf(result);
  const place = placeOf(result, run.pathOf);
  const { fixes, flag } = readFix(result, { columnKind: run.json.columnKind, pathOf: run.pathOf });
  return {
    ...place,
    severity: severityOf(result, rule),
    category: categoryOf(result, rule),
    type: rule.id,
    ...wordsFor(result, rule),
    suggestion: wordsOf(entryOf(result.properties, 'suggestion'), LONGEST) ?? plainText(recordOf(listOf(result.fixes)[0]).description),
    patch: null,
    ruleId: rule.id,
    fixes,
    flags: [...placeFlags(result, place.file), ...(flag === null ? [] : [flag])],
  };
}

/** What is wrong, and why it matters: in the result's own words if it has some, as ours have, else in those of its rule. */
function wordsFor(result: Json, rule: SarifRule): Pick<ReportedIssue, 'description' | 'impact'> {
  const written = messageText(result.message, rule);
  const message = written === null ? null : withoutPointers(written, result.relatedLocations);
  const description = message ?? plainText(rule.json.shortDescription) ?? plainText(rule.json.fullDescription) ?? rule.id ?? NO_WORDS;
  const own = entryOf(result.properties, 'impact');
  if (own === undefined) return { description, impact: ruleImpact(rule, description) };
  const impact = wordsOf(own, LONGEST);
  const tail = impact === null ? '' : `\n\n${impact}`;
  return { description: description.endsWith(tail) ? description.slice(0, description.length - tail.length) : description, impact };
}

function ruleImpact({ json }: SarifRule, description: string): string | null {
  const said = lettersOf(description);
  const text = [json.fullDescription, json.help].map((one) => plainText(one)).find((one) => one !== null && !said.includes(lettersOf(one)));
  if (text === undefined || text === null) return null;
  return text.length <= LONGEST_IMPACT ? text : `${text.slice(0, LONGEST_IMPACT - 2).trimEnd()} …`;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

const LEVELS = new Map<unknown, Severity>([
  ['error', 'high'],
  ['warning', 'medium'],
  ['note', 'low'],
  ['none', 'suggestion'],
]);

/** A word of ours for this very result, else the score that security tools give, else the level, the rule's or the default one. */
function severityOf(result: Json, rule: SarifRule): string {
  const own = Severity.safeParse(entryOf(result.properties, 'severity'));
  if (own.success) return own.data;
  const score = scoreOf(result) ?? scoreOf(rule.json);
  if (score !== null) return score >= 9 ? 'critical' : score >= 7 ? 'high' : score >= 4 ? 'medium' : 'low';
  const level = wordsOf(result.level, LONGEST_WORD) ?? wordsOf(recordOf(rule.json.defaultConfiguration).level, LONGEST_WORD) ?? 'warning';
  return LEVELS.get(level) ?? level;
}

function categoryOf(result: Json, rule: SarifRule): string | null {
  const tags = [result, rule.json].flatMap((one) => listOf(entryOf(one.properties, 'tags')).slice(0, MAX_TAGS));
  const isSecurity = scoreOf(result) !== null || scoreOf(rule.json) !== null || tags.includes('security');
  const word = wordsOf(entryOf(result.properties, 'category') ?? entryOf(rule.json.properties, 'category'), LONGEST_WORD);
  return isSecurity ? 'security' : categoryWord(word ?? '');
}

function scoreOf({ properties }: Json): number | null {
  return amountOf(entryOf(properties, 'security-severity'));
}

function placeFlags(result: Json, file: string | null): readonly string[] {
  const [first, ...more] = listOf(result.locations);
  const logical = recordOf(listOf(recordOf(first).logicalLocations)[0]);
  const name = wordsOf(logical.fullyQualifiedName, LONGEST_WORD) ?? wordsOf(logical.name, LONGEST_WORD);
  return [
    ...(file === null && name !== null ? [`the tool names no file but '${name}'`] : []),
    ...(more.length > 0 ? [`the tool names ${more.length} more ${more.length === 1 ? 'place' : 'places'}`] : []),
  ];
}
