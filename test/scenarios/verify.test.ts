import assert from 'node:assert/strict';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { Check } from '../../src/core/verify-facts.ts';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, VolleyResult } from '../support/scenario.ts';

const AUTHOR = turns({ write: { 'a.txt': 'one\n', 'b.bin': new Uint8Array([0, 1, 2]) } });
const FIXER = turns({ write: { 'a.txt': 'two\n' } });
const REJECT_ONCE = answers(rejected(issue('It is wrong.', { file: 'a.txt', line: 1 })), APPROVED);
const BRANCH = 'volley/1-add-a';

function checksOf(verified: VolleyResult): readonly (Check & { readonly name: string })[] {
  const checks = verified.objects().filter((one) => one['type'] === 'check') as readonly unknown[] as readonly Check[];
  return checks.map((check) => ({ ...check, name: `${check.round ?? 'task'} ${check.what}` }));
}

/** What does not hold, or with null what cannot be told, by its round and name. */
function problems(verified: VolleyResult, ok: boolean | null = false): readonly string[] {
  return checksOf(verified).flatMap((check) => (check.ok === ok ? [check.name] : []));
}

function detailOf(verified: VolleyResult, name: string): string {
  return checksOf(verified).find((check) => check.name === name)?.detail ?? '';
}

function inDatabase({ root }: Scenario, sql: string): void {
  const db = new DatabaseSync(join(root, '.volley/volley.db'));
  const changed = db.prepare(sql).run().changes;
  db.close();
  assert.ok(changed > 0, 'nothing was tampered with');
}

/** Sets one part of the answer of a round's reviewer, in the journal alone. */
function editAnswer(scenario: Scenario, round: number, [path, value]: readonly [string, string]): void {
  const seq = `(SELECT seq FROM events WHERE type = 'reviewed' ORDER BY seq LIMIT 1 OFFSET ${round - 1})`;
  inDatabase(scenario, `UPDATE events SET body = json_set(body, '$.outcome.${path}', ${value}) WHERE seq = ${seq}`);
}

async function twinOf({ root }: Scenario, round: number): Promise<string> {
  const names = await readdir(join(root, '.volley/reviews'));
  return join(root, '.volley/reviews', names.find((name) => name.endsWith(`review-${round}.json`)) ?? '');
}

async function replaceIn(file: string, one: string, other: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  assert.ok(text.includes(one), `${file} has no ${one}`);
  await writeFile(file, text.replace(one, other));
}

async function mirrorOf({ state }: Scenario): Promise<string> {
  return join(state, 'volley', (await readdir(join(state, 'volley')))[0] ?? '', 'repo.git');
}

async function loseObject(gitDir: string, id: string): Promise<void> {
  await rm(join(gitDir, 'objects', id.slice(0, 2), id.slice(2)));
}

describe('an approval by review', () => {
  let scenario: Scenario;
  let head: string;

  before(async () => {
    const config = { gates: [{ name: 'test', run: 'true' }] };
    scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: REJECT_ONCE, fixer: FIXER }, config });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    head = await scenario.repository.git('rev-parse', BRANCH);
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  /** Verifies what somebody has tampered with, and undoes the tampering. */
  async function verifiedAfter(tamper: () => Promise<void> | void, words: readonly string[] = ['--json']): Promise<VolleyResult> {
    const folders = [scenario.root, scenario.state];
    for (const folder of folders) await cp(folder, `${folder}.kept`, { recursive: true, preserveTimestamps: true });
    try {
      await tamper();
      return await scenario.volley(['verify', '1', ...words]);
    } finally {
      for (const folder of folders) {
        await rm(folder, { recursive: true });
        await rename(`${folder}.kept`, folder);
      }
    }
  }

  test('holds, and is told in a line for each round and one for the task', async () => {
    const verified = await scenario.volley(['verify', '1']);
    const lines = verified.stdout.replaceAll(/\b[0-9a-f]{8}\b/g, 'COMMIT');
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    assert.equal(
      lines,
      [
        'round 1  CHANGES_REQUESTED  reviewer, COMMIT: 10 checks hold',
        'round 2  APPROVED           reviewer, COMMIT: 10 checks hold',
        '✓ Task 1: the approval holds: COMMIT, 2 files, reviewed by reviewer\n',
      ].join('\n'),
    );
    assert.ok(verified.stdout.includes(head.slice(0, 8)));
  });

  test('is told to programs check by check, with what it comes to in the last line', async () => {
    const objects = (await scenario.volley(['verify', '1', '--json'])).objects();
    const last = objects.at(-1);
    assert.deepEqual(
      [
        last?.['type'],
        last?.['v'],
        last?.['loop'],
        last?.['holds'],
        last?.['approval'],
        last?.['head'],
        last?.['failed'],
        last?.['unchecked'],
      ],
      ['verification', 1, 1, true, { by: 'review', round: 2, reviewers: ['reviewer'] }, head, 0, 0],
    );
    assert.ok(objects.slice(0, -1).every((one) => one['type'] === 'check' && one['v'] === 1 && one['ok'] === true));
  });

  test('is verified without a change of anything', async () => {
    const mirror = await mirrorOf(scenario);
    const verified = await verifiedAfter(async () => await rm(mirror, { recursive: true }));
    assert.equal(verified.code, 0, verified.stdout);
    const seen = async (): Promise<unknown> => {
      const names = (await readdir(scenario.repository.beside, { recursive: true })).toSorted();
      return [names, await scenario.repository.git('for-each-ref'), (await scenario.journal()).length];
    };
    const untouched = await seen();
    await scenario.volley(['verify', '1']);
    assert.deepEqual(await seen(), untouched);
  });

  test('does not hold with a byte changed in the twin of a round', async () => {
    const verified = await verifiedAfter(async () => await replaceIn(await twinOf(scenario, 2), 'Nothing is wrong.', 'Nothing is wrong!'));
    assert.deepEqual([verified.code, problems(verified)], [3, ['2 twin']]);
    assert.match(detailOf(verified, '2 twin'), /review-2\.json differs from the journal in reviews\.0\.summary$/);
  });

  test('does not hold with a twin that is no JSON any more', async () => {
    const verified = await verifiedAfter(async () => await writeFile(await twinOf(scenario, 1), '{'));
    assert.deepEqual([verified.code, problems(verified)], [3, ['1 twin']]);
  });

  test('holds without its twins and transcripts, which is said', async () => {
    const lose = async (): Promise<void> => {
      for (const name of ['reviews', 'transcripts']) await rm(join(scenario.root, '.volley', name), { recursive: true });
    };
    const verified = await verifiedAfter(lose);
    assert.deepEqual([verified.code, problems(verified), problems(verified, null)], [0, [], ['1 prompt', '1 twin', '2 prompt', '2 twin']]);
    const { stdout } = await verifiedAfter(lose, []);
    assert.match(stdout, /round 1 .*: 8 of 10 checks hold\n/);
    assert.match(stdout, /\n {2}\? round 2, twin cannot be checked: there is no \.volley\/reviews\/\d+-task-1-review-2\.json\n/);
  });

  const parts: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['hash of the diff', 'diffSha256', `'${'0'.repeat(64)}'`, ['2 diff', '2 twin']],
    ['hash of the prompt', 'promptSha256', `'${'0'.repeat(64)}'`, ['2 prompt', '2 twin']],
    ['confinement', 'confinement', `'os'`, ['2 verdict', '2 session', '2 twin']],
    ['model', 'model', `'opus'`, ['2 session', '2 twin']],
    ['merge base', 'mergeBase', `'${'0'.repeat(40)}'`, ['2 base', '2 twin']],
    ['list of files', 'filesDelivered', `json('[]')`, ['2 files', '2 twin']],
    ['result of a gate', 'gates[0].name', `'lint'`, ['2 gates', '2 twin']],
  ];
  for (const [name, part, value, found] of parts) {
    test(`does not hold if the ${name} was changed in its proof`, async () => {
      const verified = await verifiedAfter(() => editAnswer(scenario, 2, [`proof.${part}`, value]));
      assert.deepEqual([verified.code, problems(verified)], [3, found], verified.stdout);
    });
  }

  test('does not hold with the proof of another commit: that review gave no verdict, and nothing after it follows', async () => {
    const other = await scenario.repository.git('rev-parse', 'main');
    const verified = await verifiedAfter(() => editAnswer(scenario, 2, ['proof.head', `'${other}'`]));
    assert.equal(verified.code, 3);
    assert.match(detailOf(verified, 'task journal'), /\(finished\) does not follow from those before it/);
    assert.match(String(verified.objects().at(-1)?.['why']), /^there is no approval/);
  });

  test('does not hold if a finding was made harmless in the journal', async () => {
    const verified = await verifiedAfter(() => editAnswer(scenario, 1, ['raised[0].severity', `'low'`]));
    assert.equal(verified.code, 3);
    assert.match(detailOf(verified, 'task journal'), /\(started\) does not follow from those before it/);
    assert.match(
      detailOf(verified, '1 verdict'),
      /^loop_reviews\.verdict is changes_requested, and the journal comes to approved; and \d more$/,
    );
    assert.ok(problems(verified).includes('1 twin'));
  });

  test('does not hold if the tables say something else than the journal', async () => {
    const verified = await verifiedAfter(() => inDatabase(scenario, `UPDATE loop_reviews SET verdict = 'approved' WHERE round = 1`));
    assert.deepEqual([verified.code, problems(verified)], [3, ['1 verdict']]);
    assert.match(detailOf(verified, '1 verdict'), /loop_reviews\.verdict is approved, and the journal comes to changes_requested/);
  });

  test('does not hold if the end of the journal is gone', async () => {
    const verified = await verifiedAfter(() => inDatabase(scenario, `DELETE FROM events WHERE type = 'finished'`));
    assert.deepEqual([verified.code, problems(verified)], [3, ['task record']]);
  });

  test('does not hold if the transcript has another prompt', async () => {
    const verified = await verifiedAfter(async () => {
      const folder = join(scenario.root, '.volley/transcripts');
      const newest =
        (await readdir(folder))
          .filter((name) => name.includes('reviewer'))
          .toSorted()
          .at(0) ?? '';
      await replaceIn(join(folder, newest), 'Add a', 'Add b');
    });
    assert.equal(verified.code, 3);
    assert.match(problems(verified).join(), /^\d prompt$/);
  });

  test('is of the approved commit and no other: a branch that moved is named with both', async () => {
    const other = await scenario.repository.git('rev-parse', 'main');
    const verified = await verifiedAfter(async () => void (await scenario.repository.git('branch', '-f', BRANCH, 'main')), []);
    assert.equal(verified.code, 3);
    const said = `${BRANCH} stands at ${other.slice(0, 8)}, and the approval is of ${head.slice(0, 8)}`;
    assert.ok(verified.stdout.endsWith(`  ✗ branch: ${said}\n✗ Task 1: the approval does not hold: ${said}\n`), verified.stdout);
  });

  test('holds without its branch and with the commits in the mirror alone', async () => {
    const verified = await verifiedAfter(async () => {
      await scenario.repository.git('branch', '-D', BRANCH);
      await loseObject(join(scenario.root, '.git'), head);
    });
    assert.deepEqual([verified.code, problems(verified, null)], [0, ['task branch']], verified.stdout);
  });

  test('does not hold without its commit', async () => {
    const verified = await verifiedAfter(async () => {
      for (const gitDir of [join(scenario.root, '.git'), await mirrorOf(scenario)]) await loseObject(gitDir, head);
    });
    assert.deepEqual([verified.code, problems(verified)], [3, ['2 commit']], verified.stdout);
    assert.deepEqual(problems(verified, null), ['2 base', '2 diff', '2 files']);
  });

  test('does not hold without the contents of its commit', async () => {
    const blob = await scenario.repository.git('rev-parse', `${BRANCH}:a.txt`);
    const verified = await verifiedAfter(async () => {
      for (const gitDir of [join(scenario.root, '.git'), await mirrorOf(scenario)]) await loseObject(gitDir, blob);
    });
    assert.deepEqual([verified.code, problems(verified)], [3, ['2 diff']], verified.stdout);
  });

  test('does not hold with a journal that came with a commit', async () => {
    const verified = await verifiedAfter(async () => void (await scenario.repository.git('add', '--force', '.volley/volley.db')));
    assert.deepEqual([verified.code, problems(verified)], [3, ['task journal']]);
  });
});

test('an approval by a person is told with the name and proves nothing', async () => {
  await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: REJECT_ONCE, fixer: FIXER } });
  assert.equal((await scenario.volley(['run', 'Add a', '--max-rounds', '1'])).code, 2);
  const open = await scenario.volley(['verify', '1']);
  assert.deepEqual([open.code, open.stdout.split('\n').at(-2)], [3, '✗ Task 1: there is no approval (needs_human)']);
  assert.equal((await scenario.volley(['decide', '1', 'accept', '--reason', 'good enough'])).code, 0);
  const accepted = await scenario.volley(['verify', '1']);
  assert.deepEqual([accepted.code, accepted.stdout.split('\n').at(-2)], [3, '✗ Task 1: approved by Test Person, which proves nothing']);
});

test('a review of a branch holds until somebody commits to it', async () => {
  await using scenario = await makeScenario({ agents: { reviewer: answers(APPROVED) } });
  await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
  await scenario.repository.commit('a feature', { 'a.txt': 'a\n' });
  assert.equal((await scenario.volley(['review'])).code, 0);
  assert.equal((await scenario.volley(['verify', '1'])).code, 0);
  await scenario.repository.commit('more', { 'a.txt': 'b\n' });
  const moved = await scenario.volley(['verify', '1', '--json']);
  assert.deepEqual([moved.code, problems(moved)], [3, ['task branch']]);
});

test('a task that does not exist is an error', async () => {
  await using scenario = await makeScenario();
  const verified = await scenario.volley(['verify', '7', '--json']);
  assert.deepEqual([verified.code, verified.objects().at(-1)?.['code']], [1, 'unknown-loop']);
});
