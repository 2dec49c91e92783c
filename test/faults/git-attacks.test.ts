import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { appendFile, readFile, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { VolleyError } from '../../src/core/errors.ts';
import { ignoredPaths, lookAtRepository } from '../../src/app-repository.ts';
import { findFile, readBlobLines } from '../../src/git/blob-lines.ts';
import { listFiles, readChange } from '../../src/git/change.ts';
import { listChangedFiles } from '../../src/git/changed-files.ts';
import { findCommitHooks } from '../../src/git/commit-hooks.ts';
import { readFilePatch } from '../../src/git/file-patch.ts';
import { landBranch } from '../../src/git/land.ts';
import { landPatch } from '../../src/git/land-patch.ts';
import { locateChange, previewChange } from '../../src/git/locate.ts';
import { forgetCommit, importCommits, openMirror } from '../../src/git/mirror.ts';
import type { Mirror } from '../../src/git/mirror.ts';
import { openWorkspace } from '../../src/git/open-workspace.ts';
import { openProject } from '../../src/git/project.ts';
import type { Project } from '../../src/git/project.ts';
import { addedByCommits, knowsCommit, pushedFrom } from '../../src/git/push-hook.ts';
import { mergeBase } from '../../src/git/refs.ts';
import { searchPatch } from '../../src/git/search-patch.ts';
import type { WorkCheckout, Workspace } from '../../src/git/workspace.ts';
import {
  CHOICE,
  MISSING_OBJECT,
  OBSTACLES,
  PIPES_IN_TREE,
  PRELUDE,
  PROGRAMS_PLANTED,
  makeTools,
  makeTrap,
} from '../support/git-attacks.ts';
import type { Attack, Trap } from '../support/git-attacks.ts';
import { makeRepository, repositoryAt, TEST_IDENTITY } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';
import { APPROVED, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { ScriptedAgent } from '../support/scenario.ts';
import { runCommand } from '../support/run-command.ts';
import { userState } from '../support/user-state.ts';
import { castFor } from '../support/whole-loop.ts';
import { keepNamed } from '../../src/git/keep-named.ts';
import { listLoopRefs } from '../../src/git/loop-refs.ts';
import { pruneMirror } from '../../src/git/prune-mirror.ts';

/** A project with a loop that has committed once, and a checkout in which an agent was. */
type World = AsyncDisposable & {
  readonly repository: TestRepository;
  readonly project: Project;
  readonly mirror: Mirror;
  readonly folder: string;
  readonly trap: Trap;
  readonly dir: string;
  readonly start: string;
  readonly head: string;
  /** Lets an agent run shell code in a folder; without a role it is nobody's. */
  shell(code: string, given?: { readonly cwd?: string; readonly role?: string }): Promise<void>;
};

const LOOP = { loopId: 1, uid: 'loop-1', copy: [] };
const IDENTITY = { ...TEST_IDENTITY, assumed: false };
const SECRET = `AKIA${'QWERTZUIOPASDFGH'}`;
const PATH = process.env['PATH'] ?? '';
/** What a user may have set: large files, and signed commits; their programs are looked for in the search path. */
const LFS = '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n';
const SIGNING = '[commit]\n\tgpgSign = true\n[gpg]\n\tformat = ssh\n[user]\n\tsigningKey = /a-key\n';
/** Nothing here may wait forever. */
const LIMITS = { concurrency: 3, timeout: 180_000 };
const tools = mkdtempSync(join(tmpdir(), 'volley-tools-'));

before(async () => {
  process.env['PATH'] = await makeTools(tools);
  await appendFile(join(process.env['HOME'] ?? '', '.gitconfig'), LFS);
});
after(() => rmSync(tools, { recursive: true }));

async function makeWorld({ isPacked = true } = {}): Promise<World> {
  const files = { 'README.md': '# Sample\n', 'src/a.ts': 'export const a = 1;\n', 'hooks/pre-commit': '#!/bin/sh\n' };
  const repository = await makeRepository({ files });
  const trap = await makeTrap(repository.beside);
  const start = await repository.git('rev-parse', 'HEAD');
  await repository.git('worktree', 'add', '--quiet', '-b', 'other', '../linked');
  await appendFile(join(repository.root, '.git', 'config'), SIGNING);
  await repository.write('mine.txt', 'not committed\n');
  const project = await openProject(repository.root);
  const stateDir = join(repository.beside, 'state', 'volley');
  const mirror = await openMirror({ project, stateDir });
  await importCommits(mirror, project, [start]);
  const folder = join(stateDir, project.key);
  const work = await openWorkspace({ project, mirror, folder, identity: IDENTITY }).openCheckout({ ...LOOP, commit: start });
  await work.markReady();
  await writeFile(join(work.dir, 'a.txt'), 'first\nsecond\n');
  const head = await commit(work, start);
  // An agent may do so too; what lies in a pack is given to the user in another way than what does not.
  await repository.git('--git-dir', mirror.dir, 'update-ref', 'refs/heads/packed', head);
  if (isPacked) await repository.git('--git-dir', mirror.dir, 'repack', '-adq');
  const place = { repository, project, mirror, folder, start, head };
  const env = { beside: repository.beside, base: start, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', PATH };
  return {
    ...place,
    trap,
    dir: work.dir,
    shell: async (code, { cwd = work.dir, role = '' } = {}) => {
      await runCommand('/bin/sh', ['-c', code], { cwd, env: { ...env, VOLLEY_ROLE: role } });
    },
    [Symbol.asyncDispose]: async () => await repository[Symbol.asyncDispose](),
  };
}

/** As a new process has it: nothing is remembered. */
function workspaceOf({ project, mirror, folder }: World): Workspace {
  return openWorkspace({ project, mirror, folder, identity: IDENTITY });
}

async function commit(work: WorkCheckout, parent: string): Promise<string> {
  const groups = [{ message: 'Sources', paths: ['src'] }];
  const result = await work.commit({ parent, message: 'Work', step: 'author', sign: 'inherit', groups });
  return result.kind === 'committed' ? result.head.commit : parent;
}

/** Acts in which an agent has its turn let it attack once more. */
type Attacked = World & { readonly attack: () => Promise<void> };

/** Whatever the engine and the commands do with a checkout, the mirror and the user's repository: together, every git command that we run. */
const ACTS: Readonly<Record<string, (world: Attacked, workspace: Workspace) => Promise<unknown>>> = {
  'opening a checkout': async ({ head }, workspace) => await workspace.openCheckout({ ...LOOP, commit: head }),
  committing: async ({ attack, dir, start, head }, workspace) => {
    const work = await workspace.openCheckout({ ...LOOP, commit: head });
    await attack();
    await writeFile(join(dir, 'src/a.ts'), `export const a = '${start}';\n`);
    await writeFile(join(dir, 'b.txt'), `${start}\n`);
    await commit(work, head);
  },
  'holding work back': async ({ attack, dir, head }, workspace) => {
    const work = await workspace.openCheckout({ ...LOOP, commit: head });
    await attack();
    await writeFile(join(dir, 'secret.txt'), `key = ${SECRET}\n`);
    await commit(work, head);
  },
  'keeping unfinished work and taking it up again': async ({ attack, dir, head }, workspace) => {
    const work = await workspace.openCheckout({ ...LOOP, commit: head });
    await attack();
    await writeFile(join(dir, 'b.txt'), 'unfinished\n');
    const ref = await work.keepPartial();
    assert.ok(ref);
    await work.restore(ref);
    await work.reset();
  },
  'reading a change': async ({ mirror, start, head }, workspace) => {
    const change = await workspace.readChange(start, head);
    assert.match(change.patch, /^\+second$/m);
    assert.deepEqual(await workspace.changedPaths(start, head), ['a.txt']);
    assert.equal((await workspace.readDelta(start, head)).length, 1);
    assert.equal(await workspace.readText(head, 'a.txt'), 'first\nsecond\n');
    assert.deepEqual(await workspace.listFiles(head, 'src'), ['src/a.ts']);
    const ends = { place: mirror.place, base: start, head, whitespace: 'show' } as const;
    assert.equal((await listChangedFiles(ends)).length, 1);
    const { text } = await readFilePatch({ ...ends, path: 'a.txt', oldPath: null, context: 3, mostBytes: 1000 });
    assert.match(text, /^\+second$/m);
    assert.equal((await searchPatch({ ...ends, text: 'SECOND', matchCase: false, skip: 0, limit: 9, mostMs: 60_000 })).matches.length, 1);
    const { blob = '' } = (await findFile(mirror.place, head, 'a.txt')) ?? {};
    const { lines } = await readBlobLines({ place: mirror.place, blob, start: 1, end: 9, mostBytes: 1000 });
    assert.deepEqual(lines, ['first', 'second']);
  },
  'making a place for a review': async ({ start, head }, workspace) => {
    const place = await workspace.openReview({ uid: LOOP.uid, mergeBase: start, head, message: 'Work' });
    assert.equal(await place.tripwire(), await place.tripwire());
    await place.remove();
  },
  'making places for gates': async ({ dir, start, head }, workspace) => {
    const hooks = await workspace.openHooks({ uid: LOOP.uid, checkout: dir, base: start, mergeBase: start, head, path: 'hooks' });
    await hooks.remove();
    const base = await workspace.openBase({ uid: LOOP.uid, commit: start, copy: [] });
    await base.remove();
  },
  'giving the branch to the user, who moves it': async ({ repository, start, head }, workspace) => {
    const branch = { loopId: 1, branch: 'volley/1-work', commit: head, known: [start] };
    assert.equal((await workspace.publish(branch)).kind, 'published');
    await repository.git('update-ref', 'refs/heads/volley/1-work', start);
    assert.equal((await workspace.movedBranch({ ...branch, known: [] }))?.descends, false);
    await repository.git('update-ref', '-d', 'refs/heads/volley/1-work');
  },
  "committing a person's edit": async ({ repository, start, head }, workspace) => {
    const edit = { path: 'a.txt', before: 'first\nsecond\n', after: 'first\nmended\n' };
    const branch = { branch: 'volley/1-work', known: [start], parent: head, message: 'Mend it', sign: 'off' } as const;
    assert.equal((await workspace.commitEdit({ ...branch, edit })).kind, 'committed');
    assert.equal(await repository.git('show', 'volley/1-work:a.txt'), 'first\nmended');
    await repository.git('update-ref', '-d', 'refs/heads/volley/1-work');
  },
  'looking at the repository of the user': async ({ repository, project, start }) => {
    const seen = await lookAtRepository(repository.root);
    assert.deepEqual([...(await ignoredPaths(seen, ['mine.txt']))], ['']);
    assert.deepEqual(await pushedFrom(project, 'origin', start), { base: null });
    await addedByCommits(project, `${start}..${start}`);
    assert.equal(await knowsCommit(project, start), true);
    await findCommitHooks(project, project.place, start);
    assert.deepEqual(await listFiles(project.place, start, 'src'), ['src/a.ts']);
    assert.equal(await mergeBase(project.place, start, start), start);
  },
  'verifying what was approved': async ({ mirror, start, head }) => {
    // Only who opened a mirror knows what its config has to say; who just looks may find that it cannot be read.
    const { config: _, ...place } = mirror.place;
    const seen = await readChange({ place, base: start, head }).catch((error: unknown) => error);
    assert.ok(seen instanceof VolleyError || Object(seen).files.length === 1);
  },
  'finding a change': async ({ project, folder }) => {
    const mirror = await openMirror({ project, stateDir: join(folder, '..') });
    const located = await locateChange(project, mirror, { kind: 'working-tree' });
    assert.deepEqual(located.paths, ['mine.txt']);
    await forgetCommit(mirror, located.start.commit);
    await previewChange(project, { kind: 'branch', branch: 'other', base: null });
  },
  'joining the work of two tasks': async ({ start, head }, workspace) => {
    const joined = await workspace.joinCommits([start, head], 'Merge');
    assert.equal(joined.kind === 'joined' && joined.head.commit, head);
  },
  'collecting garbage': async ({ mirror, head }) => {
    await listLoopRefs(mirror.place);
    await keepNamed(mirror, new Set([head]));
    const pruned = await pruneMirror(mirror, new Date(0));
    // A pipe where git expects a file, or an object that is gone, stops it; then nothing is removed.
    assert.ok(pruned.kind === 'pruned' || /which is a pipe|^git \S+ failed/.test(pruned.why), JSON.stringify(pruned));
  },
  'removing a checkout': async ({ head }, workspace) => {
    await workspace.removeCheckout({ ...LOOP, commit: head });
    await workspace.removeThrowAways(LOOP.uid);
  },
};

/** What changes the user's files and branches, because they asked for it. */
const LANDINGS: typeof ACTS = {
  'landing in a branch': async ({ repository, project, mirror, folder, head }) => {
    await repository.git('-C', '../linked', 'commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', 'mine');
    const scratchDir = join(folder, 'landing');
    const landing = { project, mirror, commit: head, scratchDir, identity: IDENTITY, message: 'Merge', at: new Date(), runGates: pass };
    assert.equal((await landBranch({ ...landing, onto: 'other' })).kind, 'merged');
    assert.equal((await landBranch({ ...landing, onto: 'main' })).kind, 'fast-forward');
  },
  'landing as a patch': async ({ repository, project, mirror, start, head }) => {
    const patch = { user: project.place, mirror: mirror.place, base: start, head };
    await repository.remove('a.txt');
    assert.equal((await landPatch(patch)).kind, 'applied');
    assert.equal((await landPatch(patch)).kind, 'already');
    await repository.write('a.txt', 'mine\n');
    assert.equal((await landPatch(patch)).kind, 'differs');
  },
};

async function pass(): Promise<{ readonly passed: boolean; readonly detail: string }> {
  return await Promise.resolve({ passed: true, detail: '' });
}

/** Does everything, each time after an attack, and tells what could not be done. */
async function doAll(world: World, plant: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [act, perform] of Object.entries({ ...ACTS, ...LANDINGS })) {
    if (!existsSync(world.dir)) await (await workspaceOf(world).openCheckout({ ...LOOP, commit: world.head })).markReady();
    const attack = async (): Promise<void> => await world.shell(`${PRELUDE}${CHOICE}${plant}`, { role: 'author' });
    await attack();
    const mine = await userState(world.repository.root);
    try {
      await perform({ ...world, attack }, workspaceOf(world));
    } catch (error) {
      if (!(error instanceof VolleyError)) throw new Error(`${act} broke`, { cause: error });
      problems.push(`${act}: ${error.message}`);
    }
    await world.trap.assertSilent();
    if (act in ACTS) assert.deepEqual(await userState(world.repository.root), mine, act);
    assert.equal(existsSync(join(world.repository.root, '.git/objects/info/alternates')), false);
  }
  return problems;
}

/** Those that do not hide each other are planted together. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'programs of repositories from elsewhere': [
    'a whole repository in the place of the .git file',
    'a commondir and a gitdir that lead elsewhere',
    'a config that includes others',
  ],
  'programs behind links': [
    'a link in the place of the .git file',
    'a config that is a link',
    'programs in a folder that the search path names relatively',
    'a daemon that tells what changed',
  ],
  'files and objects from elsewhere': ['links and folders in the place of files', 'objects from elsewhere, grafts and replaced commits'],
  'an index from elsewhere': ['a link in the place of an index', 'a config that git cannot read'],
};

/** What whole projects are attacked with, too. */
const EVERYWHERE = [
  'a .git file that leads to a repository of its own',
  'the config of the bare repository',
  'a config for one work tree',
  'hooks of every name',
  'attributes that only git knows',
  'submodules with programs',
  'refs of odd names and numbers',
];

const ATTACKS: Readonly<Record<string, Attack>> = { ...PROGRAMS_PLANTED, ...OBSTACLES };

function plantOf(names: readonly string[]): string {
  const attacks = names.map((name) => ATTACKS[name]);
  assert.ok(!attacks.includes(undefined), names.join());
  return attacks.map((attack) => attack?.plant).join('\n');
}

type Trial = { readonly problems: readonly string[]; readonly commands: readonly string[] };

let trial: Promise<Trial> | null = null;

/** What could not be done after these attacks, and every git command that was run after them, with the kind of its place. */
async function tryEverywhere(): Promise<Trial> {
  trial ??= (async () => {
    await using world = await makeWorld();
    return { problems: await doAll(world, plantOf(EVERYWHERE)), commands: await world.trap.commands() };
  })();
  return await trial;
}

describe('nothing that an agent plants is run, and nothing of the user changes, whatever we do afterwards', LIMITS, () => {
  const grouped = [...EVERYWHERE, ...Object.values(TOGETHER).flat()];
  const alone = Object.keys(ATTACKS).filter((name) => !grouped.includes(name));

  test('after programs in configs, hooks and attributes', async () => {
    assert.deepEqual((await tryEverywhere()).problems, []);
  });

  for (const [name, attacks] of [...Object.entries(TOGETHER), ...alone.map((one) => [one, [one]] as const)]) {
    test(`after ${name}`, async () => {
      await using world = await makeWorld();
      assert.deepEqual(await doAll(world, plantOf(attacks)), []);
    });
  }
});

/** Commands of repositories that we make ourselves for a demonstration, or of none: no agent was there. */
const ELSEWHERE = ['commit', 'init', 'switch', 'version'];

/** The source of the product, by path. */
async function readSource(): Promise<ReadonlyMap<string, string>> {
  const folder = join(import.meta.dirname, '../../src');
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /(?<!\.test)\.ts$/.test(path));
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')] as const)));
}

test('every git command of the source is one after which an attack was tried', async () => {
  const known = new Set((await runCommand('git', ['--list-cmds=builtins'], { cwd: '/' })).stdout.split('\n'));
  const named = [...(await readSource()).values()]
    .filter((text) => /from '[^']*\/git\.ts'/.test(text))
    .flatMap((text) => [...text.matchAll(/(?:\[|\bgit\()\s*'([a-z-]+)'/g)].map(([, word = '']) => word))
    .filter((word) => known.has(word) && !ELSEWHERE.includes(word));
  const names = (await tryEverywhere()).commands.map((command) => command.replace(/ .*/, ''));
  assert.deepEqual([...new Set(names)].toSorted(), [...new Set(named)].toSorted());
});

test('git is started in one place', async () => {
  const starts = /\b(?:spawn|exec|execFile|fork)(?:Sync)?\(\s*'git'|argv:\s*\[\s*'git'/;
  const found = [...(await readSource())].filter(([, text]) => starts.test(text)).map(([path]) => path);
  assert.deepEqual(found, ['git/git.ts']);
});

describe('the trap', LIMITS, () => {
  for (const [name, { plant, springs }] of Object.entries({ ...PROGRAMS_PLANTED, 'a missing object': MISSING_OBJECT })) {
    test(`springs where nobody guards himself: ${name}`, async () => {
      await using world = await makeWorld({ isPacked: false });
      await world.shell(`${PRELUDE}${CHOICE}${plant}\n${springs}`, { role: 'author' });
      assert.equal(await world.trap.sang(), true);
    });
  }
});

describe('an agent that', LIMITS, () => {
  test('takes an object away and offers a program to fetch it runs nothing, and it is told what is missing', async () => {
    await using world = await makeWorld({ isPacked: false });
    const problems = await doAll(world, MISSING_OBJECT.plant);
    assert.match(problems.join('\n'), /^committing: git \S+ failed: .*README\.md/m);
  });

  test('puts pipes where git reads files in its tree does not stop us', async () => {
    await using world = await makeWorld();
    await world.shell(`${PRELUDE}${PIPES_IN_TREE.plant}`, { role: 'author' });
    const work = await workspaceOf(world).openCheckout({ ...LOOP, commit: world.head });
    await world.shell(`${PRELUDE}${PIPES_IN_TREE.plant}`, { role: 'author' });
    const committed = await commit(work, world.head);
    assert.deepEqual(await workspaceOf(world).changedPaths(world.head, committed), ['sub/deeper/x.txt']);
  });
});

/** What a reviewer may leave in its own repository. */
const IN_A_REVIEW: Readonly<Record<string, string>> = {
  'programs in its config, attributes and hooks': 'arm .git/config; attributes .git/info/attributes; cp -r "$beside/evil-hooks" .git/hooks',
  'a program to fetch what is missing': `arm .git/config; rm .git/objects/info/alternates
printf '[core]\\n\\trepositoryformatversion = 1\\n[extensions]\\n\\tpartialClone = origin\\n[remote "origin"]\\n\\turl = file://%s\\n\\tpromisor = true\\n' "$users" >> .git/config`,
  'pipes in the place of its index and its refs': 'rm .git/index; mkfifo .git/index .git/refs/heads/pipe',
  'devices without an end':
    'rm .git/index; ln -s /dev/zero .git/index; ln -s /dev/zero .git/packed-refs; ln -s /dev/zero .git/refs/heads/zero',
  'a pipe in its tree': 'rm -f .gitignore; mkfifo .gitignore',
};

describe('a reviewer that leaves', LIMITS, () => {
  for (const [what, plant] of Object.entries(IN_A_REVIEW)) {
    test(`${what} runs nothing, and is seen`, async () => {
      await using world = await makeWorld();
      const { start, head } = world;
      const place = await workspaceOf(world).openReview({ uid: LOOP.uid, mergeBase: start, head, message: 'Work' });
      const untouched = await place.tripwire();
      await world.shell(`${PRELUDE}${plant}`, { cwd: place.dir, role: 'reviewer' });
      assert.notEqual(await place.tripwire(), untouched);
      await world.trap.assertSilent();
    });
  }
});

/** Where the repository lies, for an agent, whose script lies beside it too, and for a gate, which runs in a checkout. */
const OF_AGENT = `beside=$(cd "$(dirname "$0")/../.." && pwd); base=$VOLLEY_BASE\n${PRELUDE}`;
const OF_GATE = `beside=$(cd ../../../../.. && pwd); base=$(git rev-parse HEAD)\n${PRELUDE}`;

/** The same agent, which beside its work attacks. */
function armed({ by, turns: list }: ScriptedAgent, plant: string): ScriptedAgent {
  return { by, turns: list.map((turn) => ({ ...turn, run: `${OF_AGENT}${CHOICE}${plant}` })) };
}

/** A cast for three loops; the author fails first, and then writes a secret. */
function castOf(plant: string): Readonly<Record<string, ScriptedAgent>> {
  const wrong = (file: string): object => rejected(issue('The second line is wrong.', { file, line: 2 }));
  const author = turns(
    { write: { 'b.txt': 'unfinished\n' }, exit: 1 },
    { write: { 'a.txt': 'first\nsecond\n', 'b.txt': `${SECRET}\n` } },
    { write: { 'c.txt': 'first\nsecond\n' } },
  );
  const fixer = turns(
    { write: { 'b.txt': 'clean\n' } },
    { write: { 'a.txt': 'first\nmended\n' }, result: { commits: [{ summary: 'Mend it', paths: ['a.txt'] }] } },
    { write: { 'mine.txt': 'first\nmended\n' } },
  );
  const results = [wrong('a.txt'), APPROVED, wrong('mine.txt'), APPROVED, wrong('c.txt'), APPROVED];
  // What is its own a reviewer must not touch, or its review is void.
  const run = `${OF_AGENT}arm "$mirror/config"; attributes "$mirror/info/attributes"; ln -sfn "$beside/evil-hooks" "$mirror/hooks"`;
  const reviewer = turns(...results.map((result) => ({ run, result })));
  return { author: armed(author, plant), fixer: armed(fixer, plant), reviewer };
}

/** What would stop git or lead it astray. */
const ON_THE_WAY: Readonly<Record<string, string>> = {
  'pipes where files should be': `${PIPES_IN_TREE.plant}\n${plantOf(['pipes in the repositories'])}`,
  'links and folders where files should be': plantOf(['links and folders in the place of files', 'a link in the place of an index']),
  'links where repositories should be': plantOf(['a link in the place of its repository']),
  'objects, refs and a config of its own': plantOf([
    'a daemon that tells what changed',
    'objects from elsewhere, grafts and replaced commits',
    'refs of odd names and numbers',
    'a config that git cannot read',
  ]),
};

describe('a whole project with hostile agents', LIMITS, () => {
  test('runs nothing of theirs, whatever a user does, and no git command on which that was not tried', async () => {
    const plant = plantOf(EVERYWHERE);
    const gates = [{ name: 'test', run: `${OF_GATE}${CHOICE}${plant}\ntrue` }];
    const files = { 'README.md': '# Sample\n', 'hooks/pre-commit': '#!/bin/sh\n' };
    await using scenario = await makeScenario({ agents: castOf(plant), files, config: { gates } });
    const { repository, root } = scenario;
    const trap = await makeTrap(repository.beside);
    await appendFile(join(repository.beside, 'home/.gitconfig'), LFS);
    await appendFile(join(root, '.git/config'), `${SIGNING}[core]\n\thooksPath = hooks\n`);
    const config = await readFile(join(root, '.git/config'), 'utf8');
    const type = async (code: number, ...words: readonly string[]): Promise<string> => {
      const said = await scenario.volley(words, {
        input: `refs/heads/main ${await repository.git('rev-parse', 'main')} x ${'0'.repeat(40)}\n`,
      });
      assert.equal(said.code, code, `${words.join(' ')}: ${said.stdout}${said.stderr}`);
      await trap.assertSilent();
      return said.stdout;
    };

    assert.match(await type(0, 'run', 'Write it'), /APPROVED/);
    for (const word of ['status', 'diff 1', 'verify 1', 'doctor']) await type(0, ...word.split(' '));
    await repository.commit('mine', { 'other.txt': 'mine\n' });
    assert.match(await type(0, 'land', '1'), /merged/);
    await repository.write('mine.txt', 'first\nsecond\n');
    await type(0, 'review', '--working-tree', '--fix');
    await type(0, 'land', '2');
    assert.equal(await readFile(join(root, 'mine.txt'), 'utf8'), 'first\nmended\n');
    await type(2, 'run', 'Write more', '--max-rounds', '1');
    await type(0, 'takeover', '3');
    await repository.git('worktree', 'add', '--quiet', '../task', 'volley/3-write-more');
    await repositoryAt(join(repository.beside, 'task'), repository.beside).commit('mine', { 'c.txt': 'first\nmended\n' });
    await repository.git('worktree', 'remove', '../task');
    await type(0, 'handback', '3');
    await type(0, 'hook', 'pre-push', 'origin');

    assert.equal(await readFile(join(root, '.git/config'), 'utf8'), config);
    const known = new Set((await tryEverywhere()).commands);
    assert.deepEqual(
      (await trap.commands()).filter((command) => !known.has(command)),
      [],
    );
  });

  for (const [name, plant] of Object.entries(ON_THE_WAY)) {
    test(`goes on after ${name}, and nothing of the user changes but the branch`, async () => {
      const { author, reviewer, fixer } = castFor(['a.txt']);
      await using scenario = await makeScenario({ agents: { author: armed(author, plant), reviewer, fixer: armed(fixer, plant) } });
      const trap = await makeTrap(scenario.repository.beside);
      const mine = await userState(scenario.root);
      const ran = await scenario.volley(['run', 'Write it', '--json']);
      assert.deepEqual([ran.code, ran.loop().state, ran.stderr], [0, 'approved', ''], ran.stdout.slice(-6000));
      assert.deepEqual(await userState(scenario.root), mine);
      assert.equal((await scenario.volley(['land', '1'])).code, 0);
      assert.equal(await readFile(join(scenario.root, 'a.txt'), 'utf8'), 'first\nmended\n');
      await trap.assertSilent();
    });
  }

  test('says what is wrong where an object is gone, and fetches it with no program of theirs', async () => {
    const { author, reviewer, fixer } = castFor(['a.txt']);
    await using scenario = await makeScenario({ agents: { author: armed(author, MISSING_OBJECT.plant), reviewer, fixer } });
    const trap = await makeTrap(scenario.repository.beside);
    const ran = await scenario.volley(['run', 'Write it']);
    assert.equal(ran.code, 1);
    assert.match(ran.stdout + ran.stderr, /git \S+ failed: .*README\.md/);
    await trap.assertSilent();
  });
});
