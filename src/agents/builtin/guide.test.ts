import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadOwnRules } from './load-rules.ts';
import { OXLINT_RULES } from './oxlint-rules.ts';
import { Language } from './rule.ts';

const GUIDE = readFileSync(new URL('../../../docs/builtin.md', import.meta.url), 'utf8');
const rules = await loadOwnRules(Language.options);

test('the guide lists every rule as it is', () => {
  const listed = GUIDE.split('\n').filter((line) => /^\| `[a-z]+-/.test(line));
  const rows = rules.map(
    ({ id, severity, category, fixes, message }) => `| \`${id}\` | ${severity} | ${category} | ${fixes ? 'yes' : ''} | ${message} |`,
  );
  assert.deepEqual(
    listed.toSorted((a, b) => (a < b ? -1 : 1)),
    rows.toSorted((a, b) => (a < b ? -1 : 1)),
  );
});

test('the guide counts the rules as they are', () => {
  assert.match(GUIDE, new RegExp(`\\| ${rules.length} rules of ours`));
  assert.match(GUIDE, new RegExp(`\\| ${Object.keys(OXLINT_RULES).length} chosen rules of oxlint`));
  assert.match(GUIDE, new RegExp(`^${rules.filter(({ fixes }) => fixes).length} of the rules bring an exact fix`, 'm'));
});
