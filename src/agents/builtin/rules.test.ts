import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { scan } from './ast-grep.ts';
import type { Match } from './ast-grep.ts';
import { loadOwnRules } from './load-rules.ts';
import { LANGUAGES } from './rule.ts';
import type { Language, Rule } from './rule.ts';

const folder = mkdtempSync(join(tmpdir(), 'volley-rules-'));
const rules = await loadOwnRules(Object.keys(LANGUAGES) as Language[]);
let matches: Match[] = [];
let afterFix: Match[] = [];

type Sample = {
  readonly rule: Rule;
  readonly kind: 'bad' | 'good';
  readonly file: string;
  readonly code: string;
  readonly fixed: string | null;
};

const samples: Sample[] = rules.flatMap((rule) =>
  (['bad', 'good'] as const).flatMap((kind) =>
    (rule.examples?.[kind] ?? []).map((example, index) => {
      const language = (('language' in example ? example.language : undefined) ?? languageOfRule(rule)) as Language;
      const fixed = 'fixed' in example ? (example.fixed ?? null) : null;
      return { rule, kind, file: `${rule.id}-${kind}-${index + 1}.${LANGUAGES[language].endings[0]}`, code: example.code, fixed };
    }),
  ),
);

before(async () => {
  await mkdir(join(folder, 'fixed'));
  await Promise.all(samples.map(async ({ file, code }) => await writeFile(join(folder, file), code)));
  matches = await scanAll(samples.map(({ file }) => file));
  await Promise.all(samples.map(async ({ file, rule }) => await writeFile(join(folder, 'fixed', file), await fix(file, rule))));
  afterFix = await scanAll(samples.map(({ file }) => `fixed/${file}`));
});
after(() => rmSync(folder, { recursive: true }));

describe('the rules of the built-in reviewer', () => {
  it('are at least 30, at least 12 of them with a fix, in every language', () => {
    assert.ok(rules.length >= 30, `${rules.length} rules`);
    assert.ok(rules.filter((rule) => rule.fixes).length >= 12, `${rules.filter((rule) => rule.fixes).length} fixes`);
    const spoken = new Set(rules.flatMap((rule) => rule.documents.map((document) => ('language' in document ? document.language : ''))));
    for (const { grammars } of Object.values(LANGUAGES)) for (const grammar of grammars) assert.ok(spoken.has(grammar), grammar);
  });
  it('have names of their own', () => {
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length);
  });
  for (const rule of rules) {
    const own = samples.filter((sample) => sample.rule === rule);
    it(`${rule.id} says what it does to whom, and has examples`, () => {
      assert.ok(rule.impact !== null && rule.suggestion !== null, 'impact and suggestion');
      assert.ok(own.some(({ kind }) => kind === 'bad') && own.some(({ kind }) => kind === 'good'), 'a bad and a good example');
      if (rule.fixes)
        assert.ok(
          own.some(({ fixed }) => fixed !== null),
          'a bad example with what it is fixed to',
        );
    });
    for (const { file, kind, fixed } of own) {
      it(`${file} ${kind === 'bad' ? 'is found' : 'is left alone by every rule'}`, () => {
        const found = matches.filter((match) => match.file === file).map(({ ruleId }) => ruleId);
        if (kind === 'good') assert.deepEqual(found, []);
        else assert.ok(found.includes(rule.id), `found ${found.join(', ') || 'nothing'}`);
      });
      if (fixed === null) continue;
      it(`${file} is fixed exactly, and the fix is clean`, async () => {
        assert.equal(await readFile(join(folder, 'fixed', file), 'utf8'), fixed);
        assert.deepEqual(
          afterFix.filter((match) => match.file === `fixed/${file}` && match.ruleId === rule.id),
          [],
        );
      });
    }
  }
});

function languageOfRule(rule: Rule): Language {
  const [first] = rule.documents;
  const grammar = first !== undefined && 'language' in first ? first.language : '';
  const found = Object.entries(LANGUAGES).find(([, { grammars }]) => (grammars as readonly unknown[]).includes(grammar));
  assert.ok(found !== undefined, `${rule.id} has no language of ours`);
  return found[0] as Language;
}

async function scanAll(files: readonly string[]): Promise<Match[]> {
  const signal = new AbortController().signal;
  const limits = { wallMs: 60_000, idleMs: 60_000, signal };
  return await scan(
    { rules, files },
    {
      dir: folder,
      heard: folder,
      scratch: folder,
      folder: join(folder, 'engine'),
      env: {},
      launcher: [],
      marker: 'volley-rules-test',
      ...limits,
    },
  );
}

/** The file with every fix of the rule applied, the last one first so that the places stay true. */
async function fix(file: string, rule: Rule): Promise<string> {
  let text = await readFile(join(folder, file));
  const own = matches.filter((match) => match.file === file && match.ruleId === rule.id);
  for (const { replacement, replacementOffsets: at } of own.toSorted(
    (a, b) => (b.replacementOffsets?.start ?? 0) - (a.replacementOffsets?.start ?? 0),
  )) {
    if (replacement === undefined || at === undefined) continue;
    text = Buffer.concat([text.subarray(0, at.start), Buffer.from(replacement), text.subarray(at.end)]);
  }
  return text.toString('utf8');
}
