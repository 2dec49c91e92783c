import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFinding, showReport } from '../../../test/support/shown-report.ts';
import type { Finding } from '../../core/finding.ts';

const FILE = 'src/greet.ts';
const TEXT = 'import { trim } from "./trim.ts";\n\nexport function greet(name: string) {\n  const text = name + "!";\n  return text;\n}\n';

/** Turns line 4 into two lines. */
const PATCH = `diff --git a/${FILE} b/${FILE}
--- a/${FILE}
+++ b/${FILE}
@@ -2,4 +2,5 @@
 
 export function greet(name: string) {
-  const text = name + "!";
+  const short = trim(name);
+  const text = short + "!";
   return text;
`;

/** What stands below the heading of the file of one finding. */
function show(changes: Partial<Finding>, text: string | null = TEXT): string {
  const shown = showReport(
    [makeFinding(1, { severity: 'medium', file: FILE, ...changes })],
    text === null ? {} : { files: { [FILE]: text } },
  );
  return shown.split('\n').slice(2).join('\n').split('\n\n────')[0] ?? '';
}

test('a finding has what is wrong, its lines among their neighbours, why it matters and what to do', () => {
  const shown = show({
    line: 4,
    tag: 'no-trim',
    description: 'The name is used as it is. It may hold spaces.',
    impact: 'It looks odd.',
    suggestion: 'Trim it.',
  });
  assert.equal(
    shown,
    [
      '    medium  The name is used as it is.',
      '            It may hold spaces.',
      '            29.1 · logic · no-trim',
      '',
      '        3 │ export function greet(name: string) {',
      '     >  4 │   const text = name + "!";',
      '        5 │   return text;',
      '        6 │ }',
      '',
      '      why:  It looks odd.',
      '      fix:  Trim it.',
    ].join('\n'),
  );
});

test('an exact fix of the flagged lines is shown in their place, instead of the suggestion', () => {
  const shown = show({ line: 4, description: 'Not trimmed.', suggestion: 'Trim it.', patch: PATCH });
  assert.equal(
    shown,
    [
      '    medium  Not trimmed.',
      '            29.1 · logic',
      '',
      '        3 │   export function greet(name: string) {',
      '     >  4 │ -   const text = name + "!";',
      '      fix │ +   const short = trim(name);',
      '          │ +   const text = short + "!";',
      '        5 │     return text;',
      '        6 │   }',
    ].join('\n'),
  );
});

test('an exact fix of other lines than the flagged ones is shown below them', () => {
  const text = `${TEXT}${'\n'.repeat(9)}greet(" ");\n`;
  const shown = show({ line: 16, description: 'Not trimmed.', impact: 'It looks odd.', patch: PATCH }, text);
  assert.equal(
    shown.split('\n').slice(3).join('\n'),
    [
      '     > 16 │ greet(" ");',
      '',
      '      why:  It looks odd.',
      '',
      '        3 │   export function greet(name: string) {',
      '        4 │ -   const text = name + "!";',
      '      fix │ +   const short = trim(name);',
      '          │ +   const text = short + "!";',
      '        5 │     return text;',
    ].join('\n'),
  );
});

test('an exact fix that was made for another text is not mixed with this one', () => {
  const shown = show({ line: 4, patch: PATCH }, TEXT.replace('text = name', 'text = call'));
  assert.match(shown, />  4 │   const text = call \+ "!";$/m);
  assert.match(shown, / 4 │ -   const text = name \+ "!";$/m);
});

test('a fix that only deletes says so in words, and one for another file names it', () => {
  const deletes = PATCH.replace('@@ -2,4 +2,5 @@', '@@ -2,4 +2,3 @@').replace(/^\+ .*\n/gm, '');
  assert.match(show({ line: 4, patch: deletes }), /fix: {2}Delete line 4\.$/m);
  assert.match(show({ line: 4, patch: PATCH.replaceAll(FILE, 'src/other.ts') }), /fix: {2}in src\/other\.ts:$/m);
});

test('a patch that cannot be read leaves the suggestion in words', () => {
  for (const patch of ['nonsense', PATCH.slice(0, -20), PATCH + PATCH]) {
    assert.match(show({ line: 4, suggestion: 'Trim it.', patch }), /fix: {2}Trim it\.$/m);
  }
});

test('more than eight flagged lines are cut in the middle', () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
  const numbers = show({ line: 3, lineEnd: 14 }, text).match(/\S+(?= │)/g);
  assert.deepEqual(numbers, ['1', '2', '3', '4', '5', '6', '7', '⋮', '12', '13', '14', '15', '16']);
});

test('a long line is cut around the code that the finding names', () => {
  const text = `const list = [${'1, '.repeat(100)}dangerous(), ${'2, '.repeat(100)}];\n`;
  assert.match(show({ line: 1, description: 'It calls `dangerous()`.' }, text), /> {2}1 │ ….*dangerous\(\).*…$/m);
  assert.match(show({ line: 1 }, text), /> {2}1 │ const list = .*…$/m);
});

test('tabs become spaces, carriage returns go, and what all lines are indented by is left out', () => {
  const shown = show({ line: 2 }, '\t\tif (x) {\r\n\t\t\ty();\tz();\r\n\t\t}\r\n');
  assert.match(shown, /^ {8}1 │ if \(x\) \{\n {5}> {2}2 │ {5}y\(\);\s+z\(\);\n {8}3 │ \}$/m);
  assert.doesNotMatch(shown, /[\r\t\u{fffd}]/u);
});

test('without text, beyond its end, or where the lines are not what they were, there is no frame', () => {
  const frameless = [
    show({ line: 4 }, null),
    show({ line: 4 }, 'PNG\0\n\n\n\n\n'),
    show({ line: 7 }),
    show({ line: null, place: 'file' }),
    show({ line: 4, snippet: 'let gone = 1;' }),
  ];
  for (const shown of frameless) assert.doesNotMatch(shown, /│/);
  assert.match(show({ line: 4, snippet: '  const text = name + "!";' }), /│/);
});

test('two findings on the same lines share one frame', () => {
  const shown = showReport([makeFinding(1, { line: 4 }), makeFinding(2, { line: 4 }), makeFinding(3, { line: 5 })], {
    files: { [FILE]: TEXT },
  });
  assert.equal(shown.match(/>  4 │/g)?.length, 1);
  assert.equal(shown.match(/>  5 │/g)?.length, 1);
});

test('what became of a finding is told where it is not new', () => {
  const resolution = { findingId: '29.1', status: 'needs_person' as const, note: 'Which spaces?', places: [] };
  const shown = show({ status: 'persisting', raisedBy: ['codex', 'gemini'], flags: ["severity 'bad' is unknown"], resolution });
  assert.match(shown, / · persisting since round 1 · raised by codex and gemini$/m);
  assert.match(shown, /fixer: {2}needs a person: Which spaces\?$/m);
  assert.match(shown, /note: {2}severity 'bad' is unknown$/m);
});

const TOKEN = ['kX9', 'pQ2', 'vL7', 'tR4', 'zB8'].join('');

test('a finding about a secret shows its value nowhere', () => {
  const text = `const region = "eu";\nconst API_TOKEN = "${TOKEN}";\nconnect(API_TOKEN, "${TOKEN}");\n`;
  const patch = `diff --git a/${FILE} b/${FILE}\n--- a/${FILE}\n+++ b/${FILE}\n@@ -2 +2,2 @@\n-const API_TOKEN = "${TOKEN}";\n+// was ${TOKEN}\n+const API_TOKEN = process.env.API_TOKEN;\n`;
  const said = {
    description: `The token ${TOKEN} is in the code.`,
    impact: `${TOKEN} opens it.`,
    suggestion: `Revoke ${TOKEN}.`,
    snippet: null,
  };
  const shown = [show({ ...said, line: 2, tag: 'secret' }, text), show({ ...said, line: 2, tag: 'secret', patch }, text)].join('\n');
  assert.ok(!shown.includes(TOKEN), shown);
  assert.match(shown, /> {2}2 │ const API_TOKEN = "•••";$/m);
  assert.match(shown, /│ \+ const API_TOKEN = process\.env\.API_TOKEN;$/m);
});

test('what one finding calls a secret is shown by no other finding of the file', () => {
  const files = { [FILE]: 'const password = "open sesame";\nlogin(password);\n' };
  const shown = showReport(
    [makeFinding(1, { line: 1, tag: 'secret' }), makeFinding(2, { line: 2, description: 'It is not "open sesame".' })],
    { files },
  );
  assert.doesNotMatch(shown, /sesame/);
  assert.match(shown, /^ {8}1 │ const password = "•••";\n {5}> {2}2 │ login\(password\);$/m);
});

test('secrets in the code around another finding are redacted, also those of many lines', () => {
  const key = `${'-----BEGIN'} RSA PRIVATE KEY-----\n${TOKEN.repeat(4)}\n${TOKEN.repeat(4)}\n${'-----END'} RSA PRIVATE KEY-----`;
  const shown = show({ line: 5, description: `See ${'gh'}p_${TOKEN.repeat(3).slice(0, 36)}.` }, `const key = \`${key}\`;\nuse(key);\n`);
  assert.ok(!shown.includes(TOKEN), shown);
  assert.match(shown, /See \[secret: GitHub token\]\.$/m);
  assert.match(shown, /> {2}5 │ use\(key\);$/m);
});
