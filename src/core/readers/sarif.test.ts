import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_ISSUES } from './result-json.ts';
import { readSarif } from './sarif.ts';
import type { SarifIssue, SarifReading } from './sarif.ts';

type Log = Extract<SarifReading, { kind: 'sarif' }>;

function read(...runs: readonly unknown[]): Log {
  return readText(JSON.stringify({ version: '2.1.0', runs }));
}

function readText(text: string): Log {
  const reading = readSarif(text);
  assert.ok(reading.kind === 'sarif', JSON.stringify(reading));
  return reading;
}

/** The one issue of a run with one result. */
function issue(result: unknown, run: Readonly<Record<string, unknown>> = {}): SarifIssue {
  const { issues } = read({ tool: { driver: { name: 'lint' } }, ...run, results: [result] });
  assert.equal(issues.length, 1);
  return issues[0] as SarifIssue;
}

function at(artifactLocation: unknown, region?: unknown): unknown {
  return { message: { text: 'm' }, locations: [{ physicalLocation: { artifactLocation, region } }] };
}

function withRule(rule: unknown): Readonly<Record<string, unknown>> {
  return { tool: { driver: { name: 'lint', rules: [rule] } } };
}

test('a result becomes an issue', () => {
  const reading = read({
    tool: {
      driver: { name: 'lint', semanticVersion: '1.2.3', rules: [{ id: 'no-eval', fullDescription: { text: 'It runs any text.' } }] },
    },
    results: [
      {
        ruleId: 'no-eval',
        ruleIndex: 0,
        level: 'error',
        message: { text: 'eval is used' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a%20b.ts' }, region: { startLine: 3, endLine: 5 } } }],
        fixes: [
          {
            description: { text: 'Remove it' },
            artifactChanges: [
              {
                artifactLocation: { uri: 'src/a%20b.ts' },
                replacements: [
                  { deletedRegion: { startLine: 3, startColumn: 2, endLine: 3, endColumn: 6 }, insertedContent: { text: 'x' } },
                  { deletedRegion: { startLine: 5 } },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  const columnKind = 'utf16CodeUnits';
  assert.deepEqual(reading, {
    kind: 'sarif',
    tools: [{ name: 'lint', version: '1.2.3' }],
    issues: [
      {
        file: 'src/a b.ts',
        line: 3,
        lineEnd: 5,
        severity: 'high',
        category: null,
        type: 'no-eval',
        description: 'eval is used',
        impact: 'It runs any text.',
        suggestion: 'Remove it',
        patch: null,
        ruleId: 'no-eval',
        fixes: [
          { file: 'src/a b.ts', startLine: 3, startColumn: 2, endLine: 3, endColumn: 6, columnKind, insertedText: 'x' },
          { file: 'src/a b.ts', startLine: 5, startColumn: 1, endLine: 5, endColumn: null, columnKind, insertedText: '' },
        ],
        flags: [],
      },
    ],
    suppressed: 0,
    problems: [],
  });
});

test('the log of oxlint is read, which writes paths instead of URIs', () => {
  const found = issue(
    {
      ruleId: 'eslint(no-empty)',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'Unexpected empty block statements' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/a b#ü%.js', index: 0 },
            region: { startLine: 3, startColumn: 13, endLine: 3, endColumn: 16 },
          },
        },
      ],
    },
    withRule({ id: 'eslint(no-empty)', name: 'no-empty', properties: { category: 'correctness', plugin: 'eslint' } }),
  );
  assert.deepEqual([found.file, found.line, found.lineEnd, found.category], ['src/a b#ü%.js', 3, null, 'logic']);
});

test('the log of ast-grep is read, which has a version of its own and no rules', () => {
  const artifactLocation = { uri: 'b.js' };
  const region = { byteLength: 8, byteOffset: 0, startLine: 1, startColumn: 1, endLine: 1, endColumn: 9 };
  const reading = readText(
    JSON.stringify({
      runs: [
        {
          results: [
            {
              fixes: [
                { artifactChanges: [{ artifactLocation, replacements: [{ deletedRegion: region, insertedContent: { text: '' } }] }] },
              ],
              level: 'warning',
              locations: [{ physicalLocation: { artifactLocation, region } }],
              message: { text: 'No debugger' },
              ruleId: 'no-debugger',
            },
          ],
          tool: { driver: { name: 'ast-grep' } },
        },
      ],
      version: '0.51.0',
    }),
  );
  assert.deepEqual(reading.tools, [{ name: 'ast-grep', version: null }]);
  assert.deepEqual([reading.issues[0]?.severity, reading.issues[0]?.ruleId, reading.issues[0]?.fixes.length], ['medium', 'no-debugger', 1]);
});

for (const [uri, file] of [
  ['src/%C3%BC%23%25.ts', 'src/ü#%.ts'],
  ['./src/../lib/a.ts', 'lib/a.ts'],
  ['../a.ts', '../a.ts'],
  ['100%.ts', '100%.ts'],
  ['my file%20.ts', 'my file%20.ts'],
  ['file:///home/me/a%20b.ts', '/home/me/a b.ts'],
  ['FILE:/home/me/a.ts', '/home/me/a.ts'],
  ['file://localhost/home/a.ts', '/home/a.ts'],
  ['file:///C:/repo/a.ts', 'C:/repo/a.ts'],
  ['file://server/share/a.ts', '//server/share/a.ts'],
  ['C:\\repo\\a.ts', 'C:\\repo\\a.ts'],
  ['https://host/r/a%20b.ts', 'https://host/r/a b.ts'],
  ['a%3Ab.ts', 'a:b.ts'],
] as const) {
  test(`the URI ${uri} means ${file}`, () => {
    assert.equal(issue(at({ uri })).file, file);
  });
}

test('a URI is resolved against its base, and that against its own', () => {
  const originalUriBaseIds = {
    REPO: { uri: 'file:///home/ada/my%20repo/' },
    SRC: { uri: 'src', uriBaseId: 'REPO' },
    REL: { uri: 'packages/a/' },
    WEB: { uri: 'https://host/repo/' },
    BARE: { description: { text: 'the root' } },
    LOOP: { uri: 'x/', uriBaseId: 'LOOP' },
  };
  const file = (uriBaseId: unknown, uri = 'a.ts'): string | null => issue(at({ uri, uriBaseId }), { originalUriBaseIds }).file;
  assert.equal(file('REPO'), '/home/ada/my repo/a.ts');
  assert.equal(file('SRC'), '/home/ada/my repo/src/a.ts');
  assert.equal(file('SRC', '../b.ts'), '/home/ada/my repo/b.ts');
  assert.equal(file('SRC', 'file:///etc/a.ts'), '/etc/a.ts');
  assert.equal(file('REL'), 'packages/a/a.ts');
  for (const id of ['WEB', 'BARE', 'unknown', 'constructor', '__proto__', 7, null]) assert.equal(file(id), 'a.ts', String(id));
  assert.match(file('LOOP') ?? '', /^(?:x\/)+a\.ts$/);
});

test('an artifact is found by its index', () => {
  const artifacts = [{ location: { uri: 'b.ts', uriBaseId: 'SRC' } }];
  const run = { artifacts, originalUriBaseIds: { SRC: { uri: 'src/' } } };
  assert.equal(issue(at({ index: 0 }), run).file, 'src/b.ts');
  assert.equal(issue(at({ uri: 'c.ts', index: 0 }), run).file, 'c.ts');
  for (const index of [-1, 1, 0.5, '0', null]) assert.equal(issue(at({ index }), run).file, null);
});

test('lines are taken from the region, and what ends at column 1 ends on the line above', () => {
  const lines = (region: unknown): unknown => {
    const { line, lineEnd } = issue(at({ uri: 'a' }, region));
    return [line, lineEnd];
  };
  assert.deepEqual(lines({ startLine: 3 }), [3, null]);
  assert.deepEqual(lines({ startLine: 3, endLine: 3 }), [3, null]);
  assert.deepEqual(lines({ startLine: 3, endLine: 6, endColumn: 1 }), [3, 5]);
  assert.deepEqual(lines({ startLine: 3, endLine: 4, endColumn: 1 }), [3, null]);
  assert.deepEqual(lines({ startLine: 3, endLine: 2 }), [3, null]);
  assert.deepEqual(lines({ startLine: 0, endLine: 4 }), [null, null]);
  assert.deepEqual(lines({ charOffset: 10 }), [null, null]);
  assert.deepEqual(lines('nonsense'), [null, null]);
});

test('a result without a place is an issue without a file', () => {
  for (const locations of [undefined, [], [{}], 'here', [{ physicalLocation: null }]]) {
    const found = issue({ message: { text: 'm' }, locations });
    assert.deepEqual([found.file, found.line, found.description], [null, null, 'm']);
  }
});

test('the first place that has a file counts, and what else was named is said', () => {
  const first = { logicalLocations: [{ fullyQualifiedName: 'com.acme.Cart' }] };
  const second = { physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine: 2 } } };
  const several = issue({ message: { text: 'm' }, locations: [first, second] });
  assert.deepEqual([several.file, several.line, several.flags], ['a.ts', 2, ['the tool names 1 more place']]);
  const logical = issue({ message: { text: 'm' }, locations: [first] });
  assert.deepEqual([logical.file, logical.flags], [null, ["the tool names no file but 'com.acme.Cart'"]]);
  assert.equal(issue({ message: { text: 'm' }, analysisTarget: { uri: 'a.ts' } }).file, 'a.ts');
});

test('a message is found by its id and filled with its arguments', () => {
  const extension = { name: 'plug', globalMessageStrings: { g: { text: 'from the extension' } }, rules: [{ id: 'E1' }] };
  const run = {
    tool: {
      driver: {
        name: 'lint',
        rules: [{ id: 'R1', messageStrings: { m: { text: "{0} isn't {1} {{0}} {7}" }, md: { markdown: '**{0}**' } } }],
        globalMessageStrings: { g: { text: 'global {0}' } },
      },
      extensions: [extension],
    },
  };
  const words = (message: unknown, more: object = { ruleId: 'R1' }): string => issue({ message, ...more }, run).description;
  assert.equal(words({ id: 'm', arguments: ['it', 'so'] }), "it isn't so {0} {7}");
  assert.equal(words({ id: 'md', arguments: ['bold'] }), '**bold**');
  assert.equal(words({ id: 'g', arguments: [3] }), 'global 3');
  assert.equal(words({ id: 'g' }, { ruleId: 'E1', rule: { toolComponent: { index: 0 } } }), 'from the extension');
  assert.equal(words({ text: 'own {0}', arguments: ['words'] }), 'own words');
  assert.equal(words({ text: 'code {0} {{x}} stays' }), 'code {0} {{x}} stays');
  assert.equal(words({ markdown: '*only*' }), '*only*');
  assert.equal(words('bare words'), 'bare words');
  assert.equal(words({ id: 'gone', arguments: ['a'] }), "(message 'gone', whose text is not in the log) a");
  assert.equal(words({ id: 'toString' }), "(message 'toString', whose text is not in the log)");
});

test('a result without a message has the words of its rule', () => {
  assert.equal(issue({ ruleId: 'R' }, withRule({ id: 'R', shortDescription: { text: 'Short' } })).description, 'Short');
  assert.equal(issue({ ruleId: 'R', message: {} }, withRule({ id: 'R', fullDescription: { markdown: 'Full' } })).description, 'Full');
  assert.equal(issue({ ruleId: 'R' }).description, 'R');
  assert.equal(issue({}).description, '(the tool gave no words)');
  assert.equal(issue(null).description, '(the tool gave no words)');
  assert.equal(issue('just words').description, 'just words');
});

test('a pointer to a related place leaves only its words', () => {
  const text = 'calls[0](1) uses a [value](1) and [another](2)';
  assert.equal(issue({ message: { text }, relatedLocations: [{ id: 1 }] }).description, 'calls0 uses a value and [another](2)');
  assert.equal(issue({ message: { text } }).description, text);
});

test('a rule is found by index, by id, in an extension, and by the beginning of a longer id', () => {
  const rules = [
    { id: 'A', fullDescription: { text: 'of A' } },
    { id: 'B', fullDescription: { text: 'of B' } },
    { id: 'A', fullDescription: { text: 'of the other A' } },
  ];
  const tool = { driver: { name: 'lint', rules }, extensions: [{ rules: [{ id: 'X', fullDescription: { text: 'of X' } }] }] };
  const found = (result: object): unknown => {
    const { ruleId, impact } = issue({ message: { text: 'm' }, ...result }, { tool });
    return [ruleId, impact];
  };
  assert.deepEqual(found({ ruleIndex: 1 }), ['B', 'of B']);
  assert.deepEqual(found({ rule: { index: 0 } }), ['A', 'of A']);
  assert.deepEqual(found({ ruleId: 'B' }), ['B', 'of B']);
  assert.deepEqual(found({ rule: { id: 'B' } }), ['B', 'of B']);
  assert.deepEqual(found({ ruleId: 'B', ruleIndex: 0 }), ['B', 'of B']);
  assert.deepEqual(found({ ruleId: 'A/case', ruleIndex: 0 }), ['A/case', 'of A']);
  assert.deepEqual(found({ ruleId: 'A/case' }), ['A/case', 'of A']);
  assert.deepEqual(found({ ruleId: 'A', ruleIndex: 2 }), ['A', 'of the other A']);
  assert.deepEqual(found({ ruleId: 'A/case', ruleIndex: 2 }), ['A/case', 'of the other A']);
  assert.deepEqual(found({ rule: { index: 0, toolComponent: { index: 0 } } }), ['X', 'of X']);
  assert.deepEqual(found({ ruleId: 'A', rule: { toolComponent: { index: 0 } } }), ['A', 'of A']);
  assert.deepEqual(found({ ruleId: 'unknown', ruleIndex: 99 }), ['unknown', null]);
});

test('the level is the result’s, else the rule’s, else a warning', () => {
  const severity = (result: object, rule: object = {}): string | null =>
    issue({ ruleId: 'R', ...result }, withRule({ id: 'R', ...rule })).severity;
  assert.equal(severity({ level: 'error' }, { defaultConfiguration: { level: 'note' } }), 'high');
  assert.equal(severity({}, { defaultConfiguration: { level: 'note' } }), 'low');
  assert.equal(severity({}, { defaultConfiguration: { enabled: true } }), 'medium');
  assert.equal(severity({ level: 'none' }), 'suggestion');
  assert.equal(severity({ level: 'fatal' }), 'fatal');
  assert.equal(severity({ level: 7 }), 'medium');
});

test('a security score beats the level and makes the category security', () => {
  const judged = (score: unknown): unknown => {
    const { severity, category } = issue({ ruleId: 'R', level: 'note' }, withRule({ id: 'R', properties: { 'security-severity': score } }));
    return [severity, category];
  };
  assert.deepEqual(judged('9.8'), ['critical', 'security']);
  assert.deepEqual(judged('9.0'), ['critical', 'security']);
  assert.deepEqual(judged(7), ['high', 'security']);
  assert.deepEqual(judged('4.0'), ['medium', 'security']);
  assert.deepEqual(judged('0.0'), ['low', 'security']);
  assert.deepEqual(judged('high'), ['low', null]);
  const scored = issue({ message: { text: 'm' }, properties: { 'security-severity': '9.1' } });
  assert.deepEqual([scored.severity, scored.category], ['critical', 'security']);
});

test('the category is security by tag, else what the tool calls it if that is known', () => {
  const category = (properties: unknown): string | null => issue({ ruleId: 'R' }, withRule({ id: 'R', properties })).category;
  assert.equal(category({ tags: ['external/cwe/cwe-79', 'security'] }), 'security');
  assert.equal(category({ tags: ['maintainability'] }), null);
  assert.equal(category({ category: 'style' }), 'style');
  assert.equal(category({ category: 'restriction' }), null);
  assert.equal(category('nonsense'), null);
});

test('only results that fail are issues', () => {
  const kinds = ['fail', undefined, 'unheard-of', 'pass', 'open', 'review', 'notApplicable', 'informational'];
  const { issues } = read({ results: kinds.map((kind) => ({ kind, message: { text: String(kind) } })) });
  assert.deepEqual(
    issues.map(({ description }) => description),
    ['fail', 'undefined', 'unheard-of'],
  );
});

test('suppressed results are counted, and only an accepted suppression suppresses', () => {
  const suppressions = [
    [{ kind: 'inSource' }],
    [{ kind: 'external', status: 'accepted' }],
    [{ kind: 'external', status: 'underReview' }],
    [{ kind: 'inSource' }, { kind: 'external', status: 'rejected' }],
    [],
    ['yes'],
    null,
  ];
  const suppressed = suppressions.map((one) => read({ results: [{ message: { text: 'm' }, suppressions: one }] }).suppressed);
  assert.deepEqual(suppressed, [1, 1, 0, 0, 0, 0, 0]);
  assert.equal(read({ results: suppressions.map((one) => ({ suppressions: one })) }).issues.length, 5);
});

test('a result that is gone since the baseline is no issue', () => {
  const states = ['absent', 'new', 'unchanged', 'updated'];
  assert.equal(read({ results: states.map((baselineState) => ({ message: { text: 'm' }, baselineState })) }).issues.length, 3);
});

test('a rule’s description is the impact only where it says more than the message, cut to 500 characters', () => {
  const impact = (rule: object): string | null =>
    issue({ ruleId: 'R', message: { text: 'Do not use eval here.' } }, withRule({ id: 'R', ...rule })).impact;
  assert.equal(impact({ fullDescription: { text: 'do not use  EVAL' }, help: { text: 'It runs any text.' } }), 'It runs any text.');
  assert.equal(impact({ fullDescription: { text: 'Do not use eval here' } }), null);
  const long = impact({ help: { text: 'x'.repeat(600) } });
  assert.deepEqual([long?.length, long?.endsWith('x …')], [500, true]);
});

test('a fix is taken whole or not at all', () => {
  const whole = { deletedRegion: { startLine: 1 }, insertedContent: { text: 'x' } };
  const fixed = (...replacements: readonly unknown[]): SarifIssue =>
    issue({
      message: { text: 'm' },
      fixes: [{ artifactChanges: [{ artifactLocation: { uri: 'a' }, replacements }] }, { artifactChanges: [] }],
    });
  assert.equal(fixed(whole, whole).fixes.length, 2);
  for (const broken of [
    { insertedContent: { text: 'x' } },
    { deletedRegion: { byteOffset: 3, byteLength: 1 } },
    { deletedRegion: { startLine: 1 }, insertedContent: { binary: 'eA==' } },
    { deletedRegion: { startLine: 3, endLine: 2 } },
    { deletedRegion: { startLine: 3, startColumn: 5, endColumn: 2 } },
    { deletedRegion: { startLine: 3, endColumn: 'last' } },
    null,
  ]) {
    const { fixes, flags } = fixed(whole, broken);
    assert.deepEqual([fixes, flags], [[], ['its fix could not be read']], JSON.stringify(broken));
  }
  const nameless = issue({ message: { text: 'm' }, fixes: [{ artifactChanges: [{ replacements: [whole] }] }] });
  assert.deepEqual(nameless.flags, ['its fix could not be read']);
  assert.deepEqual(fixed(...Array.from({ length: 101 }, () => whole)).flags, ['its fix has more than 100 edits']);
});

test('columns count code points where the run says so', () => {
  const result = {
    message: { text: 'm' },
    fixes: [{ artifactChanges: [{ artifactLocation: { uri: 'a' }, replacements: [{ deletedRegion: { startLine: 1 } }] }] }],
  };
  assert.equal(issue(result, { columnKind: 'unicodeCodePoints' }).fixes[0]?.columnKind, 'unicodeCodePoints');
  assert.equal(issue(result, { columnKind: 'utf16CodeUnits' }).fixes[0]?.columnKind, 'utf16CodeUnits');
});

test('several runs are read in order', () => {
  const run = (name: string): unknown => ({ tool: { driver: { name } }, results: [{ message: { text: `of ${name}` } }] });
  const reading = read(run('a'), null, run('b'));
  assert.deepEqual(
    reading.tools.map(({ name }) => name),
    ['a', 'a tool without a name', 'b'],
  );
  assert.deepEqual(
    reading.issues.map(({ description }) => description),
    ['of a', 'of b'],
  );
});

test('what went wrong in the tool is a problem', () => {
  const driver = {
    name: 'lint',
    notifications: [{ id: 'N1', messageStrings: { m: { text: 'cannot read {0}' } }, defaultConfiguration: { level: 'error' } }],
  };
  const problems = (run: object): readonly string[] => read({ tool: { driver }, results: [], ...run }).problems;
  const invocation = (part: object): readonly string[] => problems({ invocations: [{ executionSuccessful: true, ...part }] });
  assert.deepEqual(invocation({}), []);
  assert.deepEqual(invocation({ executionSuccessful: false, exitCode: 2 }), ['lint did not succeed: exit code 2']);
  assert.deepEqual(invocation({ executionSuccessful: false, exitCodeDescription: 'no config' }), ['lint did not succeed: no config']);
  assert.deepEqual(
    invocation({ toolExecutionNotifications: [{ level: 'error', message: { text: 'crashed' } }, { message: { text: 'slow' } }] }),
    ['lint: crashed'],
  );
  assert.deepEqual(invocation({ toolConfigurationNotifications: [{ level: 'error', message: {} }] }), ['lint: an error without words']);
  const named = { descriptor: { index: 0 }, message: { id: 'm', arguments: ['a.ts'] } };
  assert.deepEqual(invocation({ toolExecutionNotifications: [named] }), ['lint: cannot read a.ts']);
  assert.deepEqual(problems({ results: null }), ['lint made no analysis']);
  assert.deepEqual(problems({ externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } }), [
    'lint keeps results in another file',
  ]);
  assert.deepEqual(readText('{"runs":[]}').problems, ['the log holds no run']);
  assert.equal(problems({ invocations: Array.from({ length: 100 }, () => ({ executionSuccessful: false })) }).length, 20);
});

for (const [name, wrap] of [
  ['a byte order mark', (log: string) => `\uFEFF${log}`],
  ['lines of npx before it', (log: string) => `npm warn exec The following package was not found: {x}\r\n\n  ${log}`],
  ['a line of JSON before it', (log: string) => `{"level":"info"}\n${log}`],
  ['lines behind it', (log: string) => `${log}\n\n3 problems found.\n`],
  ['a code fence around it', (log: string) => `\`\`\`json\n${log}\n\`\`\``],
] as const) {
  test(`${name} does not hide a log`, () => {
    const log = JSON.stringify({ runs: [{ results: [{ message: { text: 'm' } }] }] }, null, 2);
    assert.equal(readText(wrap(log)).issues.length, 1);
  });
}

for (const [text, detail] of [
  ['', 'there is no JSON object in it'],
  ['no problems found', 'there is no JSON object in it'],
  ['{"runs": [', 'it is not JSON ('],
  ['npm error\n{"runs": [{"results": [{"message": {}}]', 'it is not JSON ('],
  ['[]', 'it has no list of runs'],
  ['{"runs": {}}', 'it has no list of runs'],
  ['{"results": []}', 'it has no list of runs'],
] as const) {
  test(`${JSON.stringify(text)} is unreadable: ${detail}`, () => {
    const reading = readSarif(text);
    assert.ok(reading.kind === 'unreadable');
    assert.ok(reading.detail.startsWith(detail), reading.detail);
  });
}

test('a log that is cut off anywhere is unreadable', () => {
  const log = JSON.stringify(
    { version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [{ message: { text: 'm' } }] }] },
    null,
    1,
  );
  for (let end = 0; end < log.length; end += 1) assert.equal(readSarif(log.slice(0, end)).kind, 'unreadable', log.slice(0, end));
});

test('more issues than are kept become one that says so', () => {
  const results = Array.from({ length: MAX_ISSUES + 5 }, (_, index) => ({ message: { text: `m${index}` } }));
  const { issues } = read({ results: results.slice(0, 600) }, { results: results.slice(600) });
  assert.equal(issues.length, MAX_ISSUES + 1);
  assert.deepEqual(
    [issues.at(-1)?.severity, issues.at(-1)?.description],
    ['high', `5 more issues were reported than are kept (${MAX_ISSUES}).`],
  );
});

/** Any JSON, with the words of the standard as keys and values, so that much of it is nearly a log. */
function anyLog(): fc.Arbitrary<unknown> {
  const words =
    'runs results message text markdown id arguments ruleId ruleIndex rule rules tool driver extensions toolComponent index locations physicalLocation artifactLocation uri uriBaseId originalUriBaseIds artifacts location region startLine endLine endColumn fixes artifactChanges replacements deletedRegion insertedContent properties tags security-severity suppressions status kind level invocations toolExecutionNotifications descriptor defaultConfiguration messageStrings globalMessageStrings relatedLocations __proto__ constructor'.split(
      ' ',
    );
  const word = fc.constantFrom(...words);
  return fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      fc.oneof(
        word,
        fc.integer({ min: -2, max: 3 }),
        fc.constantFrom(null, true, false, '', 'error', '{0}', '%zz', 'file://', '[x](1)', 1e308),
      ),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.tuple(word, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).value;
}

test('nothing makes the reader throw', () => {
  fc.assert(
    fc.property(anyLog(), anyLog(), (results, more) => {
      const run = { ...(typeof more === 'object' ? more : {}), results: Array.isArray(results) ? results : [results] };
      assert.equal(readSarif(JSON.stringify({ runs: [run, more] })).kind, 'sarif');
    }),
    { numRuns: 300 },
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readSarif(text).kind === 'unreadable'));
});

for (const [name, text] of [
  ['a million open brackets', () => `{"runs":${'['.repeat(1_000_000)}`],
  ['a million lines that open an object', () => '{\n'.repeat(1_000_000)],
  ['a line of a million spaces', () => `${' '.repeat(1_000_000)}x`],
  ['a code fence, a million empty lines and no end', () => `\`\`\`${'\n'.repeat(1_000_000)}{x`],
  ['300,000 results', () => `{"runs":[{"results":[${'{"message":{"text":"m"}},'.repeat(300_000)}0]}]}`],
  ['200,000 rules that are looked up by id', () => rulesLog(200_000)],
  ['a long argument that a template repeats', () => repeatedArgument()],
  ['a long text and a long URI that every result uses', () => sharedTexts()],
] as const) {
  test(`${name} are read in linear time`, () => {
    const log = text();
    const startedMs = performance.now();
    readSarif(log);
    assert.ok(performance.now() - startedMs < 10_000);
  });
}

function rulesLog(count: number): string {
  const rules = Array.from({ length: count }, (_, index) => ({ id: `r${index}` }));
  const results = Array.from({ length: 1000 }, (_, index) => ({ ruleId: `r${count - index}`, message: { text: 'm' } }));
  return JSON.stringify({ runs: [{ tool: { driver: { name: 'lint', rules } }, results }] });
}

function repeatedArgument(): string {
  const messageStrings = { m: { text: '{0}'.repeat(300_000) } };
  const results = Array.from({ length: 500 }, () => ({ ruleIndex: 0, message: { id: 'm', arguments: ['x'.repeat(10_000)] } }));
  return JSON.stringify({ runs: [{ tool: { driver: { name: 'lint', rules: [{ id: 'R', messageStrings }] } }, results }] });
}

function sharedTexts(): string {
  const long = ' '.repeat(5_000_000);
  const rule = { id: 'R', fullDescription: { text: `${long}x` }, help: { text: `${long}y` }, messageStrings: { m: { text: `${long}z` } } };
  const artifacts = [{ location: { uri: `%20${'%61'.repeat(1_000_000)}`, uriBaseId: 'B' } }];
  const result = { ruleIndex: 0, message: { id: 'm' }, locations: [{ physicalLocation: { artifactLocation: { index: 0 } } }] };
  const results = Array.from({ length: 1000 }, () => result);
  return JSON.stringify({
    runs: [{ tool: { driver: { name: 'lint', rules: [rule] } }, artifacts, originalUriBaseIds: { B: { uri: long } }, results }],
  });
}
