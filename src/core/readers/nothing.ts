const KINDS =
  'critical|important|minor|major|high|medium|low|must-fix|blocking|blocker|new|further|other|significant|additional|known|open|remaining|and|or';
const NONE = /^(?:none|n\/a|nil|nothing|no|keine|aucun)(?: (?:found|identified|detected|noted|to report|at this time))?$/;
const NO_ISSUES = new RegExp(
  `^(?:there (?:are|were) )?no (?:(?:${KINDS})[\\s,/]+){0,6}(?:issues?|findings?|problems?|concerns?|comments?|bugs?|suggestions?)` +
    `(?: (?:were |was )?(?:found|identified|detected|noted|remain|remaining|to report))?(?: at this time| in this (?:change|review|round))?$`,
);

/** Whether words in the place of a finding only say that there is none. */
export function saysNothing(text: string): boolean {
  if (text.length > 120) return false;
  const words = text
    .toLowerCase()
    .replace(/\uFE0F/g, '')
    .replace(/[*_`#>[\]().!✅☑✓✔–—-]+/gu, ' ')
    .replace(/must fix/g, 'must-fix')
    .replace(/\s+/g, ' ')
    .trim();
  return words === '' || NONE.test(words) || NO_ISSUES.test(words);
}
