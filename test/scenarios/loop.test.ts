import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readReview } from '../../src/core/readers/read-review.ts';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, VolleyResult } from '../support/scenario.ts';
import { userState } from '../support/user-state.ts';

const CONFIG = `agents:
  builder: { driver: command, run: ["sh", "agents/build.sh"] }
  checker: { driver: command, run: ["sh", "agents/check.sh"] }
roles: { author: builder, reviewer: [checker], fixer: builder }
gates: [{ name: syntax, run: "sh -n greet.sh" }]
`;

const BUILD = `cat > /dev/null
if [ "$VOLLEY_ROLE" = author ]; then
  echo 'echo Hello $1' > greet.sh
  echo '{"summary": "Greets by name.", "taskComplete": true}' > "$VOLLEY_RESULT"
else
  echo 'echo "Hello $1"' > greet.sh
  echo '{"summary": "quote the name", "resolutions": [{"findingId": "1.1", "status": "fixed", "note": "quoted"}]}' > "$VOLLEY_RESULT"
fi
`;

const CHECK = `cat > /dev/null
if grep -q '"Hello' greet.sh; then
  echo '{"passed": true, "summary": "The name is quoted.", "evidence": [{"claim": "it greets", "command": "sh greet.sh Ada", "output": "Hello Ada"}]}'
else
  echo '{"passed": false, "interpretedIntent": "Greet somebody by name", "issues": [{"file": "greet.sh", "line": 1, "severity": "high", "category": "logic", "description": "The name is not quoted.", "impact": "Spaces are lost.", "suggestion": "Quote it."}]}'
fi > "$VOLLEY_RESULT"
`;

const FILES = {
  'volley.yaml': CONFIG,
  'agents/build.sh': BUILD,
  'agents/check.sh': CHECK,
  'notes.txt': 'one\n',
  'staged.txt': 'one\n',
  '.gitignore': 'ignored.txt\n',
};

describe('a loop that a user wrote with shell scripts', () => {
  let scenario: Scenario;
  let ran: VolleyResult;
  let untouched: Readonly<Record<string, string>>;

  before(async () => {
    scenario = await makeScenario({ files: FILES });
    await makeUntidy(scenario);
    untouched = await userState(scenario.root);
    ran = await scenario.volley(['run', 'Greet people']);
  });
  after(async () => await scenario[Symbol.asyncDispose]());

  test('ends approved and tells its way line by line', () => {
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    const lines = ran.stdout.replaceAll(/\d{8}-task/g, 'DATE-task').replaceAll(/\b[0-9a-f]{8}\b/g, 'COMMIT');
    assert.equal(
      lines,
      `Running task #1: Greet people
  Uncommitted changes are not part of this task.
  [1/3] Implementing...
  [1/3] Implementation complete
  [1/3] Running gates...
  [1/3] Gates: syntax passed
  [1/3] Running review...
  [1/3] Review: CHANGES_REQUESTED - The name is not quoted.
  [2/3] Improving...
  [2/3] Running gates...
  [2/3] Gates: syntax passed
  [2/3] Running review...
  [2/3] Review: APPROVED
✓ Task #1 completed (APPROVED after 2 cycles)
  branch  volley/1-greet-people
  review  .volley/reviews/DATE-task-1-review-2.md
  gates   syntax passed
  next    volley land 1
`,
    );
  });

  test('leaves every state in the log', async () => {
    const journal = await scenario.journal();
    assert.deepEqual(
      journal.map(({ event, state }) => `${event.type} ${state}`),
      [
        'created queued',
        'started implementing',
        'authored pending_self_review',
        'started pending_self_review',
        'gated pending_self_review',
        'started self_reviewing',
        'reviewed self_review_failed',
        'started refining',
        'fixed refining',
        'started refining',
        'gated refining',
        'started self_reviewing',
        'reviewed self_review_passed',
        'finished approved',
      ],
    );
    const { stdout } = await scenario.volley(['log', '1']);
    const rows = stdout.trimEnd().split('\n');
    assert.equal(rows.length, journal.length);
    journal.forEach(({ event, state, seq }, index) => assert.match(rows[index] ?? '', new RegExp(`${seq} +${event.type} +${state} `)));
  });

  test('gives the reason of every step', async () => {
    const { stdout } = await scenario.volley(['why', '1']);
    assert.deepEqual(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) =>
          line
            .trim()
            .replace(/^\d+ +/, '')
            .replace(/ {2,}/, ' | '),
        ),
      [
        'created | Test Person asked for it',
        'author 1, builder | the task begins',
        'gates | 1 gate(s) must pass on this code',
        'review 1, checker | round 1 of 3 is due',
        'fix 1 (review), builder | round 1: 1 blocking finding',
        'gates | 1 gate(s) must pass on this code',
        'review 2, checker | round 2 of 3 is due',
        'end: approved | round 2 approved it: nothing blocks',
      ],
    );
  });

  test('writes a document per round that reads back as the review it tells of', async () => {
    const date = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    const names = (await readdir(join(scenario.root, '.volley/reviews'))).toSorted();
    assert.deepEqual(
      names.map((name) => name.replace(/^\d{8}/, date)),
      [1, 2].flatMap((n) => ['json', 'md'].map((end) => `${date}-task-1-review-${n}.${end}`)),
    );
    const [first, second] = await Promise.all(
      [1, 2].map(async (n) => await readDocument(scenario, names.find((name) => name.endsWith(`-${n}.md`)) ?? '')),
    );
    assert.equal(first?.claim, 'changes_requested');
    assert.deepEqual(
      first?.issues.map(({ file, line, severity, category, description, impact, suggestion }) => ({
        file,
        line,
        severity,
        category,
        description,
        impact,
        suggestion,
      })),
      [
        {
          file: 'greet.sh',
          line: 1,
          severity: 'high',
          category: 'Logic',
          description: 'The name is not quoted.',
          impact: 'Spaces are lost.',
          suggestion: 'Quote it.',
        },
      ],
    );
    assert.deepEqual([second?.claim, second?.mayApprove, second?.issues], ['approved', true, []]);
  });

  test('writes a twin per round with the proof of exactly the reviewed commit', async () => {
    const commits = (await scenario.repository.git('rev-list', '--reverse', 'main..volley/1-greet-people')).split('\n');
    for (const [index, head] of commits.entries()) {
      const twin = await readTwin(scenario, index + 1);
      assert.equal(twin.proof.head, head);
      assert.equal(twin.proof.tree, await scenario.repository.git('rev-parse', `${head}^{tree}`));
      assert.equal(twin.proof.mergeBase, await scenario.repository.git('rev-parse', 'main'));
      assert.equal(twin.proof.agent, 'checker');
      assert.equal(twin.proof.confinement, 'copy');
      assert.match(twin.proof.diffSha256, /^[0-9a-f]{64}$/);
      assert.deepEqual(twin.proof.gates, [{ name: 'syntax', passed: true, redBefore: false, acceptedBy: null }]);
    }
  });

  test('commits the work and the fix once each, with trailers, as the user', async () => {
    const log = await scenario.repository.git('log', '--reverse', '--format=%an <%ae>|%s|%b', 'main..volley/1-greet-people');
    const commits = log.split('\n\n').map((commit) => commit.trim());
    assert.deepEqual(commits, [
      'Test Person <test@example.invalid>|Greet people|Greets by name.',
      'Volley-Loop: 1\nVolley-Step: author-1',
      'Test Person <test@example.invalid>|fix: address code review round 1 - quote the name|Volley-Loop: 1\nVolley-Step: fix-1-8',
    ]);
  });

  test('leaves whatever belongs to the user as it was, byte by byte', async () => {
    assert.deepEqual(await userState(scenario.root), untouched);
    assert.deepEqual(
      (await scenario.repository.git('for-each-ref', '--format=%(refname)', 'refs/heads/volley', 'refs/volley')).split('\n'),
      ['refs/heads/volley/1-greet-people'],
    );
  });

  test('is not brought over while uncommitted changes stand in the way', async () => {
    const landed = await scenario.volley(['land', '1']);
    assert.equal(landed.code, 1);
    assert.match(landed.stderr, /staged\.txt/);
    assert.deepEqual(await userState(scenario.root), untouched);
  });

  test('lands on the branch of the user', async () => {
    const { repository } = scenario;
    await repository.git('reset', '--quiet', '--hard');
    const landed = await scenario.volley(['land', '1']);
    assert.equal(landed.code, 0, landed.stderr);
    assert.match(landed.stdout, /✓ Task 1 is on main \(fast-forward, /);
    assert.equal(await repository.git('rev-parse', 'main'), await repository.git('rev-parse', 'volley/1-greet-people'));
    assert.equal(await readFile(join(scenario.root, 'greet.sh'), 'utf8'), 'echo "Hello $1"\n');
    assert.equal(await repository.git('status', '--porcelain', '--untracked-files=no'), '');
    assert.match((await scenario.volley(['land', '1'])).stdout, /already/);
  });
});

async function makeUntidy({ repository, root }: Scenario): Promise<void> {
  await repository.git('branch', 'side');
  await repository.git('tag', 'v1');
  await repository.write('notes.txt', 'put away\n');
  await repository.git('stash', 'push', '--quiet');
  await repository.git('fetch', '--quiet', root, 'main:refs/remotes/origin/side');
  await repository.write('notes.txt', 'one\nnot staged\n');
  await repository.write('staged.txt', 'one\nstaged\n');
  await repository.git('add', 'staged.txt');
  await repository.write('new file.txt', 'nobody added it\n');
  await repository.write('ignored.txt', 'nobody sees it\n');
  await repository.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', { executable: true });
  await repository.write('.git/hooks/reference-transaction', '#!/bin/sh\necho ran >> "$GIT_DIR/hooks.log"\n', { executable: true });
}

async function readDocument(
  { root }: Scenario,
  name: string,
): Promise<Extract<ReturnType<typeof readReview>, { kind: 'reading' }>['reading']> {
  const result = await readFile(join(root, '.volley/reviews', name), 'utf8');
  const read = readReview({ result, output: '', nonce: 'none', trustText: false });
  assert.equal(read.kind, 'reading');
  return read.reading;
}

type Twin = {
  readonly verdict: string;
  readonly proof: Readonly<Record<'head' | 'tree' | 'mergeBase' | 'agent' | 'confinement' | 'diffSha256', string>> & {
    readonly gates: unknown;
  };
};

async function readTwin({ root }: Scenario, round: number): Promise<Twin> {
  const name = (await readdir(join(root, '.volley/reviews'))).find((one) => one.endsWith(`-review-${round}.json`)) ?? '';
  return JSON.parse(await readFile(join(root, '.volley/reviews', name), 'utf8'));
}

const AUTHOR = turns({ write: { 'a.txt': 'one\n' }, result: { summary: 'made' } });
const FIXER = turns({ run: 'echo more >> a.txt', result: { summary: 'mended' } });
const REJECT_ONCE = answers(rejected(issue('One is not enough.', { file: 'a.txt', line: 1 })), APPROVED);

describe('a loop', { concurrency: 3 }, () => {
  test('tells programs everything in JSON and ends with the loop itself', async () => {
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: REJECT_ONCE, fixer: FIXER } });
    const ran = await scenario.volley(['run', 'Add a', '--json']);
    assert.deepEqual([ran.code, ran.stderr], [0, '']);
    const objects = ran.objects();
    assert.deepEqual([...new Set(objects.map((one) => one['v']))], [1]);
    assert.deepEqual(objects.slice(0, -1), (await scenario.volley(['log', '1', '--json'])).objects());
    const loop = ran.loop();
    assert.deepEqual(
      [loop.id, loop.state, loop.finalVerdict, loop.approval?.by, loop.branch, loop.next],
      [1, 'approved', 'APPROVED', 'review', 'volley/1-add-a', 'volley land 1'],
    );
    assert.deepEqual(
      loop.rounds.map(({ round, verdict, reviewers, findings, blocking, channel, confinement }) => [
        round,
        verdict,
        reviewers,
        findings,
        blocking,
        channel,
        confinement,
      ]),
      [
        [1, 'changes_requested', ['reviewer'], 1, 1, 'result-file', 'copy'],
        [2, 'approved', ['reviewer'], 0, 0, 'result-file', 'copy'],
      ],
    );
    assert.deepEqual(
      loop.findings.map(({ id, status, provenance, severity, file, line, blocking, firstRound }) => [
        id,
        status,
        provenance,
        severity,
        file,
        line,
        blocking,
        firstRound,
      ]),
      [['1.1', 'fixed', 'original', 'high', 'a.txt', 1, false, 1]],
    );
    assert.equal(loop.head, await scenario.repository.git('rev-parse', loop.branch));
    assert.equal(loop.base, await scenario.repository.git('rev-parse', 'main'));
  });

  test('says by its exit code whether it is approved, asks, rests or is an error', async () => {
    const agents = { author: AUTHOR, reviewer: REJECT_ONCE, fixer: FIXER };
    await using scenario = await makeScenario({ agents });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    assert.equal((await scenario.volley(['run', 'Add a', '--max-rounds', '1'])).code, 2);
    assert.equal((await scenario.volley(['review', '--branch', 'volley/1-add-a'])).code, 3);
    const wrong = await scenario.volley(['run', 'Add a', '--reviewer', 'nobody', '--json']);
    assert.deepEqual([wrong.code, wrong.objects().map((one) => [one['type'], one['code']])], [1, [['error', 'unknown-agent']]]);
  });

  test('asks the author again until it says that the task is complete', async () => {
    const author = turns(
      { write: { 'a.txt': 'one\n' }, result: { taskComplete: false } },
      { write: { 'b.txt': 'two\n' }, result: { taskComplete: false } },
      { write: { 'c.txt': 'three\n' }, result: { taskComplete: true } },
    );
    await using scenario = await makeScenario({ agents: { author, reviewer: answers(APPROVED) } });
    assert.equal((await scenario.volley(['run', 'Add three'])).code, 0);
    assert.equal(await subjects(scenario, 'volley/1-add-three'), 'Add three\nAdd three (iteration 2)\nAdd three (iteration 3)');
    assert.equal((await scenario.calls('reviewer')).length, 1);
  });

  test('makes one commit per group that the fixer reports, and one of the rest', async () => {
    const fixer = turns({
      write: { 'a.txt': 'two\n', 'docs/b.txt': 'b\n', 'c.txt': 'c\n' },
      result: {
        summary: 'all of it',
        commits: [
          { summary: 'the code', paths: ['a.txt'] },
          { summary: 'the words', paths: ['docs'] },
        ],
      },
    });
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: REJECT_ONCE, fixer } });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    const message = 'fix: address code review round 1 -';
    assert.equal(await subjects(scenario, 'volley/1-add-a'), `Add a\n${message} the code\n${message} the words\n${message} all of it`);
    const files = await scenario.repository.git('log', '--reverse', '--name-only', '--format=', 'main..volley/1-add-a');
    assert.deepEqual(files.split('\n'), ['a.txt', 'a.txt', 'docs/b.txt', 'c.txt']);
  });

  test('folds commits that an agent made into its own', async () => {
    const commit = 'git add -A && git -c user.name=Agent -c user.email=agent@example.invalid commit -q -m mine';
    const author = turns({ run: `echo one > a.txt && ${commit} && echo two > b.txt && ${commit} && echo three > c.txt` });
    await using scenario = await makeScenario({ agents: { author, reviewer: answers(APPROVED) } });
    const ran = await scenario.volley(['run', 'Add three']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.equal(await subjects(scenario, 'volley/1-add-three'), 'Add three');
    assert.equal(await scenario.repository.git('log', '--format=%an', 'main..volley/1-add-three'), 'Test Person');
    assert.equal(await scenario.repository.git('diff', '--name-only', 'main', 'volley/1-add-three'), 'a.txt\nb.txt\nc.txt');
  });

  test('commits a secret never, and asks the fixer to take it out', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const author = turns({ write: { 'a.txt': `token = "${secret}"\n`, 'b.txt': 'kept\n' } });
    const fixer = turns({ write: { 'a.txt': 'token = read from the environment\n' }, result: { summary: 'take the token out' } });
    await using scenario = await makeScenario({ agents: { author, reviewer: answers(APPROVED), fixer } });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /Implementation not committed: .*GitHub token/);
    assert.equal(await subjects(scenario, 'volley/1-add-a'), 'Add a');
    assert.equal(await scenario.repository.git('show', 'volley/1-add-a:b.txt'), 'kept');
    assert.equal(await scenario.repository.git('log', '--all', '--format=%h', '-S', secret), '');
    const written = [ran.stdout, (await scenario.volley(['log', '1', '--json'])).stdout, ...(await documents(scenario))];
    assert.ok(
      written.every((one) => !one.includes(secret)),
      'the secret stands in an output or a document',
    );
    assert.match((await scenario.calls('fixer'))[0]?.prompt ?? '', /a\.txt/);
  });

  test('copies what the config names into the checkout and commits none of it', async () => {
    const author = turns({ run: 'cat .env prepared.txt > seen.txt' });
    const reviewer = {
      by: 'round',
      turns: REJECT_ONCE.turns.map((turn) => ({ ...turn, run: 'if [ -e .env ]; then exit 9; fi' })),
    } as const;
    const checkout = { copy: ['.env'], setup: 'test -f .env && echo prepared >> prepared.txt' };
    await using scenario = await makeScenario({
      files: { '.gitignore': 'prepared.txt\n' },
      agents: { author, reviewer, fixer: FIXER },
      config: { checkout },
    });
    await scenario.repository.write('.env', 'PORT=1\n');
    const ran = await scenario.volley(['run', 'Look around']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.equal(await scenario.repository.git('show', 'volley/1-look-around:seen.txt'), 'PORT=1\nprepared');
    assert.equal(await scenario.repository.git('diff', '--name-only', 'main', 'volley/1-look-around'), 'a.txt\nseen.txt');
    assert.equal((await scenario.calls('reviewer')).length, 2);
  });

  test('counts a secret that the fixer brought in to the fix of its round', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const fixer = turns({ write: { 'a.txt': `token = "${secret}"\n` } }, { write: { 'a.txt': 'two\n' }, result: { summary: 'read it' } });
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: REJECT_ONCE, fixer } });
    const ran = await scenario.volley(['run', 'Add a']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /\[2\/3\] Improving[^\n]*\n {2}\[2\/3\] Fix not committed[^\n]*\n {2}\[2\/3\] Repairing/);
    assert.equal(await subjects(scenario, 'volley/1-add-a'), 'Add a\nfix: address code review round 1 - read it');
    assert.equal((await scenario.loop()).rounds.length, 2);
  });

  test('whose work is never fit to be committed goes to a person, who cannot have it reviewed', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const author = turns({ write: { 'a.txt': `token = "${secret}"\n` } });
    await using scenario = await makeScenario({ agents: { author, reviewer: answers(APPROVED), fixer: FIXER } });
    const ran = await scenario.volley(['run', 'Add a', '--json']);
    const { escalation, head } = ran.loop();
    assert.deepEqual(
      [ran.code, escalation?.reason, escalation?.choices, head],
      [2, 'gates-red', ['fix-manually', 'retry', 'cancel'], null],
    );
    assert.deepEqual([(await scenario.calls('fixer')).length, (await scenario.calls('reviewer')).length], [3, 0]);
  });

  test('ends unreviewed and without an error where reviews are switched off', async () => {
    const config = { review: { enabled: false }, gates: ['test -f a.txt || true'] };
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(APPROVED) }, config });
    const ran = await scenario.volley(['run', 'Add a', '--json']);
    assert.deepEqual([ran.code, ran.loop().state, ran.loop().approval, ran.loop().gates.length], [0, 'ready_for_human_review', null, 1]);
    assert.deepEqual(await scenario.calls('reviewer'), []);
  });

  test('asks when its checkout cannot be set up, and goes on once it can', async () => {
    await using scenario = await makeScenario({
      agents: { author: AUTHOR, reviewer: answers(APPROVED) },
      config: { checkout: { setup: 'test -e "$HOME/ready" || { echo no packages today; exit 1; }' } },
    });
    const ran = await scenario.volley(['run', 'Add a', '--json']);
    assert.deepEqual([ran.code, ran.loop().escalation?.reason], [2, 'checkout-missing']);
    assert.match(ran.loop().escalation?.why ?? '', /no packages today/);
    assert.deepEqual(await scenario.calls('author'), []);
    const project = (await readdir(join(scenario.state, 'volley')))[0] ?? '';
    await writeFile(join(scenario.state, 'volley', project, 'home/ready'), '');
    const decided = await scenario.volley(['decide', '1', 'continue']);
    assert.equal(decided.code, 0, decided.stdout + decided.stderr);
  });

  test('lands as a merge when the branch of the user went on, if the gates pass on the result', async () => {
    const gates = [{ name: 'apart', run: '! test -e a.txt -a -e clash.txt' }];
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(APPROVED) }, config: { gates } });
    const { repository } = scenario;
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    const clash = await repository.commit('clash', { 'clash.txt': 'mine\n' });
    const red = await scenario.volley(['land', '1']);
    assert.deepEqual([red.code, await repository.git('rev-parse', 'main')], [1, clash]);
    assert.match(red.stderr, /does not pass the gates; nothing was changed/);
    await repository.git('mv', 'clash.txt', 'b.txt');
    const moved = await repository.commit('apart');
    const landed = await scenario.volley(['land', '1']);
    assert.match(landed.stdout, /✓ Task 1 is on main \(merged, /);
    assert.equal(await repository.git('rev-parse', 'main^1'), moved);
    assert.equal(await repository.git('rev-parse', 'main^2'), await repository.git('rev-parse', 'volley/1-add-a'));
    assert.equal(await repository.git('status', '--porcelain'), '');
  });

  test('that conflicts with the branch of the user lands not at all, and names the files', async () => {
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(APPROVED) } });
    assert.equal((await scenario.volley(['run', 'Add a'])).code, 0);
    await scenario.repository.commit('mine', { 'a.txt': 'mine\n' });
    const untouched = await userState(scenario.root);
    const landed = await scenario.volley(['land', '1', '--json']);
    assert.deepEqual([landed.code, landed.objects().at(-1)?.['code']], [1, 'conflict']);
    assert.match(String(landed.objects().at(-1)?.['message']), /conflict in a\.txt; nothing was changed/);
    assert.deepEqual(await userState(scenario.root), untouched);
  });

  test('gets the next number, a branch of its own, and a note of what stands beside it', async () => {
    await using scenario = await makeScenario({ agents: { author: AUTHOR, reviewer: answers(APPROVED) } });
    await scenario.repository.git('branch', 'volley/2-add-a');
    const ids: number[] = [];
    const branches: string[] = [];
    for (const _ of [1, 2]) {
      const loop = (await scenario.volley(['run', 'Add a', '--json'])).loop();
      ids.push(loop.id);
      branches.push(loop.branch);
    }
    assert.deepEqual(ids, [1, 2]);
    assert.equal(branches[0], 'volley/1-add-a');
    assert.match(branches[1] ?? '', /^volley\/2-add-a-[0-9a-z]{6}$/);
    assert.equal(await scenario.repository.git('rev-parse', 'volley/2-add-a'), await scenario.repository.git('rev-parse', 'main'));
    const { stdout } = await scenario.volley(['status']);
    assert.match(stdout, /✓ 1\. implement Add a {4}completed {2}APPROVED \(1 cycle\)\n.*✓ 2\. implement Add a {4}completed/);
  });
});

async function subjects({ repository }: Scenario, branch: string): Promise<string> {
  return await repository.git('log', '--reverse', '--format=%s', `main..${branch}`);
}

async function documents({ root }: Scenario): Promise<string[]> {
  const entries = await readdir(join(root, '.volley'), { recursive: true, withFileTypes: true });
  return await Promise.all(
    entries.filter((entry) => entry.isFile()).map(async (entry) => await readFile(join(entry.parentPath, entry.name), 'latin1')),
  );
}
