import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findExecutable } from '../../src/lib/executable.ts';

/** A way in which an agent may try to make our own git run a program, mislead it or stop it. */
export type Attack = {
  /** Shell code that runs in a checkout, after `PRELUDE`. */
  readonly plant: string;
  /** Shell code by which somebody who does not guard himself would run the program. */
  readonly springs?: string;
};

/** Attacks by what they are. */
type Attacks = Readonly<Record<string, Attack>>;

/** A canary beside a repository, and who ran which git. */
export type Trap = {
  /** Every git command that ran outside of an agent's session since an attack was planted: its name and the kind of its place. */
  commands(): Promise<readonly string[]>;
  /** Fails if the canary sang outside of an agent's session, and says who made it. */
  assertSilent(): Promise<void>;
  /** Whether it sang; it is silent again afterwards. */
  sang(): Promise<boolean>;
};

const HOOKS = `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit
  pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update reference-transaction
  push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman post-index-change`.split(/\s+/);

/** Settings whose value git runs, here or there; `evil` is the name of a driver, which attributes choose. */
const PROGRAMS = `core.fsmonitor core.sshCommand core.gitProxy core.askPass core.pager core.editor core.alternateRefsCommand sequence.editor
  diff.external gpg.program gpg.openpgp.program gpg.ssh.program gpg.x509.program gpg.ssh.defaultKeyCommand credential.helper
  credential.https://example.invalid.helper interactive.diffFilter uploadpack.packObjectsHook web.browser sendemail.smtpServer
  diff.evil.command diff.evil.textconv filter.evil.clean filter.evil.smudge filter.evil.process filter.lfs.clean filter.lfs.smudge
  filter.lfs.process filter.a=b.clean filter.a=b.smudge merge.evil.driver difftool.evil.cmd mergetool.evil.cmd trailer.evil.command
  trailer.evil.cmd hook.evil.command tar.evil.command remote.origin.uploadpack remote.origin.receivepack remote.evil.uploadpack
  lfs.extension.evil.clean lfs.extension.evil.smudge lfs.customtransfer.evil.path pager.status pager.log pager.diff`.split(/\s+/);

/** What makes git look at the others, and undoes what switches them off. */
const SWITCHES = `filter.evil.required=true merge.default=evil merge.renormalize=true diff.tool=evil merge.tool=evil commit.gpgSign=true
  log.showSignature=true gpg.format=ssh gpg.ssh.allowedSignersFile=/dev/null user.signingKey=evil protocol.allow=always
  protocol.ext.allow=always protocol.file.allow=always submodule.recurse=true fetch.recurseSubmodules=true gc.auto=1
  maintenance.auto=true core.untrackedCache=true core.splitIndex=true lfs.standalonetransferagent=evil lfs.extension.evil.priority=0
  diff.evil.cachetextconv=true core.createObject=rename`.split(/\s+/);

/** The text of a config that names the program everywhere. */
function hostileConfig(program: string, hooks: string): string {
  const settings = [
    ...PROGRAMS.map((key) => [key, program] as const),
    ...SWITCHES.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
    ...HOOKS.map((name) => ['hook.evil.event', name] as const),
    ...['status', 'log', 'diff-tree', 'read-tree'].map((name) => [`alias.${name}`, `!${program}`] as const),
    ['core.hooksPath', hooks] as const,
    ['submodule.sub.update', `!${program}`] as const,
    ['submodule.sub.url', `ext::${program}`] as const,
    [`url.ext::${program} .insteadOf`, 'file://'] as const,
  ];
  return settings.map(([key, value]) => render(key, value)).join('');
}

function render(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = first === last ? key.slice(0, first) : `${key.slice(0, first)} "${key.slice(first + 1, last)}"`;
  return `[${section}]\n\t${key.slice(last + 1)} = "${value}"\n`;
}

/** Makes a canary in the folder beside a repository, with all that attacks need. */
export async function makeTrap(beside: string): Promise<Trap> {
  const below = (name: string): string => join(beside, name);
  const [program, hooks] = [below('sing.sh'), below('evil-hooks')];
  await writeFile(program, SING(below('canary')), { mode: 0o755 });
  await mkdir(hooks);
  await Promise.all([
    ...HOOKS.map(async (name) => await symlink(program, join(hooks, name))),
    writeFile(below('evil.config'), hostileConfig(program, hooks)),
    writeFile(below('evil.attributes'), '* filter=evil diff=evil merge=evil\n*.eq filter=a=b\n*.big filter=lfs\n'),
  ]);
  const read = async (name: string): Promise<string> => (existsSync(below(name)) ? await readFile(below(name), 'utf8') : '');
  return {
    commands: async () => [...new Set((await read('commands')).split('\n').filter((line) => line !== ''))].toSorted(),
    assertSilent: async () => assert.equal(await read('canary'), '', 'a program ran that nobody asked for'),
    sang: async () => {
      const text = await read('canary');
      await rm(below('canary'), { force: true });
      return text !== '';
    },
  };
}

/** Fills a folder with a git that takes notes and the programs that it calls, and gives a search path for them that some people have. */
export async function makeTools(folder: string): Promise<string> {
  const path = process.env['PATH'] ?? '';
  const git = (await findExecutable('git', path)).path ?? '';
  await Promise.all([
    writeFile(join(folder, 'git'), RECORDER(git), { mode: 0o755 }),
    writeFile(join(folder, 'git-lfs'), LARGE_FILES(git), { mode: 0o755 }),
    writeFile(join(folder, 'ssh-keygen'), SIGN, { mode: 0o755 }),
  ]);
  return ['.', folder, path].join(delimiter);
}

const SING = (file: string): string => `#!/bin/sh
[ -n "$VOLLEY_ROLE" ] || { echo "$0 $*"; tr '\\0' ' ' < /proc/$PPID/cmdline; echo; } >> '${file}' 2>/dev/null
[ $# -gt 0 ] || cat
`;

/** The name of a command follows after the settings; what belongs to a repository lies beside it. */
const RECORDER = (git: string): string => `#!/bin/sh
case $GIT_DIR in
  */state/volley/*/repo.git) place=mirror ;;
  */state/volley/*/repo.git/worktrees/*) place=checkout ;;
  */state/volley/*/reviews/*) place=reviewer ;;
  */state/volley/*/hooks/*) place=hooks ;;
  */project/.git) place=user ;;
  *) place= ;;
esac
beside=\${GIT_DIR%%/state/volley/*}
beside=\${beside%%/project/.git}
if [ -n "$place" ] && [ -z "$VOLLEY_ROLE" ] && [ -e "$beside/armed" ]; then
  value=
  for word; do
    case $value$word in
      value*) value= ;;
      -c) value=value ;;
      --bare) ;;
      *) break ;;
    esac
  done
  echo "$word $place" >> "$beside/commands"
fi
exec '${git}' "$@"
`;

/** Both do what the config tells them, as the real ones do. */
const LARGE_FILES = (git: string): string => `#!/bin/sh
[ "$1" != filter-process ] || exit 1
exec sh -c "$('${git}' config lfs.extension.evil.clean || echo cat)"
`;
const SIGN = `#!/bin/sh
for last; do :; done
echo '-----BEGIN SSH SIGNATURE-----' > "$last.sig"
`;

/** What every attack begins with; `beside` is set by whoever runs it. All that an agent can reach where nothing confines it is named. */
export const PRELUDE = `
canary=$beside/sing.sh
mirror=$(echo "$beside"/state/volley/*/repo.git)
gitdir=$(echo "$mirror"/worktrees/"\${PWD##*/}"-??????????)
own=$mirror/volley/\${gitdir##*/}
index=$own/index
agent=$own/agent.git
users=$beside/project/.git
arm() { cat "$beside/evil.config" >> "$1"; }
attributes() { cat "$beside/evil.attributes" > "$1"; }
evil() {
  [ -e "$1" ] && return
  git init --quiet --bare "$1" && mkdir -p "$1/info" && git config --file "$1/config" core.bare false
  arm "$1/config"; attributes "$1/info/attributes"
}
: > "$beside/armed"
`;

/** Files that choose the programs, and files for these programs. */
export const CHOICE = `
attributes .gitattributes
echo attacked > attacked.txt; echo attacked > attacked.eq; echo attacked > attacked.big
`;

/** Whoever runs git as they are used to, where the agent was. */
const NAIVE = `
unset VOLLEY_ROLE
for where in "--git-dir=$gitdir --work-tree=." "--git-dir=$agent --work-tree=." ""; do
  git $where status; git $where add attacked.txt; git $where diff HEAD; git $where stash list; git $where update-ref refs/heads/sprung HEAD
done
git --git-dir="$mirror" log -1 --all -p`;

/** What runs programs, by whatever way git comes to hear of them. Each leaves the work of the agent as it is. */
export const PROGRAMS_PLANTED: Attacks = {
  'a .git file that leads to a repository of its own': {
    plant: 'evil "$beside/evil.git"; rm -rf .git; echo "gitdir: $beside/evil.git" > .git',
    springs: NAIVE,
  },
  'a whole repository in the place of the .git file': {
    plant: 'evil "$beside/whole.git"; rm -rf .git; cp -R "$beside/whole.git" .git',
    springs: NAIVE,
  },
  'a link in the place of the .git file': {
    plant: 'evil "$beside/linked.git"; rm -rf .git; ln -s "$beside/linked.git" .git',
    springs: NAIVE,
  },
  'a commondir and a gitdir that lead elsewhere': {
    plant: `evil "$beside/common.git"
for dir in "$gitdir" "$agent" "$mirror"; do echo "$beside/common.git" > "$dir/commondir"; echo "$beside/nowhere/.git" > "$dir/gitdir"; done`,
    springs: NAIVE,
  },
  'a config for one work tree': {
    plant: `for dir in "$gitdir" "$agent" "$mirror"; do arm "$dir/config.worktree"; done
printf '[core]\\n\\trepositoryformatversion = 1\\n[extensions]\\n\\tworktreeConfig = true\\n' >> "$mirror/config"`,
    springs: NAIVE,
  },
  'the config of the bare repository': { plant: 'arm "$mirror/config"; arm "$agent/config"; arm "$gitdir/config"', springs: NAIVE },
  'a config that includes others': {
    plant: `arm "$beside/included.config"
for dir in "$mirror" "$agent"; do
  printf '[include]\\n\\tpath = %s\\n[includeIf "gitdir:%s/"]\\n\\tpath = %s\\n[includeIf "onbranch:**"]\\n\\tpath = %s\\n' \\
    "$beside/included.config" "$mirror" "$beside/included.config" "$beside/included.config" >> "$dir/config"
done`,
    springs: NAIVE,
  },
  'a config that is a link': {
    plant: 'arm "$beside/linked.config"; ln -sf "$beside/linked.config" "$mirror/config"',
    springs: 'unset VOLLEY_ROLE; git --git-dir="$mirror" --work-tree=. status',
  },
  'hooks of every name': {
    plant: 'for dir in "$mirror" "$agent" "$gitdir"; do ln -sfn "$beside/evil-hooks" "$dir/hooks"; done',
    springs: 'unset VOLLEY_ROLE; git --git-dir="$mirror" -c core.hooksPath="$mirror/hooks" update-ref refs/heads/sprung "$base"',
  },
  'attributes that only git knows': {
    plant: `arm "$mirror/config"
mkdir -p "$mirror/info" "$agent/info" "$gitdir/info"; for dir in "$mirror" "$agent" "$gitdir"; do attributes "$dir/info/attributes"; done`,
    springs: NAIVE,
  },
  'submodules with programs': {
    plant: `arm "$mirror/config"
printf '[submodule "sub"]\\n\\tpath = sub\\n\\turl = ext::%s\\n\\tupdate = !%s\\n\\tignore = none\\n' "$canary" "$canary" > .gitmodules
[ -e sub ] || { git init --quiet sub; git -C sub -c user.name=A -c user.email=a@example.invalid commit --quiet --allow-empty -m sub; arm sub/.git/config; }`,
    springs: 'unset VOLLEY_ROLE; git -C sub status',
  },
  'programs in a folder that the search path names relatively': {
    plant: `for dir in . "$mirror" "$gitdir" "$mirror/objects"; do
  for program in git git-lfs ssh-keygen gpg sh; do ln -sf "$canary" "$dir/$program"; done
done
printf '/git\\n/git-lfs\\n/ssh-keygen\\n/gpg\\n/sh\\n' > .gitignore`,
    springs: 'unset VOLLEY_ROLE; PATH=.:$PATH; cd "$mirror" && git status',
  },
};

/** What runs a program to get an object that is missing. */
export const MISSING_OBJECT: Attack = {
  plant: `printf '[core]\\n\\trepositoryformatversion = 1\\n[extensions]\\n\\tpartialClone = evil\\n[remote "evil"]\\n\\tpromisor = true\\n' >> "$mirror/config"
printf '[remote "evil"]\\n\\turl = file://%s\\n\\tuploadpack = %s\\n' "$users" "$canary" >> "$mirror/config"
id=$(git --git-dir="$users" rev-parse "$base:README.md"); rm -f "$mirror/objects/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"`,
  springs: 'unset VOLLEY_ROLE; git --git-dir="$mirror" cat-file -p "$id" < /dev/null',
};

/** What misleads git, leads it out of its place or stops it. */
export const OBSTACLES: Attacks = {
  'a daemon that tells what changed': {
    plant: `git config --file "$mirror/config" core.fsmonitor true
for dir in "$mirror" "$agent" "$gitdir"; do rm -rf "$dir/fsmonitor--daemon.ipc"; ln -s "$beside/nobody.sock" "$dir/fsmonitor--daemon.ipc"; done`,
  },
  'objects from elsewhere, grafts and replaced commits': {
    plant: `mkdir -p "$mirror/objects/info" "$mirror/info" "$mirror/refs/replace"
echo "$users/objects" > "$mirror/objects/info/alternates"; echo "$base" > "$mirror/info/grafts"
git --git-dir="$users" rev-parse "$base" > "$mirror/refs/replace/$base"`,
  },
  'refs of odd names and numbers': {
    plant: `mkdir -p "$mirror/refs/volley/1/partial-1"
for ref in partial-x partial-9007199254740993 partial-1/below '$(id)' -x; do echo "$base" > "$mirror/refs/volley/1/$ref"; done
printf '# pack-refs with: peeled fully-peeled sorted \\n%s refs/volley/1/partial-NaN\\n' "$base" > "$mirror/packed-refs"`,
  },
  'links and folders in the place of files': {
    plant: `rm -rf "$mirror/HEAD" "$gitdir/HEAD" "$gitdir/locked" "$agent/index" "$agent/HEAD" "$agent/objects" "$agent/refs"
ln -s "$users/HEAD" "$mirror/HEAD"; ln -s "$users/HEAD" "$gitdir/HEAD"; mkdir "$gitdir/locked" "$agent/index" "$agent/HEAD"
ln -s "$users/objects" "$agent/objects"; ln -s "$users/refs" "$agent/refs"
for name in ready index.partial index.groups; do ln -sf "$users/config" "$own/$name"; done`,
  },
  'a link in the place of an index': { plant: 'rm -rf "$index"; ln -s "$users/index" "$index"' },
  'a link in the place of its repository': { plant: 'rm -rf "$agent" "$gitdir"; ln -s "$users" "$agent"; ln -s "$users" "$gitdir"' },
  'a config that git cannot read': {
    plant: `echo "[[[" >> "$mirror/config"; printf '[core]\\n\\tbare = false\\n\\tworktree = /nowhere\\n' >> "$agent/config"`,
  },
  'pipes in the repositories': {
    plant: `for file in config HEAD info/exclude objects/info/alternates; do rm -rf "$mirror/$file"; mkfifo "$mirror/$file"; done
for file in "$gitdir/HEAD" "$agent/config" "$agent/index" "$index"; do rm -rf "$file"; mkfifo "$file"; done`,
  },
};

/** What git would wait for in the tree of the agent. */
export const PIPES_IN_TREE: Attack = {
  plant: `mkdir -p sub/deeper nested; rm -f .gitignore sub/.gitattributes nested/.git; mkfifo .gitignore sub/.gitattributes
rm -rf "$agent/nested"; mkdir "$agent/nested" && mkfifo "$agent/nested/HEAD" && echo "gitdir: $agent/nested" > nested/.git
echo x > sub/deeper/x.txt`,
};
