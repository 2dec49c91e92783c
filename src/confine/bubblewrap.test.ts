import assert from 'node:assert/strict';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nonce } from '../lib/ids.ts';
import { runProcess } from '../lib/process.ts';
import { bubblewrapConfinement } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import { confinementConformance } from './conformance.ts';
import { openTrial, requireBubblewrap } from './trial.ts';
import type { Given, Trial } from './trial.ts';
import type { Variables } from './variables.ts';

const program = await requireBubblewrap();

confinementConformance('os', (given) => bubblewrapConfinement({ program, ...given }));

describe('what a program in a sandbox sees', () => {
  let trial: Trial;
  let user: Record<string, string>;
  before(() => {
    trial = openTrial();
    user = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: trial.userHome };
  });
  after(() => trial.close());

  const confinement = (more: Variables = {}): Confinement =>
    bubblewrapConfinement({ program, stateDir: trial.stateDir, user: { ...user, ...more } });
  const shell = async (line: string, given: Given = {}, more: Variables = {}): Promise<string> => {
    const end = await trial.run(confinement(more), ['/bin/sh', '-c', line], given);
    return end.output.trim();
  };

  describe('checkouts', () => {
    for (const role of ['reviewer', 'arbiter'] as const) {
      it(`the checkout of the role ${role} can be read and not written`, async () => {
        const file = trial.write('state/project/checkout/file', 'as it was');
        await shell('echo changed > file; rm -f file; echo more > another; mkdir folder', { role });
        assert.equal(readFileSync(file, 'utf8'), 'as it was');
        assert.ok(!existsSync(join(trial.checkout, 'another')) && !existsSync(join(trial.checkout, 'folder')));
      });
    }
    it('what a profile names to write can be written, and its folder too', async () => {
      const scratch = join(trial.base, 'scratch');
      mkdirSync(scratch);
      const line = `echo a > ${scratch}/file`;
      assert.equal(await shell(line, { role: 'reviewer', write: [scratch] }), '');
      assert.equal(readFileSync(join(scratch, 'file'), 'utf8'), 'a\n');
    });
    it('what a profile names to read can be read and not written', async () => {
      const file = trial.write('tools/file', 'of a tool');
      const output = await shell(`cat ${file}; echo changed > ${file}`, { read: [join(trial.base, 'tools')] });
      assert.match(output, /^of a tool/);
      assert.equal(readFileSync(file, 'utf8'), 'of a tool');
    });
    it('what is written beats what is read, whichever contains the other', async () => {
      trial.write('both/inner/file', 'x');
      const outer = join(trial.base, 'both');
      await shell(`echo one > ${outer}/inner/file`, { read: [join(outer, 'inner')], write: [outer] });
      assert.equal(readFileSync(join(outer, 'inner/file'), 'utf8'), 'one\n');
      await shell(`echo two > ${outer}/inner/file; echo two > ${outer}/file`, { read: [outer], write: [join(outer, 'inner')] });
      assert.equal(readFileSync(join(outer, 'inner/file'), 'utf8'), 'two\n');
      assert.equal(existsSync(join(outer, 'file')), false);
    });
    it('a path that does not exist is passed over', async () => {
      const nowhere = [join(trial.base, 'nowhere')];
      assert.equal(await shell('echo ran', { read: nowhere, write: nowhere, protect: nowhere, hide: nowhere }), 'ran');
    });
    it('a command starts in the folder below the checkout in which it was started', async () => {
      mkdirSync(join(trial.checkout, 'packages/one'), { recursive: true });
      assert.equal(await shell('pwd', { cwd: join(trial.checkout, 'packages/one') }), join(trial.checkout, 'packages/one'));
    });
    it('a socket that is named can be reached', async () => {
      const path = join(trial.base, 'socket');
      const server = createServer((socket) => socket.end('answer')).listen(path);
      const script = `require('net').connect(${JSON.stringify(path)}).on('data', (text) => process.stdout.write(text))`;
      const { output } = await trial.run(confinement(), [process.execPath, '-e', script], { read: [path] });
      server.close();
      assert.equal(output, 'answer');
    });
  });

  describe('names that are links', () => {
    it('programs of one session that are started one after the other all find what lies behind a link', async () => {
      trial.write('real/bin/tool', '#!/bin/sh\necho found\n');
      chmodSync(join(trial.base, 'real/bin/tool'), 0o755);
      symlinkSync(join(trial.base, 'real'), join(trial.base, 'linked'));
      const held = await trial.hold(confinement({ PATH: `${join(trial.base, 'linked/bin')}:/usr/bin:/bin` }));
      try {
        for (const marker of ['first', 'second']) {
          const argv = [...held.launcher, '/bin/sh', '-c', 'tool'];
          const end = await runProcess({ argv, cwd: held.cwd, env: held.env, input: '', wallMs: 60_000, marker: `${marker}-${nonce()}` });
          assert.equal(end.output.trim(), 'found');
        }
      } finally {
        await held.close();
      }
    });
    it('a checkout and a state folder behind links are found by their names and by their real paths', async () => {
      trial.write('state/project/checkout/file', 'there');
      const link = join(trial.base, 'linked-state');
      symlinkSync('state', link);
      const named = join(link, 'project/checkout');
      const output = await shell(`cat ${named}/file ${trial.checkout}/file; cat file`, { cwd: named, home: join(link, 'project/home') });
      assert.equal(output, 'there'.repeat(3));
    });
    it('a link to a link, relative and absolute, is followed', async () => {
      const target = trial.write('deep/place/file', 'found');
      symlinkSync(join(trial.base, 'deep'), join(trial.base, 'absolute'));
      symlinkSync('../absolute/place', join(trial.base, 'user', 'relative'));
      assert.equal(
        await shell(`cat ${trial.userHome}/relative/file ${target}`, { read: [join(trial.userHome, 'relative')] }),
        'foundfound',
      );
    });
    it('a hidden link hides nothing else, and a protected one is refused', async () => {
      trial.write('state/project/checkout/code', 'the code under review');
      const link = join(trial.checkout, '.env');
      symlinkSync('code', link);
      assert.equal(await shell('cat code', { role: 'reviewer', hide: [link] }), 'the code under review');
      await assert.rejects(shell('true', { protect: [link] }), /is a link, so it cannot be kept/);
    });
    it('a folder that is a link does not bring what it leads to into the sandbox', async () => {
      const secret = trial.write('elsewhere/file', 'canary');
      const link = join(trial.checkout, 'linked');
      symlinkSync(join(trial.base, 'elsewhere'), link);
      const given = { protect: [join(link, 'file')], hide: [join(link, 'file')] };
      assert.doesNotMatch(await shell(`cat linked/file ${secret}; echo changed > linked/file`, given), /canary/);
      assert.equal(readFileSync(secret, 'utf8'), 'canary');
    });
  });

  describe('what is protected and hidden', () => {
    it('protected files and folders stay as they are, whatever is tried with them and around them', async () => {
      const pointer = trial.write('state/project/checkout/.git', 'gitdir: real\n');
      const setting = trial.write('state/project/checkout/a/b/settings', 'real\n');
      const hook = trial.write('state/project/checkout/hooks/pre-commit', 'real\n');
      const line = [
        'for f in .git a/b/settings hooks/pre-commit; do',
        'echo changed > $f; rm -f $f; mv $f $f.old; echo other > new; mv new $f; ln -f new $f; chmod 777 $f; truncate -s 0 $f; done',
        'mv a elsewhere; mv a/b a/c; rm -rf a hooks; mv hooks old-hooks; mkdir -p a/b hooks; echo other > a/b/settings; echo x > hooks/post-commit',
      ].join('\n');
      const protect = [pointer, setting, join(trial.checkout, 'hooks')];
      await shell(line, { protect });
      assert.deepEqual(
        [readFileSync(pointer, 'utf8'), readFileSync(setting, 'utf8'), readFileSync(hook, 'utf8')],
        ['gitdir: real\n', 'real\n', 'real\n'],
      );
      assert.equal(existsSync(join(trial.checkout, 'hooks/post-commit')), false);
    });
    it('what lies beside a protected file can be written', async () => {
      const setting = trial.write('state/project/checkout/conf/settings', 'real\n');
      await shell('echo free > conf/other; echo free > beside', { protect: [setting] });
      assert.equal(readFileSync(join(trial.checkout, 'conf/other'), 'utf8'), 'free\n');
      assert.ok(existsSync(join(trial.checkout, 'beside')));
    });
    it('a protected folder is read-only although something in it was named to be written', async () => {
      const file = trial.write('guarded/inner/file', 'real');
      const outer = join(trial.base, 'guarded');
      await shell(`echo changed > ${file}`, { write: [outer, join(outer, 'inner')], protect: [outer] });
      assert.equal(readFileSync(file, 'utf8'), 'real');
    });
    it('hidden files and folders look empty and cannot be changed, for every role', async () => {
      const file = trial.write('state/project/checkout/.env.local', 'canary');
      const folder = join(trial.write('state/project/checkout/secrets/key', 'canary'), '..');
      for (const role of ['author', 'reviewer', 'gate'] as const) {
        const line =
          'wc -c < .env.local; ls -A secrets | wc -l; cat secrets/key; echo x > .env.local && echo written; echo x > secrets/new && echo written; mv secrets s; cat s/key';
        const output = await shell(line, { role, hide: [file, folder] });
        assert.match(output, /^0\n0\n/);
        assert.doesNotMatch(output, /canary|written/);
      }
      assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(join(folder, 'key'), 'utf8')], ['canary', 'canary']);
      assert.equal(existsSync(join(folder, 'new')), false);
    });
  });

  describe('homes', () => {
    it('caches last from one session to the next, and nothing else does', async () => {
      await shell(
        'cd; echo kept > .cache/file; mkdir -p .npm/_cacache; echo kept > .npm/_cacache/file; echo evil > .npmrc; echo evil > .bashrc',
      );
      const line = 'cd; cat .cache/file .npm/_cacache/file; cat .npmrc .bashrc; true';
      const output = await shell(line);
      assert.match(output, /^kept\nkept\n/);
      assert.doesNotMatch(output, /evil/);
    });
    it('who looks, who works and gates have caches of their own', async () => {
      await shell('echo planted > ~/.cache/planted', { role: 'author' });
      const seen = async (role: 'fixer' | 'reviewer' | 'arbiter' | 'gate'): Promise<string> =>
        await shell('cat ~/.cache/planted 2>&1', { role });
      assert.equal(await seen('fixer'), 'planted');
      for (const role of ['reviewer', 'arbiter', 'gate'] as const) assert.match(await seen(role), /No such file/);
    });
    it('the path of the home is the same for every role and session, and so is that of temporary files', async () => {
      const roles = ['author', 'reviewer', 'gate', 'author'] as const;
      const seen = await Promise.all(roles.map(async (role) => await shell('echo $HOME $TMPDIR', { role })));
      assert.deepEqual(new Set(seen), new Set([`${trial.home} /tmp`]));
    });
    it('a folder of caches that became a link is replaced, and not followed', async () => {
      const victim = join(trial.base, 'victim');
      mkdirSync(victim);
      await shell('true', { role: 'gate' });
      const cache = join(trial.home, 'gate', '.pub-cache');
      rmSync(cache, { recursive: true });
      symlinkSync(victim, cache);
      await shell('echo planted > ~/.pub-cache/file', { role: 'gate' });
      assert.equal(existsSync(join(victim, 'file')), false);
      assert.ok(lstatSync(cache).isDirectory());
    });
    it('two sessions share neither their home nor their temporary files', async () => {
      const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
      const [, output] = await Promise.all([
        shell(`for d in ~ /tmp /var/tmp; do echo mine > $d/mine; done; touch ready; ${until('seen')}`),
        shell(`${until('ready')}; ls -A ~ /tmp /var/tmp; touch seen`),
      ]);
      assert.doesNotMatch(output, /mine/);
    });
    it('programs can be run from temporary folders and from caches', async () => {
      const line = 'for d in /tmp ~/.cache ~; do printf "#!/bin/sh\\necho ran\\n" > $d/p; chmod +x $d/p; $d/p; done';
      assert.equal(await shell(line), 'ran\nran\nran');
    });
    it('what Go and Rust need is there: their caches can be written, and lie below the home', async () => {
      mkdirSync(join(trial.userHome, '.rustup'), { recursive: true });
      const line =
        'touch ~/.cache/go-build ~/go/pkg/mod/x ~/.cargo/registry/x ~/.cargo/git/x ~/.cargo/.package-cache && echo "$RUSTUP_HOME $CARGO_HOME $GOCACHE"';
      assert.equal(await shell(line), join(trial.userHome, '.rustup'));
    });
  });

  describe('the system and tool chains', () => {
    it('the system can be read and not written', async () => {
      const folders = ['/', '/usr', '/etc', '/opt', '/bin', '/home'].filter((folder) => existsSync(folder));
      const output = await shell(
        `ls /usr /etc /bin/sh > /dev/null && echo seen; for d in ${folders.join(' ')}; do touch $d/volley-trial && echo written; done`,
      );
      assert.match(output, /^seen/);
      assert.doesNotMatch(output, /written/);
      for (const folder of folders) assert.equal(existsSync(join(folder, 'volley-trial')), false);
    });
    it('nothing of the machine is there beside the system and what is named', async () => {
      const canary = trial.write('user/documents/diary', 'canary');
      trial.write('state/other-project/file', 'canary');
      const output = await shell(
        `cat ${canary} ${trial.stateDir}/other-project/file; ls ${trial.userHome} ${trial.stateDir}; ls /home /srv /mnt /media /boot /sys`,
      );
      assert.doesNotMatch(output, /canary|^(documents|other-project)$/m);
    });
    it('what not everybody may read in /etc cannot be read, not even by root', async () => {
      const line =
        'find /etc -xdev ! -type l \\( -type f -size +0 ! -perm -o=r -o -type d ! -perm -o=rx \\) -printf "%p %s\\n" 2>/dev/null; cat /etc/shadow /etc/gshadow | wc -c';
      assert.equal(await shell(`${line} 2>/dev/null`), '0');
    });
    it('tool chains in the home of the user can be read, their credentials cannot', async () => {
      trial.write('user/.cargo/bin/tool', 'a program');
      for (const name of ['.cargo/credentials', '.cargo/credentials.toml', '.pyenv/version'])
        trial.write(`user/${name}`, `canary of ${name}`);
      const output = await shell(
        `cd ${trial.userHome}; cat .cargo/bin/tool .pyenv/version; cat .cargo/credentials .cargo/credentials.toml; touch .pyenv/new`,
      );
      assert.match(output, /^a programcanary of .pyenv/);
      assert.doesNotMatch(output, /canary of .cargo/);
      assert.equal(existsSync(join(trial.userHome, '.pyenv/new')), false);
    });
    it('folders of PATH can be read, with what belongs to them, but never a whole home', async () => {
      for (const name of ['venv/bin/python', 'venv/lib/module', 'plain/tool', 'bin/own']) trial.write(`user/${name}`, `text of ${name}\n`);
      for (const name of [
        'lib/private',
        '.local/lib/module',
        '.local/share/app/data',
        'app/.git/config',
        'app/lib/code',
        'app/.env',
        'app/bin/tool',
      ]) {
        trial.write(`user/${name}`, 'nobody’s business');
      }
      const folders = ['venv/bin', 'plain', 'bin', '.', '.local/bin', 'app/bin'].map((name) => join(trial.userHome, name));
      const line = `cd ${trial.userHome}; cat venv/bin/python venv/lib/module plain/tool bin/own; cat lib/private .local/share/app/data app/.git/config app/lib/code app/.env`;
      const output = await shell(line, {}, { PATH: `${folders.join(':')}:/usr/bin:/bin` });
      assert.match(output, /^text of venv\/bin\/python\ntext of venv\/lib\/module\ntext of plain\/tool\ntext of bin\/own\n/);
      assert.doesNotMatch(output, /nobody’s business/);
    });
    it('a temporary folder in PATH does not bring that of the machine into the sandbox', async () => {
      // A home or a state folder in it would be a reason of its own.
      const elsewhere = openTrial('/var/tmp');
      const name = join('/tmp', `volley-in-path-${nonce()}`);
      mkdirSync(name);
      try {
        const variables = { PATH: '/tmp:/usr/bin:/bin', HOME: elsewhere.userHome };
        const held = bubblewrapConfinement({ program, stateDir: elsewhere.stateDir, user: variables });
        const { output } = await elsewhere.run(held, ['/bin/sh', '-c', `touch /tmp/own && ls /tmp/own && ls ${name}`]);
        assert.match(output, /^\/tmp\/own\nls: cannot access/);
      } finally {
        rmSync(name, { recursive: true });
        elsewhere.close();
      }
    });
    it('Node and git run', async () => {
      assert.match(await shell(`${process.execPath} --version && git --version`), /^v\d+.*\ngit version/);
    });
  });

  describe('secrets of the user', () => {
    const SECRETS = [
      '.ssh/id_ed25519',
      '.aws/credentials',
      '.gnupg/key',
      '.netrc',
      '.config/gh/hosts.yml',
      '.docker/config.json',
      '.kube/config',
      '.npmrc',
      '.git-credentials',
      '.cargo/credentials.toml',
      '.claude/.credentials.json',
      '.claude.json',
      '.codex/auth.json',
      '.config/volley/config.yaml',
      '.local/share/keyrings/login.keyring',
      '.mozilla/firefox/profile',
    ];

    it('a folder that contains them can be read without them', async () => {
      for (const name of SECRETS) trial.write(`user/${name}`, 'canary');
      trial.write('user/project/file', 'text of the project');
      const line = `cd ${trial.userHome}; cat project/file; cat ${SECRETS.join(' ')}; grep -rs canary .ssh .config .claude .local .docker; ls -A .ssh .docker`;
      const output = await shell(line, { read: [trial.userHome] });
      assert.match(output, /^text of the project/);
      assert.doesNotMatch(output, /canary|id_ed25519$/m);
    });
    it('a secret that is replaced outside while a program runs stays out of sight', async () => {
      const secret = trial.write('user/.claude.json', 'canary');
      trial.write('user/.cargo/credentials.toml', 'canary');
      const until = (file: string): string => `until [ -e ${file} ]; do sleep 0.02; done`;
      const line = `touch watching; ${until('replaced')}; cat ${secret} ${trial.userHome}/.cargo/credentials.toml ${trial.userHome}/project/file`;
      const seen = shell(line, { read: [trial.userHome] });
      while (!existsSync(join(trial.checkout, 'watching'))) await sleep(10);
      for (const path of [secret, join(trial.userHome, '.cargo/credentials.toml')]) {
        writeFileSync(`${path}.new`, 'canary');
        renameSync(`${path}.new`, path);
      }
      trial.write('state/project/checkout/replaced', '');
      const output = await seen;
      assert.match(output, /text of the project$/);
      assert.doesNotMatch(output, /canary/);
    });
    it('links in a folder that holds a secret still lead where they led', async () => {
      trial.write('user/.npmrc', 'canary');
      trial.write('user/dotfiles/vimrc', 'set number');
      symlinkSync('dotfiles/vimrc', join(trial.userHome, '.vimrc'));
      assert.equal(await shell(`cat ${trial.userHome}/.vimrc`, { read: [trial.userHome] }), 'set number');
    });
    it('Volley’s own folder stays closed in a folder around it, but for what the profile names', async () => {
      trial.write('state/agents/other/login', 'canary');
      trial.write('state/agents/own/login', 'of this agent');
      const output = await shell('cat ../../agents/own/login; cat ../../agents/other/login; ls ../../agents', {
        read: [trial.base],
        write: [join(trial.stateDir, 'agents/own')],
      });
      assert.match(output, /^of this agent/);
      assert.doesNotMatch(output, /canary|other$/m);
    });
    for (const name of ['.ssh', '.aws/credentials', '.claude', '.config/volley']) {
      it(`a profile that names ${name} is refused`, async () => {
        trial.write(`user/${name.endsWith('credentials') ? name : `${name}/file`}`, 'canary');
        for (const key of ['read', 'write'] as const) {
          await assert.rejects(shell('true', { [key]: [join(trial.userHome, name)] }), { name: 'VolleyError', code: 'bad-config' });
        }
      });
    }
    it('a link to a secret is refused like the secret', async () => {
      trial.write('user/.ssh/id_ed25519', 'canary');
      const link = join(trial.base, 'innocent');
      symlinkSync(join(trial.userHome, '.ssh'), link);
      await assert.rejects(shell('true', { read: [join(link, 'id_ed25519')] }), { code: 'bad-config' });
    });
    it('the whole machine is refused, and a home to write', async () => {
      await assert.rejects(shell('true', { read: ['/'] }), { code: 'bad-config' });
      await assert.rejects(shell('true', { read: ['/proc/1'] }), { code: 'bad-config' });
      await assert.rejects(shell('true', { write: [trial.userHome] }), { code: 'bad-config' });
      await assert.rejects(shell('true', { write: [trial.base] }), { code: 'bad-config' });
    });
    it('a program that lies among an agent’s own files can be used', async () => {
      trial.write('user/.claude/local/node_modules/cli', 'a program');
      trial.write('user/.claude/.credentials.json', 'canary');
      const path = join(trial.userHome, '.claude/local/node_modules');
      assert.equal(
        await shell(`cat ${path}/cli; cat ${trial.userHome}/.claude/.credentials.json 2>/dev/null`, { read: [path, trial.userHome] }),
        'a program',
      );
    });
    it('scripts that the user wrote for all projects can be used, settings beside them cannot be read', async () => {
      const settings = join(trial.base, 'settings');
      const script = trial.write('settings/volley/agents/review.sh', 'a script');
      trial.write('settings/volley/config.yaml', 'canary');
      const moved = { XDG_CONFIG_HOME: settings };
      assert.equal(
        await shell(`cat ${script}; cat ${settings}/volley/config.yaml 2>/dev/null`, { read: [join(script, '..')] }, moved),
        'a script',
      );
      await assert.rejects(shell('true', { read: [join(settings, 'volley')] }, moved), { code: 'bad-config' });
    });
    it('a file of the user that only he may read is no obstacle elsewhere', async () => {
      const file = trial.write('tools/closed', 'readable');
      chmodSync(file, 0o600);
      writeFileSync(join(trial.base, 'tools/open'), 'too');
      assert.equal(await shell(`cat ${file} ${trial.base}/tools/open`, { read: [join(trial.base, 'tools')] }), 'readabletoo');
    });
  });
});
