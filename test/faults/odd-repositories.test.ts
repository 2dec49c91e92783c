import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, lstat, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { answers, APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { castFor, makeCanary, runAndLand } from '../support/whole-loop.ts';

const NAMES = [
  'with space.txt',
  'quote"d.txt',
  "apostrophe's.txt",
  'tab\there.txt',
  'new\nline.txt',
  'ünïcode-日本-🎉.txt',
  '-dash.txt',
  'back\\slash.txt',
  '$(touch pwned);`id`.txt',
  ':(top)*.txt',
  ' folder with space /-x/file.txt',
];

/** Names that git takes for a branch and that a shell, a terminal or a list of options would take for something else. */
const BRANCHES = ['-x', 'a;touch${IFS}pwned', 'a$(touch\u3000pwned)', 'a\u3000b', '--output=pwned', 'a\u202e`id`|<img/src=x>'];

async function assertClean({ repository, root }: Scenario, where = root): Promise<void> {
  assert.equal(await repository.git('-C', where, 'status', '--porcelain'), '');
  assert.equal(existsSync(join(where, 'pwned')), false);
}

describe('a whole loop is done right', { concurrency: 2 }, () => {
  test('where file names hold spaces, quotes, tabs, line feeds, dashes, patterns and every script', async () => {
    await using scenario = await makeScenario({ agents: castFor(NAMES) });
    const loop = await runAndLand(scenario);
    assert.deepEqual(loop.findings.map((finding) => finding.file ?? '').toSorted(), NAMES.toSorted());
    const texts = await Promise.all(NAMES.map(async (name) => await readFile(join(scenario.root, name), 'utf8')));
    assert.deepEqual(
      texts,
      NAMES.map(() => 'first\nmended\n'),
    );
    await assertClean(scenario);
  });

  test('where the current branch and the base have names that look like options or commands', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    const first = await repository.git('rev-parse', 'main');
    for (const branch of BRANCHES) await repository.git('update-ref', `refs/heads/${branch}`, first);
    for (const [index, branch] of BRANCHES.entries()) {
      await repository.git('symbolic-ref', 'HEAD', `refs/heads/${branch}`);
      await repository.git('reset', '--quiet', '--hard');
      const land = index % 2 === 0 ? [] : [`--onto=${branch}`];
      const loop = await runAndLand(scenario, { run: ['run', 'Write it', `--base=${BRANCHES.at(index - 1)}`, '--max-rounds=2'], land });
      assert.equal(await repository.git('rev-parse', `refs/heads/${branch}`), loop.head, branch);
      await repository.git('update-ref', `refs/heads/${branch}`, first);
    }
    await repository.git('reset', '--quiet', '--hard');
    await assertClean(scenario);
  });

  test('where the branch or the range under review has such a name, which no terminal gets to see raw', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    const base = await repository.git('rev-parse', 'main');
    const head = await repository.commit('work', { 'a.txt': 'first\nsecond\n' });
    await repository.git('reset', '--quiet', '--hard', base);
    for (const [index, branch] of BRANCHES.entries()) {
      await repository.git('update-ref', `refs/heads/${branch}`, head);
      await repository.git('update-ref', `refs/heads/base${branch}`, base);
      const run = index % 2 === 0 ? [`--branch=${branch}`, `--base=base${branch}`] : [`--range=base${branch}..${branch}`];
      const land = index % 2 === 0 ? [] : [`--onto=${branch}`];
      const loop = await runAndLand(scenario, { run: ['review', '--fix', ...run], land });
      assert.equal(await repository.git('rev-parse', `refs/heads/${branch}`), loop.head, branch);
    }
    await assertClean(scenario);
    const shown = await Promise.all(
      ['status', 'show 6', 'log 6', 'why 6'].map(async (line) => (await scenario.volley(line.split(' '))).stdout),
    );
    assert.doesNotMatch(shown.join(''), /\u202e/);
  });

  test('in a shallow clone', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    for (const n of [1, 2, 3]) await repository.commit(`more ${n}`, { 'b.txt': `${n}\n` });
    const clone = join(repository.beside, 'shallow');
    await repository.git('clone', '--quiet', '--depth=2', `file://${repository.root}`, clone);
    const loop = await runAndLand(scenario, { cwd: clone });
    assert.equal(await repository.git('-C', clone, 'rev-parse', 'main'), loop.head);
    assert.equal(await repository.git('-C', clone, 'rev-list', '--count', 'main'), '4');
    await repository.git('-C', clone, 'fsck', '--strict');
  });

  test('in a repository that borrows its objects from another one', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    const borrower = join(repository.beside, 'borrower');
    await repository.git('clone', '--quiet', '--shared', repository.root, borrower);
    const loop = await runAndLand(scenario, { cwd: borrower });
    assert.equal(await repository.git('-C', borrower, 'rev-parse', 'main'), loop.head);
    await repository.git('-C', borrower, 'fsck', '--strict');
  });

  test('in a subfolder of a linked work tree, with the state in the main one', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']), files: { 'deep/er/x.txt': 'x\n' } });
    const { repository } = scenario;
    const linked = join(repository.beside, 'linked tree');
    await repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    const loop = await runAndLand(scenario, { cwd: join(linked, 'deep/er') });
    assert.equal(await repository.git('rev-parse', 'side'), loop.head);
    assert.equal(await readFile(join(linked, 'a.txt'), 'utf8'), 'first\nmended\n');
    assert.deepEqual([existsSync(join(linked, '.volley')), existsSync(join(scenario.root, '.volley/volley.db'))], [false, true]);
    assert.equal((await scenario.loop()).id, loop.id);
    await assertClean(scenario, linked);
    await assertClean(scenario);
  });

  test('in a subfolder, where a story is named from there and agents work at the root', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']), files: { 'deep/er/story.md': 'Acceptance: it is mended.\n' } });
    await runAndLand(scenario, { cwd: join(scenario.root, 'deep/er'), run: ['run', 'Write it', '--story', 'story.md'] });
    assert.match((await scenario.calls('author'))[0]?.prompt ?? '', /Acceptance: it is mended\./);
    assert.equal(existsSync(join(scenario.root, 'a.txt')), true);
    await assertClean(scenario);
  });

  test('where the only branch is called trunk and nothing is called origin', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    await scenario.repository.git('branch', '--move', 'main', 'trunk');
    const loop = await runAndLand(scenario);
    assert.equal(await scenario.repository.git('rev-parse', 'trunk'), loop.head);
    await assertClean(scenario);
  });

  test('on a detached head, which a result lands from only where a branch is named', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    await repository.git('checkout', '--quiet', '--detach');
    const before = await repository.git('rev-parse', 'HEAD');
    assert.equal((await scenario.volley(['run', 'Write it'])).code, 0);
    const refused = await scenario.volley(['land', '1']);
    assert.equal(refused.code, 1);
    assert.equal(
      refused.stderr,
      'error: No branch is checked out, so there is nothing to land on.\n  Name one: volley land 1 --onto BRANCH.\n',
    );
    assert.equal((await scenario.volley(['land', '1', '--onto', 'main'])).code, 0);
    assert.equal(await repository.git('rev-parse', 'main'), (await scenario.loop()).head);
    assert.equal(await repository.git('rev-parse', 'HEAD'), before);
    await repository.git('checkout', '--quiet', '--detach', 'main~1');
    const reviewed = await scenario.volley(['review', '--base', before, '--json']);
    assert.deepEqual([reviewed.code, reviewed.loop().state], [3, 'self_review_failed']);
  });

  test('in a repository with a submodule, whose files nobody touches', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    const library = join(repository.beside, 'library');
    await repository.git('clone', '--quiet', repository.root, library);
    await repository.git('submodule', '--quiet', 'add', library, 'lib');
    await repository.commit('with a submodule');
    await appendFile(join(scenario.root, 'lib/README.md'), 'The user works here too.\n');
    const before = await repository.git('rev-parse', 'HEAD:lib');
    const loop = await runAndLand(scenario);
    assert.equal(await repository.git('rev-parse', `${loop.head}:lib`), before);
    assert.match(await readFile(join(scenario.root, 'lib/README.md'), 'utf8'), /The user works here too/);
    assert.equal(await repository.git('status', '--porcelain'), ' M lib');
  });

  test('where the author moves a submodule to another commit', async () => {
    const one = '1'.repeat(40);
    const commit = 'git -C lib -c user.name=A -c user.email=a@example.invalid commit --quiet --allow-empty -m moved';
    const author = turns({ run: `git init --quiet lib && ${commit}`, write: { 'a.txt': 'a\n' } });
    await using scenario = await makeScenario({ agents: { author, reviewer: answers(APPROVED) } });
    await scenario.repository.git('update-index', '--add', '--cacheinfo', `160000,${one},lib`);
    await scenario.repository.git('commit', '--quiet', '--message', 'with a submodule');
    const ran = await scenario.volley(['run', 'Move it', '--json']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    const entries = await scenario.repository.git('diff-tree', '-r', '--no-commit-id', ran.loop().head ?? '');
    assert.match(entries, new RegExp(`:160000 160000 ${one} [0-9a-f]{40} M\\tlib`));
    assert.match(
      (await scenario.calls('reviewer'))[0]?.prompt ?? '',
      new RegExp(`-Subproject commit ${one}\n\\+Subproject commit [0-9a-f]{40}\n`),
    );
  });

  test('with links, executable bits, binary, empty and CRLF files', async () => {
    const author = turns({
      run: [
        'ln -s script.sh link',
        'ln -s /nowhere/at/all dangling',
        'chmod +x script.sh',
        ': > empty',
        String.raw`printf '\000\001\377' > binary`,
        String.raw`printf 'one\r\ntwo\r\nthree\r\n' > crlf.txt`,
        'rm gone.txt',
      ].join('\n'),
    });
    const places = ['link', 'script.sh', 'empty', 'binary', 'crlf.txt', 'gone.txt'];
    const reviewer = answers(rejected(...places.map((file) => issue('Not like this.', { file, line: 1 }))), APPROVED);
    const fixer = turns({
      run: String.raw`rm link && ln -s other link && echo '# more' >> script.sh && echo x > empty && printf '\000\002' > binary && printf 'ONE\r\ntwo\r\nthree\r\n' > crlf.txt && echo back > gone.txt`,
    });
    const files = { 'script.sh': 'echo hello\n', 'gone.txt': 'gone\n' };
    await using scenario = await makeScenario({ agents: { author, reviewer, fixer }, files });
    const ran = await scenario.volley(['run', 'Write it', '--json']);
    assert.equal(ran.code, 0, ran.stdout + ran.stderr);
    assert.deepEqual([...new Set(ran.loop().findings.map((finding) => finding.status))], ['fixed']);
    assert.equal((await scenario.volley(['land', '1'])).code, 0);
    const { root } = scenario;
    assert.deepEqual([await readlink(join(root, 'link')), await readlink(join(root, 'dangling'))], ['other', '/nowhere/at/all']);
    assert.equal((await lstat(join(root, 'script.sh'))).mode & 0o111, 0o111);
    assert.deepEqual(await readFile(join(root, 'binary')), Buffer.from([0, 2]));
    assert.equal(await readFile(join(root, 'crlf.txt'), 'utf8'), 'ONE\r\ntwo\r\nthree\r\n');
    assert.equal(await readFile(join(root, 'gone.txt'), 'utf8'), 'back\n');
    await assertClean(scenario);
  });

  test('where the user has line endings converted, so that their files keep the ones they have', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']), files: { 'b.txt': 'one\ntwo\n' } });
    const { repository, root } = scenario;
    await repository.git('config', 'core.autocrlf', 'true');
    await repository.remove('b.txt');
    await repository.git('checkout', '--quiet', '--', 'b.txt');
    await runAndLand(scenario);
    assert.equal(await readFile(join(root, 'a.txt'), 'utf8'), 'first\r\nmended\r\n');
    assert.equal(await readFile(join(root, 'b.txt'), 'utf8'), 'one\r\ntwo\r\n');
    assert.equal(await repository.git('show', 'HEAD:a.txt'), 'first\nmended');
    await assertClean(scenario);
  });

  test('with 2,000 files, of which the loop takes hold of as many as it changes', async () => {
    const files = Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`folder-${n % 40}/file-${n}.txt`, `file ${n}\n`]));
    await using scenario = await makeScenario({ agents: castFor(['folder-7/file-7.txt', 'folder-39/new.txt']), files });
    const loop = await runAndLand(scenario);
    assert.equal(
      await scenario.repository.git('diff', '--name-only', `${loop.base}..${loop.head}`),
      'folder-39/new.txt\nfolder-7/file-7.txt',
    );
    await assertClean(scenario);
  });
});

/** What in a config makes some git command run a program; filters are missing, since the user's own files are right only with them. */
const PROGRAMS = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.askPass',
  'core.alternateRefsCommand',
  'credential.helper',
  'diff.external',
  'diff.sing.textconv',
  'diff.sing.command',
  'gpg.program',
  'interactive.diffFilter',
  'merge.sing.driver',
  'sequence.editor',
];

/** What changes how git prints things. */
const TASTES = [
  ['color.ui', 'always'],
  ['commit.gpgsign', 'true'],
  ['core.hooksPath', '.git/other-hooks'],
  ['core.quotePath', 'true'],
  ['diff.algorithm', 'patience'],
  ['diff.mnemonicPrefix', 'true'],
  ['diff.noprefix', 'true'],
  ['status.short', 'true'],
  ['user.signingkey', 'nobody'],
] as const;

const HOOKS = [
  'commit-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'pre-commit',
  'prepare-commit-msg',
  'reference-transaction',
];

describe('a repository whose config and hooks name programs', { concurrency: 2 }, () => {
  test('has none of them run by our git, and its taste in diffs changes nothing', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']), config: { commit: { sign: 'off' } } });
    const { repository } = scenario;
    const canary = await makeCanary(scenario);
    for (const key of PROGRAMS) await repository.git('config', key, canary.program);
    for (const [key, value] of TASTES) await repository.git('config', key, value);
    const hook = `#!/bin/sh\nexec '${canary.program}'\n`;
    for (const path of HOOKS.flatMap((name) => [`.git/hooks/${name}`, `.git/other-hooks/${name}`]))
      await repository.write(path, hook, { executable: true });
    await repository.write('.git/info/attributes', '* diff=sing merge=sing\n');
    await runAndLand(scenario);
    const printed = await Promise.all(['diff 1', 'status', 'show 1'].map(async (line) => (await scenario.volley(line.split(' '))).stdout));
    await canary.assertSilent();
    assert.match(printed[0] ?? '', /^diff --git a\/a\.txt b\/a\.txt\n/);
    assert.equal(await readFile(join(scenario.root, 'a.txt'), 'utf8'), 'first\nmended\n');
  });

  test('signs with the program of the user where they sign their commits', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    const { repository } = scenario;
    const signer = join(repository.beside, 'signer.sh');
    const lines = [
      '#!/bin/sh',
      'cat > /dev/null',
      `echo '[GNUPG:] SIG_CREATED ' >&2`,
      `printf -- '-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n'`,
    ];
    await writeFile(signer, `${lines.join('\n')}\n`, { mode: 0o755 });
    await repository.git('config', 'commit.gpgsign', 'true');
    await repository.git('config', 'gpg.program', signer);
    const loop = await runAndLand(scenario);
    assert.match(await repository.git('cat-file', 'commit', loop.head ?? ''), /gpgsig -----BEGIN PGP SIGNATURE-----/);
  });

  test('fails in words where its signing program does, and goes on when that is mended', async () => {
    await using scenario = await makeScenario({ agents: castFor(['a.txt']) });
    await scenario.repository.git('config', 'commit.gpgsign', 'true');
    await scenario.repository.git('config', 'gpg.program', 'false');
    const ran = await scenario.volley(['run', 'Write it']);
    assert.equal(ran.code, 1);
    assert.match(ran.stdout, /Task #1 failed: .*sign/);
    await scenario.repository.git('config', 'commit.gpgsign', 'false');
    assert.equal((await scenario.volley(['retry', '1'])).code, 0);
  });
});
