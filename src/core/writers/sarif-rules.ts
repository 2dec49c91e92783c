import { bySeverity } from '../finding.ts';
import type { Category, Finding, Severity } from '../finding.ts';
import { oneLine } from '../prompts/fence.ts';
import { redact } from '../secrets.ts';

const LONGEST_ID = 200;

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  suggestion: 'note',
};

/** The middle of the band that code scanning shows under the same name. */
const SCORES: Readonly<Record<Severity, string>> = { critical: '9.5', high: '8.0', medium: '5.5', low: '3.0', suggestion: '3.0' };

const MEANINGS: Readonly<Record<Category, string>> = {
  security: 'Somebody could do or see what they must not.',
  architecture: 'The parts of the program are cut or joined in a way that will cost later.',
  logic: 'The program does something else than it is meant to.',
  style: 'The code is harder to read than it needs to be, or breaks the habits of the project.',
  performance: 'The program takes more time or memory than it needs.',
  testing: 'What the program does is not tested, or a test does not pass.',
  documentation: 'What is written about the program is missing or wrong.',
};

/** How bad a result is in the words of SARIF. */
export function levelOf(severity: Severity): 'error' | 'warning' | 'note' {
  return LEVELS[severity];
}

/** The rule that a finding is a case of: its tag, else its category. */
export function ruleIdOf({ tag, category }: Pick<Finding, 'tag' | 'category'>): string {
  const words = oneLine(redact(tag ?? ''));
  return words === '' ? `volley/${category}` : words.slice(0, LONGEST_ID).toWellFormed();
}

type RuleCase = Pick<Finding, 'tag' | 'category' | 'severity' | 'description' | 'impact' | 'suggestion'>;

/** The rules of some findings, one per id, as bad as the worst finding of each. */
export function rulesOf(findings: readonly RuleCase[]): readonly { readonly id: string }[] {
  const byId = Map.groupBy(findings, ruleIdOf);
  return [...byId].map(([id, cases]) => {
    const severity = cases.toSorted(bySeverity)[0]?.severity ?? 'medium';
    const category = cases.some((one) => one.category === 'security') ? 'security' : (cases[0]?.category ?? 'logic');
    const isTag = cases.some((one) => one.tag !== null && id !== `volley/${one.category}`);
    return {
      id,
      ...nameOf(id),
      ...wordsOf(cases, isTag ? `Findings tagged '${id}'.` : `Findings about ${category}.`, MEANINGS[category]),
      defaultConfiguration: { level: LEVELS[severity] },
      properties: { category, severity, ...(category === 'security' ? { 'security-severity': SCORES[severity] } : {}), tags: [category] },
    };
  });
}

/** What viewers say about a rule: its own words where all its findings use the same, else words about its kind. */
function wordsOf(cases: readonly RuleCase[], title: string, meaning: string): object {
  const same = (words: (one: RuleCase) => string | null): string | null => {
    const all = new Set(cases.map(words));
    const [only = null] = all.size === 1 ? [...all] : [];
    return only === null ? null : oneLine(redact(only)) || null;
  };
  const [description, impact, suggestion] = [same((one) => one.description), same((one) => one.impact), same((one) => one.suggestion)];
  return {
    shortDescription: { text: impact === null ? title : (description ?? title) },
    fullDescription: { text: impact ?? meaning },
    help: { text: suggestion ?? 'The message of each result says what is wrong. Change the code, or settle the finding in Volley.' },
  };
}

/** The friendly name that viewers show: one word in Pascal case, and another one than the id. */
function nameOf(id: string): { readonly name?: string } {
  const words = id.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^\p{L}/u.test(name) && name.toLowerCase() !== id.toLowerCase() ? { name } : {};
}
