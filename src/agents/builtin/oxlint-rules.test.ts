import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { z } from 'zod';
import { findOxlint } from './oxlint.ts';
import { configName, OXLINT_RULES, oxlintConfig } from './oxlint-rules.ts';

const folder = mkdtempSync(join(tmpdir(), 'volley-oxlint-rules-'));
after(() => rmSync(folder, { recursive: true }));

const Sarif = z.object({ runs: z.array(z.object({ results: z.array(z.object({ ruleId: z.string() })) })) });

const PLANTED: readonly (readonly [rule: string, file: string, code: string])[] = [
  ['no-dupe-keys', 'a.js', 'export default { port: 1, port: 2 };'],
  ['no-const-assign', 'a.ts', 'const rounds = 1;\nexport const next = () => (rounds = 2);'],
  [
    'no-constant-condition',
    'a.ts',
    'export const f = (user: { role: string }) => {\n  if ((user.role = "admin")) return 1;\n  return 2;\n};',
  ],
  ['no-debugger', 'a.mjs', 'debugger;'],
  ['no-eval', 'a.cjs', 'module.exports = (text) => eval(text);'],
  ['no-implied-eval', 'a.js', 'setTimeout("go()", 5);'],
  ['no-self-assign', 'a.ts', 'export const f = (name: string) => {\n  name = name;\n  return name;\n};'],
  ['no-unsafe-negation', 'a.ts', 'export const f = (x: unknown) => !x instanceof Date;'],
  ['no-unused-vars', 'a.ts', "import { join } from 'node:path';\nexport const x = 1;"],
  ['use-isnan', 'a.js', 'export const f = (x) => x === NaN;'],
  ['valid-typeof', 'a.js', 'export const f = (x) => typeof x === "strnig";'],
  ['oxc/missing-throw', 'a.ts', 'export function f() {\n  new Error("no such file");\n}'],
  ['promise/no-new-statics', 'a.ts', 'export const done = new Promise.resolve(1);'],
  ['react/rules-of-hooks', 'a.tsx', 'export function Page({ on }) {\n  if (on) useEffect(() => {});\n  return <p />;\n}'],
  ['typescript/no-duplicate-enum-values', 'a.ts', 'export enum Colour { Red = 1, Green = 1 }'],
  ['unicorn/no-invalid-fetch-options', 'a.ts', 'await fetch("/x", { method: "GET", body: "y" });'],
];

const MEANT: readonly (readonly [file: string, code: string])[] = [
  ['a.js', 'export function read(next) {\n  while (true) {\n    const line = next();\n    if (line === null) return;\n  }\n}'],
  ['a.js', 'export const handler = (req, res, next) => res.end();'],
  ['a.js', 'export function start(on) {\n  if (on) useColour();\n}'],
  ['a.js', 'export const clear = (canvas) => {\n  canvas.width = canvas.width;\n};'],
  ['a.ts', 'export const rest = ({ a, ...others }: Record<string, number>) => others;'],
  ['a.ts', 'export const f = (x: unknown) => {\n  const _never: never = x as never;\n};'],
  ['a.ts', 'export class A extends Error {\n  x = 0;\n  constructor() {\n    super(), (this.x = 1);\n  }\n}'],
];

describe('the chosen rules of oxlint', () => {
  it('are known to the installed oxlint', () => {
    assert.deepEqual(lint('a.js', ''), []);
  });
  it('would not be taken by it under an invented name', () => {
    assert.throws(() => lint('a.js', '', { ...oxlintConfig(), rules: { 'no-such-rule': 'warn' } }), /no-such-rule/);
  });
  for (const [rule, file, code] of PLANTED) {
    it(`find what ${rule} is about, under its name in the table`, () => {
      const found = lint(file, code);
      assert.ok(found.includes(rule), `found ${found.join(', ') || 'nothing'}`);
      assert.deepEqual(
        found.filter((name) => !Object.hasOwn(OXLINT_RULES, name)),
        [],
      );
    });
  }
  for (const [file, code] of MEANT) {
    it(`leave alone: ${code.replaceAll(/\s+/g, ' ').slice(0, 60)}`, () => {
      assert.deepEqual(lint(file, code), []);
    });
  }
});

describe('the name of a rule in the table', () => {
  it('is the bare name for the rules of ESLint', () => {
    assert.equal(configName('eslint(no-dupe-keys)'), 'no-dupe-keys');
  });
  it('carries the plugin for all others', () => {
    assert.equal(configName('typescript(no-misused-new)'), 'typescript/no-misused-new');
    assert.equal(configName('react-hooks(rules-of-hooks)'), 'react/rules-of-hooks');
  });
  it('is what was given where that names no plugin', () => {
    assert.equal(configName('OXL0001'), 'OXL0001');
  });
});

function lint(file: string, code: string, config: object = oxlintConfig()): string[] {
  const oxlint = findOxlint();
  assert.ok(oxlint !== null, 'oxlint is installed');
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, file), code);
  const argv = [oxlint.program, '--config', 'config.json', '--disable-nested-config', '--format', 'sarif', file];
  const { stdout } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' });
  assert.ok(stdout.startsWith('{'), stdout);
  return Sarif.parse(JSON.parse(stdout)).runs.flatMap(({ results }) => results.map(({ ruleId }) => configName(ruleId)));
}
