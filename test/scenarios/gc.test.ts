import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LoopOutput } from '../../src/core/output.ts';
import { answers, APPROVED, eventually, makeScenario, turns } from '../support/scenario.ts';
import type { Scenario, VolleyResult } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';

const HOUR_MS = 3_600_000;
const NOBODY = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const STRANGER = '01BX5ZZKBKACTAV9WEVGEMMVRZ';
/** No system gives a process this number. */
const DEAD_PID = 2 ** 31 - 2;

async function stateOf({ state }: Scenario): Promise<string> {
  const names = (await readdir(join(state, 'volley'))).filter((name) => name.startsWith('project-'));
  assert.equal(names.length, 1);
  return join(state, 'volley', names[0] ?? '');
}

async function leave(path: string, hoursAgo: number): Promise<void> {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'file'), 'x'.repeat(2048));
  await makeOlder(path, hoursAgo);
}

async function makeOlder(path: string, hoursAgo: number): Promise<void> {
  const then = new Date(Date.now() - hoursAgo * HOUR_MS);
  await utimes(path, then, then);
}

async function ageObjects(mirror: string): Promise<void> {
  const entries = await readdir(join(mirror, 'objects'), { recursive: true, withFileTypes: true });
  for (const entry of entries) if (entry.isFile()) await makeOlder(join(entry.parentPath, entry.name), 3);
}

/** What is told, kind by kind, with its count. */
function kindsOf(result: VolleyResult): Readonly<Record<string, unknown>> {
  assert.equal(result.code, 0, result.stdout + result.stderr);
  const garbage = result.objects().filter(({ type }) => type === 'garbage');
  return Object.fromEntries(garbage.map(({ kind, count }) => [String(kind), count]));
}

async function fail(scenario: Scenario, title: string): Promise<LoopOutput> {
  return (await scenario.volley(['run', title, '--author', 'broken', '--json'])).loop();
}

async function refs(mirror: string, { repository }: Scenario): Promise<readonly string[]> {
  const listed = await repository.git('--git-dir', mirror, 'for-each-ref', '--format=%(refname)', 'refs/volley');
  return listed.split('\n').filter((ref) => !ref.startsWith('refs/volley/base/'));
}

test('gc removes what no task needs, tells how much, and leaves alone what can still go on', async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'a.txt': 'a\n' } }),
      broken: turns({ write: { 'half.txt': 'half\n' }, exit: 1 }),
      hanging: turns({ write: { 'half.txt': 'half\n' }, run: 'sleep 600' }),
      reviewer: answers(APPROVED),
    },
  });
  assert.equal((await scenario.volley(['gc'])).stdout, 'Nothing to remove.\n');
  assert.ok(!existsSync(scenario.state) && !existsSync(join(scenario.root, '.volley')), 'where nothing was, nothing is made');
  // 1 is over and its checkout stayed; 2 asks a person; 3 was cancelled, and left unfinished work.
  const one = (await scenario.volley(['run', 'One', '--json'], { env: { VOLLEY_FAILPOINT: 'throw:put away' } })).loop();
  const [two] = [await fail(scenario, 'Two'), await fail(scenario, 'Three')];
  assert.deepEqual([one.state, two.state, (await scenario.volley(['cancel', '3'])).code], ['approved', 'needs_human', 0]);
  const state = await stateOf(scenario);
  const mirror = join(state, 'repo.git');
  const commit = one.base;
  await leave(join(state, 'checkouts', NOBODY), 30);
  await leave(join(state, 'sessions', `${NOBODY}-4-x1y2z3`), 30);
  await leave(join(state, 'sessions', `${one.uid}-4-x1y2z3`), 0);
  await leave(join(state, 'reviews', two.uid), 30);
  await leave(join(state, `landing-${DEAD_PID}-${NOBODY}`), 0);
  await leave(join(state, `landing-${process.pid}-${NOBODY}`), 0);
  await leave(join(state, 'trees', commit), 30);
  await leave(join(state, 'trees', 'a'.repeat(40)), 400);
  await leave(join(state, 'home', '.npm'), 0);
  await leave(join(state, 'sessions', `${STRANGER}-2-x1y2z3`), 0);
  const before = await userState(scenario.root);

  const dry = await scenario.volley(['gc', '--dry-run', '--caches']);
  assert.match(dry.stdout, /^ {2}checkouts +2 +[\d.]+ KB\n(?:.*\n)*Would free [\d.]+ KB\.\n$/);
  assert.match(dry.stdout, /stay as they are: something that writes no journal may be at work\.\n/);
  assert.match(dry.stdout, /Caches of agents and gates stay: 2\.0 KB \(volley gc --caches\)/);
  assert.ok(existsSync(join(state, 'checkouts', one.uid)) && existsSync(join(state, 'checkouts', NOBODY)));

  await makeOlder(join(state, 'sessions', `${STRANGER}-2-x1y2z3`), 30);
  const first = kindsOf(await scenario.volley(['gc', '--json']));
  assert.deepEqual({ ...first, objects: null }, { checkouts: 2, 'throw-aways': 2, sessions: 3, 'base trees': 1, objects: null });
  assert.deepEqual(await readdir(join(state, 'checkouts')), [two.uid]);
  assert.deepEqual(
    (await readdir(state)).filter((name) => name.startsWith('landing')),
    [`landing-${process.pid}-${NOBODY}`],
  );
  assert.deepEqual(await readdir(join(state, 'trees')), [commit]);
  assert.deepEqual(await readdir(join(state, 'reviews')), [two.uid]);
  const partials = ['refs/volley/2/partial-1', 'refs/volley/2/partial-2', 'refs/volley/3/partial-1', 'refs/volley/3/partial-2'];
  const heads = ['refs/volley/1/head', 'refs/volley/3/head'];
  assert.deepEqual(await refs(mirror, scenario), [...heads, ...partials].toSorted());

  // History goes by its age. While a task is driven, nothing of it goes, and no object.
  const running = scenario.start(['run', 'Four', '--author', 'hanging']);
  await eventually('an author at work', async () => (await scenario.calls('hanging'))[0]);
  await ageObjects(mirror);
  const driven = await scenario.volley(['gc', '--older-than', '0d']);
  assert.match(driven.stdout, /partial work +2\n(?:.*\n)* {2}Git objects stay as they are: task 4 is being driven\.\n/);
  assert.deepEqual(await refs(mirror, scenario), [...heads, ...partials.slice(0, 2)].toSorted());
  const transcripts = await readdir(join(scenario.root, '.volley/transcripts'));
  assert.deepEqual(new Set(transcripts.map((name) => name.split('-')[1])), new Set(['2', '4']));
  assert.equal((await readdir(join(state, 'checkouts'))).length, 2);
  assert.equal((await readdir(join(state, 'sessions'))).length, 1);
  running.process.kill('SIGINT');
  assert.equal((await running.ended).code, 130);

  await ageObjects(mirror);
  const last = kindsOf(await scenario.volley(['gc', '--older-than', '0d', '--caches', '--json']));
  assert.deepEqual(last, { objects: null, caches: null });
  assert.ok(!existsSync(join(state, 'home')));

  // All that a journal names is there: the approval holds, and the others go on.
  await scenario.repository.git('--git-dir', mirror, 'fsck', '--connectivity-only');
  assert.equal((await scenario.volley(['verify', '1'])).code, 0);
  assert.equal((await scenario.volley(['decide', '2', 'reassign', '--agent', 'author'])).code, 0);
  assert.deepEqual(await userState(scenario.root), before);
});
