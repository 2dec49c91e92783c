import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { makeFinding, showReport } from '../../../test/support/shown-report.ts';
import type { Finding } from '../../core/finding.ts';
import { textWidth } from './text-width.ts';

/** What of a report matters for its order: headings and titles. */
function order(shown: string): string[] {
  return shown.split('\n').flatMap((line) => /^(\S+) ─|(Number \d+)|^([A-Z][a-z]+ .*)$/.exec(line)?.slice(1).find(Boolean) ?? []);
}

test('findings stand under their file, files by their worst finding and then by path, findings by line', () => {
  const shown = showReport([
    makeFinding(1, { file: 'z.ts', line: 9, severity: 'low' }),
    makeFinding(2, { file: 'c.ts', line: 1, severity: 'high' }),
    makeFinding(3, { file: 'z.ts', line: 2, severity: 'critical' }),
    makeFinding(4, { file: 'b.ts', line: 1, severity: 'high' }),
    makeFinding(5, { file: 'z.ts', line: null, place: 'file', severity: 'suggestion' }),
  ]);
  assert.deepEqual(order(shown), ['z.ts', 'Number 5', 'Number 3', 'Number 1', 'b.ts:1', 'Number 4', 'c.ts:1', 'Number 2']);
});

test('what lies outside the change or nowhere comes last, under headings of its own', () => {
  const shown = showReport([
    makeFinding(1, { file: null, line: null, place: 'unplaced', severity: 'low' }),
    makeFinding(2, { file: 'old.ts', place: 'outside', severity: 'critical' }),
    makeFinding(3, { file: 'new.ts', severity: 'suggestion' }),
    makeFinding(4, { file: 'some words', line: null, place: 'unplaced', severity: 'high' }),
  ]);
  assert.deepEqual(order(shown), [
    'new.ts:1',
    'Number 3',
    'Outside the change',
    'old.ts:1',
    'Number 2',
    'Without a place',
    'Number 4',
    'Number 1',
  ]);
  assert.match(shown, /29\.4 · some words/);
});

test('each place with its line is told once: by the heading of a lone finding, else by the finding', () => {
  const alone = showReport([makeFinding(1, { line: 3, lineEnd: 5 })]);
  const both = showReport([makeFinding(1, { line: 3, lineEnd: 5 }), makeFinding(2, { line: 8 })]);
  assert.equal(alone.split('src/greet.ts').length - 1, 1);
  assert.match(alone, /^src\/greet\.ts:3-5 ─+$/m);
  assert.match(both, /^src\/greet\.ts ─+ 2 findings$/m);
  assert.match(both, /29\.1 · src\/greet\.ts:3-5 · /);
});

test('whether a finding blocks is said only where its severity does not tell', () => {
  const findings = (['high', 'medium', 'low'] as const).map((severity, index) => makeFinding(index + 1, { severity, line: index + 1 }));
  const usual = showReport(findings);
  const unusual = showReport(findings, { blockingIds: new Set(['29.1', '29.3']) });
  assert.doesNotMatch(usual, / · (?:blocks|does not block)/);
  assert.match(unusual, /29\.2 .* · does not block/);
  assert.match(unusual, /29\.3 .* · blocks/);
});

test('of more than fifty findings all that block are shown, and how to see the rest', () => {
  const findings = Array.from({ length: 60 }, (_, index) =>
    makeFinding(index + 1, { line: index + 1, severity: index < 55 ? 'medium' : 'low' }),
  );
  const shown = showReport(findings);
  assert.equal(order(shown).filter((line) => line.startsWith('Number')).length, 55);
  assert.match(shown, /^5 more findings do not block: volley findings 29$/m);
  assert.match(shown, /^55 medium {2}5 low$/m);
});

test('where none of many findings blocks, the worst fifty are shown', () => {
  const findings = Array.from({ length: 51 }, (_, index) =>
    makeFinding(index + 1, { line: index + 1, severity: index === 0 ? 'suggestion' : 'low' }),
  );
  const shown = showReport(findings);
  assert.match(shown, /^1 more finding does not block: volley findings 29$/m);
  assert.doesNotMatch(shown, /Number 1 /);
});

test('a complete report shows all of many findings', () => {
  const findings = Array.from({ length: 60 }, (_, index) => makeFinding(index + 1, { line: index + 1, severity: 'low' }));
  assert.doesNotMatch(showReport(findings, { isComplete: true }), /volley findings/);
});

test('the summary counts by severity, and says what blocks and what has an exact fix', () => {
  const shown = showReport(
    [
      makeFinding(1, { severity: 'critical' }),
      makeFinding(2, { severity: 'critical', patch: 'x' }),
      makeFinding(3, { severity: 'medium' }),
      makeFinding(4, { severity: 'suggestion' }),
    ],
    { verdict: 'changes_requested' },
  );
  assert.deepEqual(shown.split('\n').slice(-2), [
    '✗ CHANGES_REQUESTED · 3 of 4 findings block · 3 files changed',
    '2 critical  1 medium  1 suggestion · 1 with an exact fix',
  ]);
});

test('the summary knows one from many, and nothing from something', () => {
  const one = showReport([makeFinding(1, { severity: 'high' })], { filesChanged: 1 });
  const harmless = showReport([makeFinding(1, { severity: 'low' })]);
  assert.deepEqual(one.split('\n').slice(-2), ['1 finding blocks · 1 file changed', '1 high']);
  assert.deepEqual(harmless.split('\n').slice(-2), ['nothing blocks · 3 files changed', '1 low']);
  assert.equal(showReport([], { verdict: 'approved' }), '✓ APPROVED · no findings in 3 files');
});

test('colours add nothing to the text, and there are none where none are wanted', () => {
  const findings = [makeFinding(1, { severity: 'critical', line: 2 }), makeFinding(2, { line: 3, severity: 'low' })];
  const files = { 'src/greet.ts': 'one\ntwo\nthree\n' };
  const colored = showReport(findings, { files, color: true });
  // The box around the worst severity is made of two spaces.
  const squeeze = (text: string): string => stripVTControlCharacters(text).replace(/ +/g, ' ').replace(/ +$/gm, '');
  assert.equal(squeeze(colored), squeeze(showReport(findings, { files })));
  // oxlint-disable-next-line no-control-regex -- That is what is looked for.
  assert.doesNotMatch(showReport(findings, { files }), /\u001b/);
});

test('what agents and files hold reaches the terminal without control characters', () => {
  const nasty = 'a\u001b]52;c;AAAA\u0007\u001b[2Jb\u202e\u0000\rc';
  const words = { description: nasty, impact: nasty, suggestion: nasty, tag: nasty, flags: [nasty], raisedBy: [nasty, 'codex'] };
  const shown = showReport([makeFinding(1, { ...words, file: nasty }), makeFinding(2, { ...words, file: null, place: 'unplaced' })], {
    files: { [nasty]: nasty.replace('\u0000', '') },
    color: true,
  });
  // oxlint-disable-next-line no-control-regex -- That is what is looked for.
  assert.doesNotMatch(shown.replace(/\u001b\[\d{1,2}m/g, ''), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

test('no line is wider than the terminal, whatever files and agents write', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '\r\n', '"', '漢', '👩‍💻', 'e\u0301', '\u200b', 'é', '`'),
    maxLength: 300,
  });
  const finding = fc.record({
    line: fc.integer({ min: 1, max: 9 }),
    lineEnd: fc.integer({ min: 1, max: 30 }),
    description: text,
    impact: text,
    tag: fc.constantFrom(null, 'secret'),
  });
  fc.assert(
    fc.property(finding, text, fc.integer({ min: 24, max: 130 }), (part: Partial<Finding>, file, width) => {
      const shown = showReport([makeFinding(1, { ...part, file: 'a.ts' })], { files: { 'a.ts': file }, width });
      for (const line of shown.split('\n')) assert.ok(textWidth(line) <= width, JSON.stringify(line));
    }),
  );
});

test('on a narrow terminal labels stand in the text', () => {
  const shown = showReport(
    [
      makeFinding(1, {
        severity: 'high',
        line: 2,
        description: 'The name of the person is not trimmed before it is used.',
        impact: 'It looks odd.',
      }),
    ],
    {
      files: { 'src/greet.ts': '  one\n  two\n  three\n' },
      width: 40,
    },
  );
  assert.equal(
    shown.split('\n────')[0],
    [
      'src/greet.ts:2 ─────────────────────────',
      '',
      'high: The name of the person is not',
      '  trimmed before it is used.',
      '  29.1 · logic',
      '',
      '   1 │ one',
      '>  2 │ two',
      '   3 │ three',
      '',
      'why: It looks odd.',
      '',
    ].join('\n'),
  );
});
