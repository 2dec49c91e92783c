import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import type { Change, ChangedFile } from '../../core/diff.ts';
import { plainAgent } from '../../core/settings.ts';
import type { AgentSpec } from '../../core/settings.ts';
import type { AgentEvent, AgentInput } from '../agent.ts';
import { fakeInput } from '../fake.ts';
import { builtin } from './driver.ts';

const SARIF_EMPTY = '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"t"}},"results":[]}]}';
const root = mkdtempSync(join(tmpdir(), 'volley-builtin-'));
let folder = '';
let sessions = 0;

type Issue = {
  readonly file: string;
  readonly line: number;
  readonly type: string;
  readonly severity: string;
  readonly description: string;
  readonly patch: string | null;
};

describe('the built-in reviewer', () => {
  beforeEach(() => void (folder = join(root, String((sessions += 1)))));
  after(() => rmSync(root, { recursive: true }));

  it('reports what is wrong on changed lines only', async () => {
    const issues = await issuesIn({
      'a.js': { old: ['items.forEach(async (x) => { await x; });'], added: ['items.forEach(async (y) => { await y; });'] },
    });
    assert.deepEqual(
      issues.map(({ file, line, type }) => [file, line, type]),
      [['a.js', 2, 'js-foreach-async']],
    );
  });
  it('never repeats the value of a secret', async () => {
    const value = ['ghp', 'R4nd0mV4lu3Th4tN0b0dyKn0ws12345678Ab'].join('_');
    const result = await resultOf({ 'a.py': { added: [`TOKEN = "${value}"`] } });
    assert.match(result, /"type":"secret"/);
    assert.ok(!result.includes(value));
  });
  it('finds secrets also where rules do not look, and says what was not analysed', async () => {
    const value = ['ghp', 'R4nd0mV4lu3Th4tN0b0dyKn0ws12345678Ab'].join('_');
    const result = await resultOf({
      'vendor/lib/a.js': { added: [`const token = "${value}"; items.forEach(async (x) => { await x; });`] },
    });
    assert.match(result, /"type":"secret"/);
    assert.doesNotMatch(result, /js-foreach-async/);
    assert.match(result, /vendor\/lib\/a\.js: built or taken from others/);
  });
  it('is not silenced by comments of the change, and tells of them', async () => {
    const issues = await issuesIn({
      'a.js': {
        added: [
          '// ast-grep-ignore',
          '',
          'items.forEach(async (x) => { await x; }); // oxlint-disable-line',
          '/* eslint-disable */',
          'const o = { k: 1, k: 2 };',
        ],
      },
    });
    assert.deepEqual(
      issues.map(({ line, type }) => [line, type]),
      [
        [3, 'js-foreach-async'],
        [5, 'no-dupe-keys'],
        [1, 'silenced-review'],
        [3, 'silenced-review'],
        [4, 'silenced-review'],
        [5, 'no-unused-vars'],
      ],
    );
  });
  it('obeys comments that were there before', async () => {
    const old = ['// ast-grep-ignore', 'items.forEach(async (x) => { await x; });'];
    assert.deepEqual(await issuesIn({ 'a.js': { old, added: ['items.push(1);'] } }), []);
  });
  it('reads code in another encoding, and calls what it cannot read unread', async () => {
    const files = {
      'a.js': { added: ['// caf\u00e9', 'items.forEach(async (x) => { await x; });'] },
      'b.js': { added: ['x'.repeat(1_100_000)] },
    };
    const issues = await issuesIn(files, {}, { encoding: 'latin1' });
    assert.deepEqual(
      issues.map(({ file, line, type }) => [file, line, type]),
      [
        ['a.js', 2, 'js-foreach-async'],
        ['b.js', null, 'not-analysed'],
      ],
    );
  });
  it('knows code by capital endings too, and reads it in two bytes per character', async () => {
    const code = 'items.forEach(async (x) => { await x; });';
    const files = { 'A.JS': { added: [code] }, 'b.js': { added: [code] }, 'C.PY': { added: ['assert (a, "b")'] } };
    assert.deepEqual(
      (await issuesIn(files)).map(({ file }) => file).toSorted((a, b) => (a < b ? -1 : 1)),
      ['A.JS', 'C.PY', 'b.js'],
    );
    const wide = await issuesIn({ 'w.js': { added: [`\uFEFF${code}`] } }, {}, { encoding: 'utf16le' });
    assert.deepEqual(
      wide.map(({ type }) => type),
      ['js-foreach-async'],
    );
  });
  it('offers no fix that would change a text over several lines', async () => {
    const added = ['def f(cur):', '    cur.execute("""SELECT a FROM t', 'WHERE b = NULL""")'];
    const found = (await issuesIn({ 'a.py': { added } })).find(({ type }) => type === 'sql-null-compare');
    assert.deepEqual([found?.line, found?.patch], [2, null]);
  });
  it('gives no finding the fix of another one on its line', async () => {
    const added = ['again: switch (x) { case NaN: f(); }'];
    const found = (await issuesIn({ 'a.js': { added } })).find(({ type }) => type === 'use-isnan');
    assert.deepEqual([found?.line, found?.patch], [1, null]);
  });
  it('calls code that does not parse unread', async () => {
    const issues = await issuesIn({ 'a.js': { added: ['const x = ;'] } });
    assert.deepEqual(
      issues.map(({ file, type, severity }) => [file, type, severity]),
      [['a.js', 'not-linted', 'medium']],
    );
  });
  it('keeps the value of a secret out of patches of other lines', async () => {
    const value = ['Xk9#mQ2v', 'L7pW'].join('');
    const result = await resultOf({
      'a.js': { added: [`const password = '${value}';`, `if (user === NaN) log('no login as admin/${value}');`] },
    });
    assert.ok(!result.includes(value));
  });
  it('knows scripts by their first line', async () => {
    const files = { 'bin/tool': { added: ['#!/usr/bin/env python3', 'assert (a, "b")'] }, 'bin/run': { added: ['#!/bin/bash', 'run $@'] } };
    assert.deepEqual(
      new Set((await issuesIn(files)).map(({ file, type }) => `${file} ${type}`)),
      new Set(['bin/tool py-assert-tuple', 'bin/run sh-unquoted-args']),
    );
  });
  it('says for which files it has no rules', async () => {
    const result = await resultOf({ 'a.php': { added: ['<?php eval($_GET["x"]);'] } });
    assert.match(result, /rules looked at 0 files; only secrets were looked for in a\.php/);
  });
  it('leaves out the rules that are switched off', async () => {
    const files = { 'a.js': { added: ['items.forEach(async (x) => { await x; });'] } };
    assert.deepEqual(await issuesIn(files, { ignore: ['js-foreach-async'] }), []);
  });
  it('obeys no configuration of the repository', async () => {
    const files = {
      'a.js': { added: ['if (a = 1) {}', 'const o = { k: 1, k: 2 };'] },
      '.oxlintrc.json': { added: ['{ "rules": { "no-dupe-keys": "off" }, "jsPlugins": ["./evil.js"] }'] },
      'sgconfig.yml': { added: ['ruleDirs: [nowhere]', 'customLanguages: { js: { libraryPath: evil.so, extensions: [js] } }'] },
      'evil.js': { added: ['throw new Error("loaded");'] },
    };
    assert.ok((await issuesIn(files)).some(({ type }) => type === 'no-dupe-keys'));
  });
  it('takes the rules of the project, of its own words or of ast-grep’s', async () => {
    const rules = [
      {
        name: '.volley/rules/a.yml',
        text: 'id: no-frobnicate\nlanguages: [js, python]\nseverity: high\ncategory: architecture\nmessage: Do not call $F.\nrule: { pattern: $F($A) }\nconstraints: { F: { regex: ^frobnicate$ } }\n',
      },
      { name: '.volley/rules/b.yml', text: 'id: plain\nlanguage: Ruby\nseverity: warning\nmessage: No exit.\nrule: { pattern: exit }\n' },
    ];
    const files = { 'a.ts': { added: ['frobnicate(1);'] }, 'b.py': { added: ['frobnicate(2)'] }, 'c.rb': { added: ['exit'] } };
    const found = await issuesIn(files, {}, { rules });
    assert.deepEqual(
      new Set(found.map(({ file, type, description }) => `${file} ${type}: ${description}`)),
      new Set(['a.ts no-frobnicate: Do not call frobnicate.', 'b.py no-frobnicate: Do not call frobnicate.', 'c.rb plain: No exit.']),
    );
  });
  it('gives no verdict where a rule of the project is wrong, and names it', async () => {
    const files = { 'a.js': { added: ['f();'] } };
    for (const [text, words] of [
      [
        'id: x1y\nlanguages: [js]\nmessage: m\nrule: { kind: no_such_kind }\n',
        /The rule x1y in \.volley\/rules\/a\.yml is wrong: .*no_such_kind/,
      ],
      ['id: x1y\nmessage: m\nseverity: terrible\nrule: { pattern: f() }\n', /\.volley\/rules\/a\.yml: severity must be/],
      ['id: [\n', /\.volley\/rules\/a\.yml is no YAML/],
    ] as const) {
      const end = await run(files, {}, { rules: [{ name: '.volley/rules/a.yml', text }] });
      assert.ok(end.type === 'failed');
      assert.match(end.message, words);
    }
  });
  it('takes what a SARIF tool says about the changed lines, with its fix', async () => {
    const issues = await issuesIn(
      { 'a.txt': { old: ['fine'], added: ['teh end'] } },
      { sarif: [`echo 'noise'; cat <<'END'\n${SARIF}\nEND`] },
    );
    assert.deepEqual(
      issues.map(({ line, type }) => [line, type]),
      [[2, 'spelling']],
    );
    assert.match(issues[0]?.patch ?? '', /^-teh end\n\+the end$/m);
  });
  for (const [command, reason] of [
    ['echo no sarif', 'crashed'],
    ['exit 3', 'crashed'],
    [`echo '${SARIF_EMPTY.replace('[]', '[{"message":{"text":"x"}}]')}'; nosuchtool`, 'crashed'],
    [`echo '${SARIF_EMPTY}'; exit 3`, 'crashed'],
    ['sleep 60', 'timed-out'],
    ['while :; do sleep 0.05; echo x; done', 'timed-out'],
  ] as const) {
    it(`a SARIF tool that does '${command}' leaves the review without a verdict`, async () => {
      const end = await run({ 'a.txt': { added: ['x'] } }, { sarif: [command] }, { input: { wallMs: 600 } });
      assert.ok(end.type === 'failed');
      assert.equal(end.reason, reason);
    });
  }
  it('a cancelled session ends as cancelled', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const end = await run({ 'a.txt': { added: ['x'] } }, { sarif: ['sleep 60'] }, { signal: controller.signal });
    assert.ok(end.type === 'failed' && end.reason === 'cancelled');
  });
  it('plays no other role', async () => {
    const end = await run({ 'a.txt': { added: ['x'] } }, {}, { input: { role: 'author' } });
    assert.ok(end.type === 'failed');
    assert.match(end.message, /cannot be the author/);
  });
});

const SARIF = JSON.stringify({
  version: '2.1.0',
  runs: [
    {
      tool: { driver: { name: 'speller', version: '1.0' } },
      results: [1, 2].map((startLine) => ({
        ruleId: 'spelling',
        level: 'warning',
        message: { text: 'A word is misspelt.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'a.txt' }, region: { startLine } } }],
        fixes: [
          {
            artifactChanges: [
              {
                artifactLocation: { uri: 'a.txt' },
                replacements: [
                  { deletedRegion: { startLine, startColumn: 1, endLine: startLine, endColumn: 4 }, insertedContent: { text: 'the' } },
                ],
              },
            ],
          },
        ],
      })),
    },
  ],
});

type Files = Readonly<Record<string, { readonly old?: readonly string[]; readonly added: readonly string[] }>>;
type Given = {
  readonly rules?: AgentInput['subject']['rules'];
  readonly input?: Partial<AgentInput>;
  readonly signal?: AbortSignal;
  readonly encoding?: BufferEncoding;
};

async function issuesIn(files: Files, spec: Partial<AgentSpec> = {}, given: Given = {}): Promise<readonly Issue[]> {
  return (JSON.parse(await resultOf(files, spec, given)) as { issues: Issue[] }).issues;
}

async function resultOf(files: Files, spec: Partial<AgentSpec> = {}, given: Given = {}): Promise<string> {
  const end = await run(files, spec, given);
  assert.ok(end.type === 'ended', end.type === 'failed' ? end.message : '');
  return end.result ?? '';
}

async function run(files: Files, spec: Partial<AgentSpec>, given: Given): Promise<Extract<AgentEvent, { type: 'ended' | 'failed' }>> {
  const cwd = join(folder, 'checkout');
  for (const [path, { old = [], added }] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), [...old, ...added, ''].join('\n'), given.encoding ?? 'utf8');
  }
  const input = fakeInput({
    cwd,
    scratch: cwd,
    resultFile: join(folder, 'result'),
    marker: `builtin-test-${process.pid}-${sessions}`,
    subject: { change: changeOf(files), findings: [], rules: given.rules ?? [] },
    ...given.input,
  });
  const events: AgentEvent[] = [];
  const agent = builtin.create(plainAgent({ name: 'builtin', driver: 'builtin', ...spec }), { homes: folder });
  for await (const event of agent.run(input, given.signal ?? new AbortController().signal)) events.push(event);
  const last = events.at(-1);
  assert.ok(last?.type === 'ended' || last?.type === 'failed');
  return last;
}

function changeOf(files: Files): Change {
  const sections = Object.entries(files).map(([path, { old = [], added }]) =>
    [
      `diff --git a/${path} b/${path}`,
      `--- ${old.length === 0 ? '/dev/null' : `a/${path}`}`,
      `+++ b/${path}`,
      `@@ -${old.length === 0 ? 0 : 1},${old.length} +1,${old.length + added.length} @@`,
      ...old.map((line) => ` ${line}`),
      ...added.map((line) => `+${line}`),
      '',
    ].join('\n'),
  );
  const changed = Object.entries(files).map(([path, { old = [], added }]): ChangedFile => ({
    path,
    oldPath: null,
    status: old.length === 0 ? 'added' : 'modified',
    oldMode: '100644',
    newMode: '100644',
    oldBlob: null,
    newBlob: 'b',
    binary: false,
    submodule: false,
    added: added.length,
    removed: 0,
  }));
  return { base: 'base', mergeBase: 'base', head: 'head', tree: 'tree', files: changed, patch: sections.join(''), patchSha256: '' };
}
