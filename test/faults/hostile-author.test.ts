import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario, ScriptedAgent } from '../support/scenario.ts';
import { castFor, commandLines, makeCanary, runAndLand } from '../support/whole-loop.ts';

/** What every hostile script begins with: the canary beside the repository, the mirror, and the engine's and its own git dir in it. */
const PRELUDE = `
beside=$(cd "$(dirname "$0")/../.." && pwd)
canary=$beside/sing.sh
own=$(sed 's/^gitdir: //' .git)
mirror=$(cd "$own/../../.." && pwd)
gitdir=$mirror/worktrees/$(basename "$(dirname "$own")")
plant() {
  for key in core.fsmonitor core.sshCommand core.pager core.editor diff.external diff.evil.textconv diff.evil.command filter.evil.clean \\
    filter.evil.smudge filter.evil.process filter.lfs.clean filter.lfs.smudge filter.lfs.process merge.evil.driver gpg.program \\
    uploadpack.packObjectsHook remote.origin.uploadpack core.alternateRefsCommand credential.helper; do
    git config --file "$1" "$key" "$canary"
  done
  git config --file "$1" filter.evil.required true
  git config --file "$1" core.hooksPath "$beside/hooks"
  git config --file "$1" extensions.worktreeConfig true
  git config --file "$1" alias.status "!$canary"
}
mkdir -p "$beside/hooks"
for hook in pre-commit post-commit post-checkout post-index-change reference-transaction fsmonitor-watchman pre-auto-gc; do
  ln -sf "$canary" "$beside/hooks/$hook"
done
`;

const ATTRIBUTES = '* filter=evil diff=evil merge=evil\n*.txt filter=lfs\n';

/** The usual cast for a.txt, whose author and fixer do something beside their work. */
function hostileCast(run: string): Readonly<Record<string, ScriptedAgent>> {
  const cast = castFor(['a.txt']);
  const armed = ({ turns: list }: ScriptedAgent): ScriptedAgent => turns(...list.map((turn) => ({ ...turn, run: PRELUDE + run })));
  return { author: armed(cast.author), reviewer: cast.reviewer, fixer: armed(cast.fixer) };
}

/** Names below a folder of Volley's own, for this project. */
function inState({ state }: Scenario, ...path: readonly string[]): readonly string[] {
  const project = readdirSync(join(state, 'volley'))[0] ?? '';
  const folder = join(state, 'volley', project, ...path);
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** What it plants in the repositories has tests of its own. */
const PLANTS_IN_HOME = `plant "$HOME/.gitconfig"; mkdir -p "$HOME/.config/git"; plant "$HOME/.config/git/config"; printf '${ATTRIBUTES.replaceAll('\n', '\\n')}' > "$HOME/.config/git/attributes"; printf '${ATTRIBUTES.replaceAll('\n', '\\n')}' > .gitattributes`;

describe('an author that', { concurrency: 2 }, () => {
  test('plants programs in the home that it is given runs nothing in our git calls, and its work is taken as files alone', async () => {
    await using scenario = await makeScenario({ agents: hostileCast(PLANTS_IN_HOME) });
    const canary = await makeCanary(scenario);
    const loop = await runAndLand(scenario);
    await scenario.volley(['diff', '1']);
    await canary.assertSilent();
    assert.equal(await scenario.repository.git('show', `${loop.head}:a.txt`), 'first\nmended');
    assert.equal(await readFile(join(scenario.root, 'a.txt'), 'utf8'), 'first\nmended\n');
  });

  test('makes repositories inside of its checkout runs nothing, and has all other files taken', async () => {
    const run = `
git init --quiet nested && plant nested/.git/config && echo inner > nested/inner.txt
git -C nested -c core.fsmonitor=false -c core.hooksPath=/dev/null -c user.name=A -c user.email=a@example.invalid commit --quiet --allow-empty -m inner
git init --quiet unborn && plant unborn/.git/config && echo inner > unborn/inner.txt
git init --quiet --bare bare.git && plant bare.git/config
mkdir -p odd && echo "gitdir: $beside/nowhere" > odd/.git && echo odd > odd/odd.txt`;
    await using scenario = await makeScenario({ agents: hostileCast(run) });
    const canary = await makeCanary(scenario);
    const loop = await runAndLand(scenario);
    await canary.assertSilent();
    const files = (await scenario.repository.git('ls-tree', '-r', '--name-only', loop.head ?? '')).split('\n');
    assert.ok(files.includes('a.txt'));
    assert.deepEqual(
      files.filter((file) => /(^|\/)\.git(\/|$)/.test(file)),
      [],
    );
  });

  test('moves HEAD, makes branches and commits, and deletes the refs of the mirror gets one commit of ours all the same', async () => {
    const run = `
git checkout --quiet -b evil && git add a.txt && git -c user.name=A -c user.email=a@example.invalid commit --quiet -m mine
git tag stolen && git update-ref refs/heads/main HEAD && git symbolic-ref HEAD refs/heads/nowhere
git for-each-ref --format='delete %(refname)' refs/volley | git update-ref --stdin`;
    await using scenario = await makeScenario({ agents: hostileCast(run) });
    const { repository } = scenario;
    const before = await repository.git('rev-parse', 'main');
    const loop = await runAndLand(scenario);
    assert.equal(
      await repository.git('log', '--format=%s', `${before}..${loop.head}`),
      'fix: address code review round 1 - The second line is wrong.\nWrite it',
    );
    assert.equal(await repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main\nrefs/heads/volley/1-write-it');
  });

  test('leaves locks and a broken index behind does not stop the loop', async () => {
    const run = `
touch "$gitdir/index.lock" "$gitdir/HEAD.lock" "$mirror/config.lock" "$mirror/packed-refs.lock" "$mirror/HEAD.lock"
echo garbage > "$gitdir/index"
for index in "$mirror"/volley/*/index; do echo garbage > "$index"; touch "$index.lock"; done
git config --file "$gitdir/config.worktree" core.bare true`;
    await using scenario = await makeScenario({ agents: hostileCast(run) });
    await runAndLand(scenario);
  });

  test('closes files and folders to their owner does not stop the loop, and has them removed with all others', async () => {
    const run = `
mkdir -p shut/deeper && echo x > shut/file && echo y > shut/deeper/file && : > ignored.log
chmod 000 shut/file ignored.log && chmod 555 shut/deeper shut`;
    await using scenario = await makeScenario({ agents: hostileCast(run), files: { '.gitignore': '*.log\n' } });
    const loop = await runAndLand(scenario);
    assert.equal(await scenario.repository.git('show', `${loop.head}:shut/file`), 'x');
    assert.deepEqual(inState(scenario, 'checkouts'), []);
  });

  test('writes to where the reviewer will work changes nothing that the reviewer sees', async () => {
    const run = `
state=$(dirname "$mirror")
uid=$(basename "$PWD")
mkdir -p "$state/reviews/$uid/checkout" && echo planted > "$state/reviews/$uid/checkout/planted.txt"
rm -rf "$state/reviews/$uid" && ln -s "$beside/elsewhere" "$state/reviews/$uid"`;
    const cast = hostileCast(run);
    const look = { run: 'ls -A > "$(dirname "$0")/seen-$VOLLEY_ROUND"' };
    const reviewer = { by: 'round' as const, turns: cast['reviewer']?.turns.map((turn) => ({ ...turn, ...look })) ?? [] };
    await using scenario = await makeScenario({ agents: { ...cast, reviewer } });
    await runAndLand(scenario);
    assert.equal(existsSync(join(scenario.repository.beside, 'elsewhere')), false);
    for (const round of [1, 2]) {
      const seen = readFileSync(join(scenario.repository.beside, `agents/reviewer/seen-${round}`), 'utf8')
        .trim()
        .split('\n');
      assert.deepEqual(seen.toSorted(), ['.git', 'README.md', 'a.txt', 'volley.yaml']);
    }
  });

  test('removes its own checkout has failed, and works in a new one the next time', async () => {
    const { author, reviewer, fixer } = castFor(['a.txt']);
    const gone = { run: 'here=$PWD; cd / && rm -rf "$here"' };
    await using scenario = await makeScenario({ agents: { author: turns(gone, ...author.turns), reviewer, fixer } });
    await runAndLand(scenario);
    assert.deepEqual(
      (await scenario.journal()).flatMap(({ event }) => (event.type === 'authored' ? [event.outcome.kind] : [])),
      ['failed', 'committed'],
    );
  });

  test('always removes its own checkout ends in a question to a person, who can go on', async () => {
    const { author, reviewer, fixer } = castFor(['a.txt']);
    const gone = { run: 'here=$PWD; cd / && rm -rf "$here"' };
    await using scenario = await makeScenario({ agents: { author: turns(gone, gone, ...author.turns), reviewer, fixer } });
    const ran = await scenario.volley(['run', 'Write it', '--json']);
    assert.deepEqual(
      [ran.code, ran.loop().escalation?.reason, ran.loop().escalation?.why],
      [2, 'agent-failed', 'the author failed: Its checkout is gone.'],
    );
    assert.equal((await scenario.volley(['decide', '1', 'continue'])).code, 0);
  });
});

describe('a gate that', () => {
  test('removes its checkout ends in a question to a person', async () => {
    const config = { gates: [{ name: 'test', run: 'here=$PWD; cd / && rm -rf "$here"' }] };
    await using scenario = await makeScenario({ agents: castFor(['a.txt']), config });
    const ran = await scenario.volley(['run', 'Write it', '--json']);
    assert.deepEqual([ran.code, ran.loop().escalation?.reason], [2, 'checkout-missing']);
  });
});

/** A cast whose reviewer does something beside its work, in its first session only. */
function withReviewer(run: string, more: object = {}): Readonly<Record<string, ScriptedAgent>> {
  const { author, fixer } = castFor(['a.txt']);
  const approves = { result: APPROVED };
  return { author, fixer, reviewer: turns({ run: PRELUDE_OF_REVIEWER + run, ...approves, ...more }, approves) };
}

const PRELUDE_OF_REVIEWER = 'beside=$(cd "$(dirname "$0")/../.." && pwd)\ncanary=$beside/sing.sh\n';

const COMMIT = 'git add -A && git -c user.name=R -c user.email=r@example.invalid commit --quiet --allow-empty -m mine';

const TAMPERING: readonly { readonly does: string; readonly run: string }[] = [
  { does: 'writes a new file', run: 'echo better > b.txt' },
  { does: 'changes a file under review', run: 'echo better >> a.txt' },
  { does: 'removes a file', run: 'rm a.txt' },
  { does: 'hides a change from git status', run: 'git update-index --assume-unchanged a.txt && echo better >> a.txt' },
  { does: 'commits', run: `echo better > a.txt && ${COMMIT}` },
  { does: 'moves HEAD', run: 'git checkout --quiet "$VOLLEY_BASE"' },
  { does: 'makes a branch', run: 'git branch mine' },
  { does: 'plants a program in its config', run: 'git config core.fsmonitor "$canary"' },
  { does: 'plants a hook', run: 'mkdir -p .git/hooks && cp "$canary" .git/hooks/post-index-change' },
  { does: 'replaces its repository', run: 'rm -rf .git && git init --quiet . && git config core.fsmonitor "$canary" && git add -A' },
  { does: 'ignores what it added', run: 'mkdir -p .git/info && echo b.txt >> .git/info/exclude && echo better > b.txt' },
];

describe('a reviewer that', { concurrency: 2 }, () => {
  for (const { does, run } of TAMPERING) {
    test(`${does} has not approved, is not asked again, and runs nothing`, async () => {
      await using scenario = await makeScenario({ agents: withReviewer(run) });
      const canary = await makeCanary(scenario);
      const ran = await scenario.volley(['run', 'Write it', '--json']);
      assert.deepEqual(
        [ran.code, ran.loop().state, ran.loop().escalation?.reason, ran.loop().approval],
        [2, 'needs_human', 'tampered', null],
      );
      assert.equal((await scenario.calls('reviewer')).length, 1);
      await canary.assertSilent();
      assert.equal(await scenario.repository.git('show', 'volley/1-write-it:a.txt'), 'first\nsecond');
    });
  }

  test('only looks, runs git and writes to its scratch folder has tampered with nothing', async () => {
    const run = `git status && git log -p > /dev/null && git diff "$VOLLEY_BASE" "$VOLLEY_HEAD" > /dev/null && git update-index --refresh
cd "$VOLLEY_SCRATCH" && echo x > a.txt && ${COMMIT}`;
    await using scenario = await makeScenario({ agents: withReviewer(run) });
    assert.equal((await scenario.volley(['run', 'Write it'])).code, 0);
  });

  test('writes into the checkout of the author, the mirror and the result of nobody changes no commit', async () => {
    const run = `
state=$(cd ../../.. && pwd)
for file in "$state"/checkouts/*/a.txt; do echo smuggled >> "$file"; echo smuggled > "$(dirname "$file")/smuggled.txt"; done
git --git-dir="$state/repo.git" update-ref refs/heads/smuggled "$(git --git-dir="$state/repo.git" for-each-ref --format='%(objectname)' --count=1)"`;
    const { author, fixer } = castFor(['a.txt']);
    const first = { run, result: rejected(issue('The second line is wrong.', { file: 'a.txt', line: 2 })) };
    await using scenario = await makeScenario({ agents: { author, fixer, reviewer: turns(first, { result: APPROVED }) } });
    const loop = await runAndLand(scenario);
    assert.equal(await scenario.repository.git('diff', '--name-only', `${loop.base}..${loop.head}`), 'a.txt');
    assert.equal(await scenario.repository.git('show', `${loop.head}:a.txt`), 'first\nmended');
    assert.equal(await scenario.repository.git('for-each-ref', '--format=%(refname)'), 'refs/heads/main\nrefs/heads/volley/1-write-it');
  });

  test('leaves daemons behind has them ended with its session', async () => {
    const run = `
sleep 987 & 
setsid sleep 987 &
nohup sh -c 'trap "" TERM HUP INT; sleep 987; sleep 987' > /dev/null 2>&1 &
(setsid sh -c 'sleep 987 & exec sleep 987' &) `;
    await using scenario = await makeScenario({ agents: withReviewer(run) });
    const ran = await scenario.volley(['run', 'Write it', '--json']);
    assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual(
      commandLines().filter((line) => line.includes('sleep 987')),
      [],
    );
  });

  test('kills the process that drives it loses its session, and the loop goes on when it is taken up again', async () => {
    await using scenario = await makeScenario({ agents: withReviewer('sleep 986 & kill -9 $PPID; sleep 986') });
    const ran = await scenario.volley(['run', 'Write it']);
    assert.equal(ran.code, null);
    await eventually(
      'nothing of it is left',
      async () => await Promise.resolve(!commandLines().some((line) => line.includes('sleep 986'))),
    );
    assert.match((await scenario.volley(['status'])).stdout, /in_progress \(cycle 1\/3\) {2}stopped/);
    const worked = await scenario.volley(['work', '1', '--json', '--exit-code']);
    assert.deepEqual([worked.code, worked.loop().state, worked.loop().rounds.length], [0, 'approved', 1]);
    assert.equal((await scenario.calls('author')).length, 1);
  });

  test('names places outside of the repository has nothing read for it, and its findings are kept', async () => {
    const places = [
      '/etc/passwd',
      '../../../../../../etc/passwd',
      'a/../../../etc/passwd',
      'C:\\Windows\\win.ini',
      '%2e%2e/%2e%2e/etc/passwd',
      'link/passwd',
      'nul\0byte',
      'a.txt\0/../../x',
      '',
      '.',
      '-rf',
      ':(top)',
      'HEAD:a.txt',
      `${'x/'.repeat(2000)}x`,
    ];
    const { author, fixer } = castFor(['a.txt']);
    const reviewer = answers(rejected(...places.map((file) => issue('Look there.', { file, line: 1 }))));
    const linking = turns(...author.turns.map((turn) => ({ ...turn, run: 'ln -s /etc link' })));
    await using scenario = await makeScenario({ agents: { author: linking, reviewer, fixer } });
    const ran = await scenario.volley(['run', 'Write it', '--max-rounds', '1', '--json']);
    assert.deepEqual([ran.code, ran.loop().escalation?.reason, ran.loop().findings.length], [2, 'max-rounds', places.length], ran.stdout);
    assert.doesNotMatch(ran.stdout + (await readFolder(join(scenario.root, '.volley/reviews'))), /root:x?:0:0/);
    const shown = await scenario.volley(['findings', '1']);
    assert.equal(shown.code, 0);
    // oxlint-disable-next-line no-control-regex -- That is what is looked for.
    assert.doesNotMatch(shown.stdout, /[\u0000-\u0008\u000b-\u001f]/);
  });
});

async function readFolder(folder: string): Promise<string> {
  return (await Promise.all(readdirSync(folder).map(async (name) => await readFile(join(folder, name), 'utf8')))).join('\n');
}
