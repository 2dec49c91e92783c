import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { BenchScenario, BenchTheme } from '../../src/core/bench-scenario.ts';
import { makeScenario } from '../support/scenario.ts';
import { filesOf } from '../support/user-state.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'examples', 'loop-benchmark', 'scenarios');
const SCENARIOS = readdirSync(FOLDER)
  .toSorted()
  .map((file) => BenchScenario.parse(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))));

const Played = z.object({
  type: z.literal('bench'),
  v: z.literal(1),
  scenario: z.string().nullable(),
  right: z.union([z.boolean(), z.number()]),
  problems: z.array(z.string()).default([]),
  played: z.number().optional(),
});

describe('the loop benchmark', () => {
  for (const theme of BenchTheme.options) {
    const names = SCENARIOS.filter((one) => one.theme === theme).map(({ name }) => name);
    test(`every scenario about ${theme} ends right, and nothing of it is left behind`, async () => {
      await using scenario = await makeScenario();
      const { beside } = scenario.repository;
      const before = await filesOf(beside);
      const ran = await scenario.volley(['bench', 'loops', ...names, '--json'], { env: { TMPDIR: beside } });
      const lines = ran.objects().map((line) => Played.parse(line));
      const wrong = lines.filter(({ problems }) => problems.length > 0).map(({ scenario: name, problems }) => ({ name, problems }));
      assert.deepEqual(wrong, [], ran.stderr);
      assert.deepEqual(lines.flatMap(({ scenario: name }) => name ?? []).toSorted(), names.toSorted());
      const last = lines.at(-1);
      assert.deepEqual([last?.scenario, last?.right, last?.played], [null, names.length, names.length]);
      assert.equal(ran.code, 0, ran.stderr);
      assert.deepEqual(await filesOf(beside), before);
    });
  }

  test('a few can be named and repeated, and people get a table', async () => {
    await using scenario = await makeScenario();
    const ran = await scenario.volley(['bench', 'loops', 'approved-at-once', 'vacuous-lgtm', '--repeat', '2']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /approved-at-once +approved +✓ 2\/2 +1 +1 +\d+ +\$0\.00\n/);
    assert.match(ran.stdout, /vacuous-lgtm +needs you: no-verdict +✓ 2\/2 +0 +2 /);
    assert.match(ran.stdout, /4 of 4 right/);
  });

  test('what there is can be listed', async () => {
    await using scenario = await makeScenario();
    const listed = await scenario.volley(['bench']);
    assert.equal(listed.code, 0, listed.stderr);
    for (const { name } of SCENARIOS) assert.match(listed.stdout, new RegExp(`^  ${name} `, 'm'));
  });

  test('a mistyped name is told the nearest one', async () => {
    await using scenario = await makeScenario();
    const ran = await scenario.volley(['bench', 'loops', 'oscilating-fixer']);
    assert.deepEqual([ran.code, ran.stdout], [1, '']);
    assert.match(ran.stderr, /no scenario 'oscilating-fixer'; did you mean oscillating-fixer\?/);
  });

  test('the guide tells every scenario with its ending and the reason', () => {
    const guide = readFileSync(join(ROOT, 'docs', 'benchmark.md'), 'utf8');
    const rows = BenchTheme.options
      .flatMap((theme) => SCENARIOS.filter((scenario) => scenario.theme === theme))
      .map(({ name, expect, about, why }) => `| \`${name}\` | ${endingOf(expect)} | ${about} ${why} |`);
    const [, section = ''] = guide.split('\n## The scenarios\n');
    const told = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
    assert.deepEqual(told, rows);
  });
});

function endingOf({ ending, reason }: BenchScenario['expect']): string {
  return ending === 'escalated' ? `needs you: ${reason}` : ending;
}
