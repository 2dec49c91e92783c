import type { Category, Severity } from '../../core/finding.ts';

/**
 * The rules of oxlint that the built-in reviewer lets it apply, by their names in its configuration.
 * They need no types. They were run over published packages: what is often meant as it stands there is `low` or left out.
 */
export const OXLINT_RULES: Readonly<Record<string, { readonly severity: Severity; readonly category: Category }>> = {
  'for-direction': { severity: 'high', category: 'logic' },
  'no-async-promise-executor': { severity: 'medium', category: 'logic' },
  'no-class-assign': { severity: 'medium', category: 'logic' },
  'no-compare-neg-zero': { severity: 'low', category: 'logic' },
  'no-const-assign': { severity: 'high', category: 'logic' },
  'no-constant-binary-expression': { severity: 'medium', category: 'logic' },
  'no-constant-condition': { severity: 'medium', category: 'logic' },
  'no-debugger': { severity: 'medium', category: 'logic' },
  'no-dupe-class-members': { severity: 'high', category: 'logic' },
  'no-dupe-else-if': { severity: 'medium', category: 'logic' },
  'no-dupe-keys': { severity: 'medium', category: 'logic' },
  'no-duplicate-case': { severity: 'medium', category: 'logic' },
  'no-empty-character-class': { severity: 'medium', category: 'logic' },
  'no-eval': { severity: 'medium', category: 'security' },
  'no-global-assign': { severity: 'medium', category: 'logic' },
  'no-implied-eval': { severity: 'high', category: 'security' },
  'no-import-assign': { severity: 'high', category: 'logic' },
  'no-invalid-regexp': { severity: 'high', category: 'logic' },
  'no-loss-of-precision': { severity: 'low', category: 'logic' },
  'no-misleading-character-class': { severity: 'low', category: 'logic' },
  'no-new-func': { severity: 'low', category: 'security' },
  'no-new-native-nonconstructor': { severity: 'high', category: 'logic' },
  'no-obj-calls': { severity: 'high', category: 'logic' },
  'no-self-assign': { severity: 'medium', category: 'logic' },
  'no-this-before-super': { severity: 'high', category: 'logic' },
  'no-unassigned-vars': { severity: 'low', category: 'logic' },
  'no-unexpected-multiline': { severity: 'low', category: 'logic' },
  'no-unreachable': { severity: 'low', category: 'logic' },
  'no-unsafe-finally': { severity: 'low', category: 'logic' },
  'no-unsafe-negation': { severity: 'high', category: 'logic' },
  'no-unsafe-optional-chaining': { severity: 'medium', category: 'logic' },
  'no-unused-labels': { severity: 'low', category: 'style' },
  'no-unused-private-class-members': { severity: 'low', category: 'style' },
  'no-unused-vars': { severity: 'low', category: 'style' },
  'no-useless-backreference': { severity: 'medium', category: 'logic' },
  'no-useless-catch': { severity: 'low', category: 'style' },
  'no-with': { severity: 'medium', category: 'logic' },
  'use-isnan': { severity: 'high', category: 'logic' },
  'valid-typeof': { severity: 'high', category: 'logic' },
  'oxc/bad-array-method-on-arguments': { severity: 'high', category: 'logic' },
  'oxc/bad-char-at-comparison': { severity: 'high', category: 'logic' },
  'oxc/bad-comparison-sequence': { severity: 'low', category: 'logic' },
  'oxc/bad-match-all-arg': { severity: 'high', category: 'logic' },
  'oxc/bad-min-max-func': { severity: 'high', category: 'logic' },
  'oxc/bad-object-literal-comparison': { severity: 'high', category: 'logic' },
  'oxc/bad-replace-all-arg': { severity: 'high', category: 'logic' },
  'oxc/const-comparisons': { severity: 'medium', category: 'logic' },
  'oxc/missing-throw': { severity: 'high', category: 'logic' },
  'oxc/number-arg-out-of-range': { severity: 'high', category: 'logic' },
  'oxc/uninvoked-array-callback': { severity: 'high', category: 'logic' },
  'promise/no-new-statics': { severity: 'high', category: 'logic' },
  'react/jsx-key': { severity: 'low', category: 'logic' },
  'react/jsx-no-comment-textnodes': { severity: 'medium', category: 'logic' },
  'react/jsx-no-duplicate-props': { severity: 'medium', category: 'logic' },
  'react/no-danger-with-children': { severity: 'high', category: 'logic' },
  'react/no-direct-mutation-state': { severity: 'high', category: 'logic' },
  'react/rules-of-hooks': { severity: 'high', category: 'logic' },
  'react/void-dom-elements-no-children': { severity: 'high', category: 'logic' },
  'typescript/no-duplicate-enum-values': { severity: 'medium', category: 'logic' },
  'typescript/no-misused-new': { severity: 'medium', category: 'logic' },
  'typescript/no-non-null-asserted-optional-chain': { severity: 'medium', category: 'logic' },
  'typescript/no-unsafe-declaration-merging': { severity: 'medium', category: 'architecture' },
  'unicorn/no-accessor-recursion': { severity: 'high', category: 'logic' },
  'unicorn/no-array-fill-with-reference-type': { severity: 'low', category: 'logic' },
  'unicorn/no-await-in-promise-methods': { severity: 'low', category: 'performance' },
  'unicorn/no-invalid-fetch-options': { severity: 'high', category: 'logic' },
  'unicorn/no-invalid-remove-event-listener': { severity: 'high', category: 'logic' },
  'unicorn/no-new-buffer': { severity: 'medium', category: 'security' },
};

const CATEGORIES = ['correctness', 'suspicious', 'pedantic', 'perf', 'style', 'restriction', 'nursery'];

/** What keeps a rule from being wrong where people mean what they wrote. */
const OPTIONS: Readonly<Record<string, object>> = {
  'no-constant-condition': { checkLoops: false },
  // A property may have a setter.
  'no-self-assign': { props: false },
  'no-unused-vars': { vars: 'local', args: 'none', caughtErrors: 'none', ignoreRestSiblings: true, varsIgnorePattern: '^_' },
};

/** Elsewhere a function may be called use… without being a hook. */
const ONLY_WITH_JSX = ['react/rules-of-hooks'];

/** What oxlint is told: these rules and nothing else. */
export function oxlintConfig(): object {
  const names = Object.keys(OXLINT_RULES);
  return {
    plugins: ['typescript', 'unicorn', 'oxc', 'promise', 'react'],
    categories: Object.fromEntries(CATEGORIES.map((category) => [category, 'off'])),
    // The rule on code in texts knows setTimeout only as a global of one of these.
    env: { browser: true, node: true },
    rules: Object.fromEntries(names.filter((name) => !ONLY_WITH_JSX.includes(name)).map(switchOn)),
    overrides: [{ files: ['**/*.jsx', '**/*.tsx'], rules: Object.fromEntries(ONLY_WITH_JSX.map(switchOn)) }],
  };
}

/** The name in the table of a rule as oxlint's results call it: eslint(no-eval) is no-eval, oxc(missing-throw) oxc/missing-throw. */
export function configName(sarifRuleId: string): string {
  const [, plugin = '', name = ''] = /^([\w-]+)\((.+)\)$/.exec(sarifRuleId) ?? [];
  if (name === '') return sarifRuleId;
  if (plugin === 'eslint') return name;
  return `${plugin === 'react-hooks' ? 'react' : plugin}/${name}`;
}

function switchOn(name: string): [string, unknown] {
  const options = OPTIONS[name];
  return [name, options === undefined ? 'warn' : ['warn', options]];
}
