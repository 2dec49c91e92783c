import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { sarifFinding as finding, sarifReport as report, SARIF_TEXT as TEXT } from '../../../test/support/sarif-report.ts';
import type { SarifFinding } from '../../../test/support/sarif-report.ts';
import { Category, Severity } from '../finding.ts';
import { linePatch } from '../line-patch.ts';
import { readSarif } from '../readers/sarif.ts';
import type { SarifIssue } from '../readers/sarif.ts';
import { writeSarif } from './sarif.ts';
import type { SarifReport } from './sarif.ts';

const Region = z.looseObject({ startLine: z.number(), endLine: z.number(), snippet: z.object({ text: z.string() }).optional() });
const Location = z.object({
  physicalLocation: z.object({ artifactLocation: z.object({ uri: z.string(), uriBaseId: z.string() }), region: Region.optional() }),
  message: z.object({ text: z.string() }).optional(),
});
const Result = z.object({
  ruleId: z.string(),
  ruleIndex: z.number(),
  level: z.string(),
  message: z.object({ text: z.string() }),
  locations: z.tuple([Location]).optional(),
  partialFingerprints: z.object({ 'volleyFinding/v1': z.string() }),
  fixes: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()),
});
const Rule = z.looseObject({
  id: z.string(),
  defaultConfiguration: z.object({ level: z.string() }),
  properties: z.record(z.string(), z.unknown()),
});
const Run = z.looseObject({
  tool: z.object({ driver: z.looseObject({ rules: z.array(Rule) }) }),
  invocations: z.tuple([z.record(z.string(), z.unknown())]),
  versionControlProvenance: z.array(z.unknown()).optional(),
  results: z.array(Result),
  properties: z.record(z.string(), z.unknown()),
});

function run(written: SarifReport): z.infer<typeof Run> {
  const log = z.object({ runs: z.tuple([Run]) }).parse(JSON.parse(JSON.stringify(writeSarif(written))));
  return log.runs[0];
}

function result(part: Partial<SarifFinding>, rest: Partial<SarifReport> = {}): z.infer<typeof Result> {
  const [only] = run(report([finding(part)], rest)).results;
  assert.ok(only !== undefined);
  return only;
}

function readBack(written: SarifReport): readonly SarifIssue[] {
  const reading = readSarif(JSON.stringify(writeSarif(written)));
  assert.ok(reading.kind === 'sarif');
  return reading.issues;
}

test('a finding is a result at its lines, with the words on it', () => {
  const impact = 'Greetings look wrong.';
  const { partialFingerprints, ...rest } = result({ line: 2, lineEnd: 3, impact, suggestion: 'Trim it.', tag: 'missing-trim' });
  assert.deepEqual(rest, {
    ruleId: 'missing-trim',
    ruleIndex: 0,
    level: 'error',
    message: { text: 'The name is not trimmed.\n\nGreetings look wrong.' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'src/greet.ts', uriBaseId: 'SRCROOT' },
          region: { startLine: 2, endLine: 3, snippet: { text: 'second\nthird' } },
        },
      },
    ],
    properties: {
      id: '29.1',
      status: 'open',
      provenance: 'original',
      source: 'reviewer',
      severity: 'high',
      category: 'logic',
      place: 'changed',
      impact,
      suggestion: 'Trim it.',
    },
  });
  assert.match(partialFingerprints['volleyFinding/v1'], /^[0-9a-f]{16}$/);
});

test('only what still stands is a result, and the rest is counted', () => {
  const statuses = ['open', 'persisting', 'fixed', 'reopened', 'disputed', 'refuted', 'accepted'] as const;
  const { results, properties } = run(report(statuses.map((status) => finding({ status }))));
  assert.deepEqual(
    results.map((one) => one.properties.status),
    ['open', 'persisting', 'reopened', 'disputed'],
  );
  assert.deepEqual(properties, {
    verdict: 'changes_requested',
    findings: { open: 1, persisting: 1, fixed: 1, reopened: 1, disputed: 1, refuted: 1, accepted: 1 },
  });
});

test('each tag is one rule, as bad as its worst finding, and security if one of them is', () => {
  const { tool, results } = run(
    report([
      finding({ tag: 'dead-code', severity: 'low', category: 'style' }),
      finding({ tag: null, severity: 'medium' }),
      finding({ tag: 'dead-code', severity: 'critical', category: 'security' }),
      finding({ tag: '  ', severity: 'suggestion' }),
    ]),
  );
  assert.deepEqual(
    tool.driver.rules.map(({ id, name, defaultConfiguration, properties }) => ({
      id,
      name,
      level: defaultConfiguration.level,
      properties,
    })),
    [
      {
        id: 'dead-code',
        name: 'DeadCode',
        level: 'error',
        properties: { category: 'security', severity: 'critical', 'security-severity': '9.5', tags: ['security'] },
      },
      { id: 'volley/logic', name: 'VolleyLogic', level: 'warning', properties: { category: 'logic', severity: 'medium', tags: ['logic'] } },
    ],
  );
  assert.deepEqual(
    results.map(({ ruleIndex, level }) => [ruleIndex, level]),
    [
      [0, 'note'],
      [1, 'warning'],
      [0, 'error'],
      [1, 'note'],
    ],
  );
});

test('a rule is named after its tag, and has no friendly name where that would be its id again', () => {
  const rules = (tag: string | null): unknown =>
    run(report([finding({ tag })])).tool.driver.rules.map(({ id, name, shortDescription }) => [id, name, shortDescription]);
  assert.deepEqual(rules('dead-code'), [['dead-code', 'DeadCode', { text: "Findings tagged 'dead-code'." }]]);
  assert.deepEqual(rules('secret'), [['secret', undefined, { text: "Findings tagged 'secret'." }]]);
  assert.deepEqual(rules('«…»'), [['«…»', undefined, { text: "Findings tagged '«…»'." }]]);
  assert.deepEqual(rules('two\n lines'), [['two lines', 'TwoLines', { text: "Findings tagged 'two lines'." }]]);
  assert.deepEqual(rules(null), [['volley/logic', 'VolleyLogic', { text: 'Findings about logic.' }]]);
});

for (const [file, uri] of [
  ['src/a b.ts', 'src/a%20b.ts'],
  ['src/ü#?%41.ts', 'src/%C3%BC%23%3F%2541.ts'],
  ['a:b\\c.ts', 'a%3Ab%5Cc.ts'],
  ['bad \uD800 name', 'bad%20%EF%BF%BD%20name'],
] as const) {
  test(`the path ${JSON.stringify(file)} is written as ${uri}`, () => {
    assert.equal(result({ file }).locations?.[0].physicalLocation.artifactLocation.uri, uri);
  });
}

test('what lies nowhere in the repository has no location but the one that stands for it', () => {
  for (const part of [
    { file: null, place: 'unplaced' },
    { file: 'the whole thing', place: 'unplaced' },
    { file: '/usr/include/stdio.h', place: 'outside' },
    { file: 'C:\\include\\stdio.h', place: 'outside' },
    { file: '../other/a.ts', place: 'outside' },
    { file: 'https://host/a.ts', place: 'outside' },
  ] as const) {
    const { locations, properties } = result(part);
    assert.deepEqual([locations, properties.file ?? null], [undefined, part.file]);
    const standIn = result(part, { unplacedAt: 'src/a b.ts' }).locations?.[0];
    assert.equal(standIn?.physicalLocation.artifactLocation.uri, 'src/a%20b.ts');
    assert.match(standIn?.message?.text ?? '', /names no place/);
  }
});

test('a finding on a whole file, or on lines that the file does not have, has no region', () => {
  const region = (part: Partial<SarifFinding>, rest: Partial<SarifReport> = {}): unknown =>
    result(part, rest).locations?.[0].physicalLocation.region;
  assert.equal(region({ line: null }), undefined);
  assert.equal(region({ line: 2, place: 'file' }), undefined);
  assert.equal(region({ line: 5 }), undefined);
  assert.deepEqual(region({ line: 3, lineEnd: 9 }), { startLine: 3, endLine: 4, snippet: { text: 'third\nfourth' } });
  assert.deepEqual(region({ line: 50, lineEnd: 52 }, { textOf: () => null }), { startLine: 50, endLine: 52 });
});

const TOKEN = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYz'}`;
const KEY = [
  '-----BEGIN RSA PRIVATE KEY-----',
  ...Array.from({ length: 3 }, (_, n) => `MIIEpAIBAAKCAQEA${n}wZ8vK3xTqYbN5cRfLhJmDgSeWuPoXiVk`),
  '-----END RSA PRIVATE KEY-----',
];

test('no secret is in a log, whatever holds it', () => {
  const text = ['const a = 1;', `const token = '${TOKEN}';`, ...KEY, "const odd = 'xyzzy-0815';", ''].join('\n');
  const findings = [
    finding({
      line: 2,
      description: `The token ${TOKEN} is in the source.`,
      impact: `Whoever has ${TOKEN} can push.`,
      suggestion: `Revoke ${TOKEN}.`,
    }),
    finding({ line: 5, description: 'A line in the middle of a key.' }),
    finding({ line: 8, tag: 'secret', description: 'A value of a generator.' }),
    finding({ line: 8, lineEnd: 9, description: 'The same line for another reason.' }),
    finding({ line: 1, tag: TOKEN }),
    finding({ line: 1, patch: linePatch('src/greet.ts', text, { line: 1, removed: 1, added: [`const a = '${TOKEN}';`] }) }),
    finding({ file: `use ${TOKEN}`, place: 'unplaced' }),
  ];
  const rest = {
    textOf: () => text,
    exitCodeDescription: `push with ${TOKEN} failed`,
    root: { repositoryUri: `https://me:${TOKEN}@host/r.git`, revision: null, branch: null },
  };
  const log = JSON.stringify(writeSarif(report(findings, rest)));
  for (const secret of [TOKEN, 'wZ8vK3xTqYbN5cRfLhJmDgSeWuPoXiVk', 'xyzzy-0815']) assert.ok(!log.includes(secret), secret);
  assert.ok(log.includes('[secret: GitHub token]') && log.includes('const a = 1;'));
});

test('lines around a secret are quoted', () => {
  const text = ['above', ...KEY, 'below', ''].join('\n');
  const quoted = (line: number): unknown => result({ line }, { textOf: () => text }).locations?.[0].physicalLocation.region?.snippet?.text;
  assert.deepEqual([1, 2, 4, 6, 7].map(quoted), ['above', undefined, undefined, undefined, 'below']);
});

test('a fingerprint stays when lines above come and go, and two findings never share one', () => {
  const names = (above: string, line: number): readonly string[] =>
    run(
      report([finding({ line }), finding({ line: line + 1 }), finding({ line }), finding({ line, tag: 'other' })], {
        textOf: () => `${above}${TEXT}`,
      }),
    ).results.map((one) => one.partialFingerprints['volleyFinding/v1']);
  assert.deepEqual(names('', 2), names('new\nlines\n', 4));
  assert.equal(new Set(names('', 2)).size, 4);
  assert.equal(names('', 2)[2], `${names('', 2)[0]}:2`);
});

test('a patch that fits the file is a fix', () => {
  const patch = linePatch('src/greet.ts', TEXT, { line: 2, removed: 1, added: ['SECOND', 'and a half'] });
  assert.deepEqual(result({ patch, suggestion: 'Shout.' }).fixes, [
    {
      description: { text: 'Shout.' },
      artifactChanges: [
        {
          artifactLocation: { uri: 'src/greet.ts', uriBaseId: 'SRCROOT' },
          replacements: [
            { deletedRegion: { startLine: 2, startColumn: 1, endLine: 2, endColumn: 7 }, insertedContent: { text: 'SECOND\nand a half' } },
          ],
        },
      ],
    },
  ]);
  assert.equal(result({ patch, file: 'src/other.ts' }).fixes, undefined);
  assert.equal(result({ patch }, { textOf: () => null }).fixes, undefined);
  assert.equal(result({ patch: 'just words' }).fixes, undefined);
});

test('a run without a verdict did not succeed, so that no results are not taken for an approval', () => {
  const outcome = (part: Partial<SarifReport>): unknown => {
    const reading = readSarif(JSON.stringify(writeSarif(report([], part))));
    return reading.kind === 'sarif' ? reading.problems : null;
  };
  assert.deepEqual(outcome({ exitCode: 0, verdict: 'approved' }), []);
  assert.deepEqual(outcome({ exitCode: 3, verdict: 'changes_requested' }), []);
  assert.deepEqual(outcome({ exitCode: 2, verdict: 'needs_discussion' }), []);
  assert.deepEqual(outcome({ exitCode: 0, verdict: null, exitCodeDescription: 'nothing to review' }), []);
  assert.deepEqual(outcome({ exitCode: 2, verdict: null, exitCodeDescription: 'The reviewer gave no verdict.' }), [
    'Volley did not succeed: The reviewer gave no verdict.',
    'Volley: The reviewer gave no verdict.',
  ]);
  for (const exitCode of [1, 130]) assert.notDeepEqual(outcome({ exitCode, verdict: 'approved' }), [], String(exitCode));
});

for (const [remote, uri] of [
  ['https://github.com/o/r.git', 'https://github.com/o/r.git'],
  ['https://user:pass@word@host:8443/o/r', 'https://host:8443/o/r'],
  ['git@github.com:o/r.git', 'ssh://github.com/o/r.git'],
  ['ssh://git@host/o/r%20x.git', 'ssh://host/o/r%20x.git'],
  ['/home/me/repo', null],
  ['C:\\repo', null],
  ['file:///home/me/repo', null],
  ['../repo.git', null],
] as const) {
  test(`the remote ${remote} is shown as ${uri}`, () => {
    const root = { repositoryUri: remote, revision: 'a'.repeat(40), branch: 'main' };
    const version = { revisionId: 'a'.repeat(40), branch: 'main', mappedTo: { uriBaseId: 'SRCROOT' } };
    assert.deepEqual(run(report([], { root })).versionControlProvenance, uri === null ? undefined : [{ repositoryUri: uri, ...version }]);
  });
}

const anyFinding = fc.record<SarifFinding>({
  id: fc.constant('29.1'),
  status: fc.constant('open'),
  provenance: fc.constantFrom('original', 'fix-induced', 'late'),
  source: fc.constantFrom('reviewer', 'gate', 'person', 'engine', 'forge'),
  severity: fc.constantFrom(...Severity.options),
  category: fc.constantFrom(...Category.options),
  tag: fc.oneof(fc.constant(null), fc.constantFrom('dead-code', 'eslint(no-empty)', 'a/b', 'ünïcode', '{0}')),
  file: fc
    .array(fc.constantFrom('src', 'a b', 'ü', '100%', 'x#y?', "it's", 'a:b', '%41'), { minLength: 1, maxLength: 4 })
    .map((parts) => `d/${parts.join('/')}`),
  line: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 4 })),
  lineEnd: fc.constant(null),
  place: fc.constantFrom('changed', 'outside'),
  description: fc.constantFrom('Words.', 'Code {0} and {{x}}, calls[i](1).', 'Two\n\nparagraphs', 'ends in impact'),
  impact: fc.oneof(fc.constant(null), fc.constantFrom('impact', 'It {1} breaks.')),
  suggestion: fc.oneof(fc.constant(null), fc.constant('Do it.')),
  patch: fc.constant(null),
});

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.array(anyFinding, { maxLength: 5 }), (findings) => {
      const securityTags = findings.filter(({ category }) => category === 'security').map(({ tag }) => tag ?? 'volley/security');
      const expected = findings.map(({ file, line, lineEnd, severity, category, tag, description, impact, suggestion }) => ({
        file,
        line,
        lineEnd,
        severity,
        category: securityTags.includes(tag ?? '') ? 'security' : category,
        type: tag ?? `volley/${category}`,
        description,
        impact,
        suggestion,
      }));
      const got = readBack(report(findings)).map(({ patch: _patch, ruleId: _ruleId, fixes: _fixes, flags: _flags, ...rest }) => rest);
      assert.deepEqual(got, expected);
    }),
    { numRuns: 300 },
  );
});

test('a patch is read back as edits that make the same text', () => {
  const patch = linePatch('src/greet.ts', TEXT, { line: 2, removed: 2, added: ['2'] });
  const [issue] = readBack(report([finding({ patch })]));
  const edit = { startLine: 2, startColumn: 1, endLine: 3, endColumn: 6, columnKind: 'utf16CodeUnits', insertedText: '2' };
  assert.deepEqual(issue?.fixes, [{ file: 'src/greet.ts', ...edit }]);
});
