import type { Category, Severity } from '../../core/finding.ts';
export const OXLINT_RULES: Readonly<Record<string, { readonly severity: Severity; readonly category: Category }>> = {
  'no-dupe-keys': { severity: 'high', category: 'logic' },
  'use-isnan': { severity: 'high', category: 'logic' },
};
export function oxlintConfig(): object {
  return { plugins: [], categories: { correctness: 'off' }, rules: { 'no-dupe-keys': 'warn', 'use-isnan': 'warn' } };
}
export function configName(id: string): string {
  return id.replace(/^eslint\((.*)\)$/, '$1');
}
