import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, makeScenario } from '../support/scenario.ts';
import type { Scenario, ScenarioOptions } from '../support/scenario.ts';
import { commandLines } from '../support/whole-loop.ts';

const OS = { VOLLEY_CONFINE: 'os' };
const APPROVES = `echo '{"passed":true,"summary":"Nothing is wrong."}' > "$VOLLEY_RESULT"`;

type Cast = Readonly<Record<string, string>>;

/** A scenario whose agents are plain scripts in a folder of their own beside the repository, which they may only read. */
async function makePlain(cast: Cast, more: ScenarioOptions = {}): Promise<Scenario> {
  const { config = {}, ...rest } = more;
  const roles = { author: 'author', reviewer: ['reviewer'] };
  const scenario = await makeScenario({
    ...rest,
    config: { roles, ...config, agents: entries(cast, (name) => join('..', 'scripts', `${name}.sh`)) },
  });
  const folder = join(scenario.root, '..', 'scripts');
  await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(cast).map(async ([name, script]) => await writeFile(join(folder, `${name}.sh`), script)));
  return scenario;
}

function entries(cast: Cast, path: (name: string) => string): object {
  return Object.fromEntries(Object.keys(cast).map((name) => [name, { driver: 'command', run: ['/bin/sh', path(name)] }]));
}

/** What an agent managed to do, as it prints it: one line `could NAME` for each. */
const ATTEMPTS = `
try() { name=$1; shift; if "$@" >/dev/null 2>&1; then echo "could $name"; else echo "could not $name"; fi; }
beside=$(dirname "$(dirname "$0")")
try read-its-files test -r README.md
try run-git git log -1
try write-its-files sh -c 'echo x >> README.md'
try write-the-git-pointer sh -c 'echo gitdir: /tmp > .git'
try read-the-repository ls "$beside/repository/.git"
try read-the-journal ls "$beside/repository/.volley"
try read-a-secret cat "$beside/home/.ssh/id_rsa"
touch "$beside/owned"
try write-its-script sh -c "echo evil >> '$0'"
try write-the-system touch /usr/owned
try see-others sh -c 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -q ^XDG_STATE_HOME='
`;

function could(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => /^could (\S+)$/.exec(line)?.[1] ?? [])
    .filter((name) => name !== 'not');
}

async function transcripts({ root }: Scenario, role: string): Promise<string> {
  const folder = join(root, '.volley', 'transcripts');
  const names = (await readdir(folder)).filter((name) => name.includes(role));
  const texts = await Promise.all(names.map(async (name) => await readFile(join(folder, name), 'utf8')));
  return texts.map((text) => text.slice(text.indexOf('# answer'))).join('\n');
}

test('each role does what it may inside the sandbox, nothing else, and the proof names the level', async () => {
  await using scenario = await makePlain(
    {
      author: `${ATTEMPTS}\ngit add -A && git commit -qm mine && echo committed`,
      reviewer: `${ATTEMPTS}\ntry write-its-copy sh -c 'echo x > "$VOLLEY_SCRATCH/new"'\ncat .env\n${APPROVES}`,
    },
    { files: { 'README.md': '# Sample\n', '.env': 'TOKEN=canary-of-the-env-file\n' } },
  );
  const home = join(scenario.root, '..', 'home');
  await mkdir(join(home, '.ssh'));
  await writeFile(join(home, '.ssh', 'id_rsa'), 'canary\n');
  const run = await scenario.volley(['run', 'Say more', '--require-sandbox', '--json'], { env: OS });
  assert.equal(run.code, 0, run.stdout + run.stderr);
  const loop = run.loop();
  assert.equal(loop.rounds[0]?.confinement, 'os');
  assert.equal(loop.approval?.by === 'review' ? loop.approval.proof.network : null, 'provider');
  // What lies beside the checkout seems to be written, in a folder that is gone afterwards.
  assert.equal(existsSync(join(scenario.root, '..', 'owned')), false);
  const authored = await transcripts(scenario, 'author');
  assert.deepEqual(could(authored), ['read-its-files', 'run-git', 'write-its-files']);
  assert.match(authored, /^committed$/m);
  const reviewed = await transcripts(scenario, 'reviewer');
  assert.deepEqual(could(reviewed), ['read-its-files', 'run-git', 'write-its-copy']);
  assert.doesNotMatch(reviewed, /canary/);
});

test('nobody reaches this machine by its loopback, neither straight nor through the proxy', async () => {
  let visits = 0;
  const server = createServer((socket) => {
    visits += 1;
    socket.on('error', () => undefined).end('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const visit = `cat > /tmp/visit.cjs <<'EOF'
const net = require('node:net');
const say = (port, text) => new Promise((done) => {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(text));
  socket.on('data', (bytes) => { done(String(bytes).split('\\r\\n')[0]); socket.destroy(); }).on('error', (error) => done(error.code));
});
(async () => {
  console.log('straight ' + await say(${port}, 'x'));
  const proxy = process.env.HTTPS_PROXY;
  if (proxy) console.log('proxied ' + await say(new URL(proxy).port, 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\n\\r\\n'));
})();
EOF
node /tmp/visit.cjs`;
    await using scenario = await makePlain(
      { author: `${visit}\necho x >> README.md`, reviewer: `${visit}\n${APPROVES}` },
      { config: { gates: [visit] } },
    );
    const run = await scenario.volley(['run', 'Say more', '--require-sandbox'], { env: OS });
    assert.equal(run.code, 0, run.stdout + run.stderr);
    for (const role of ['author', 'reviewer']) {
      assert.match(await transcripts(scenario, role), /straight ECONNREFUSED\nproxied HTTP\/1\.1 403 /);
    }
    assert.equal(visits, 0);
  } finally {
    server.close();
  }
});

test('what an author leaves in its home reaches neither gates nor reviewers, and a normal project is tested inside', async () => {
  const files = {
    'package.json': JSON.stringify({ name: 'sample', scripts: { test: 'node --test' } }),
    'sum.test.js': "require('node:test').test('sums', () => require('node:assert').equal(1 + 1, 2));\n",
    'test_sum.py': 'import unittest\n\nclass Sum(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(1 + 1, 2)\n',
  };
  const plant = `printf 'script-shell=/bin/false\\n' > "$HOME/.npmrc"; printf 'echo planted\\n' > "$HOME/.bashrc"; echo kept > "$HOME/.cache/kept"`;
  const look = `ls -A "$HOME"; test -e "$HOME/.cache/kept" && echo shared; (cd "$VOLLEY_SCRATCH" && npm test) || exit 1`;
  await using scenario = await makePlain(
    { author: `${plant}; echo x >> README.md`, reviewer: `${look}\n${APPROVES}` },
    { files, config: { gates: ['npm test', 'python3 -m unittest', 'test ! -e "$HOME/.npmrc" && test ! -e "$HOME/.cache/kept"'] } },
  );
  const run = await scenario.volley(['run', 'Say more', '--require-sandbox', '--json'], { env: OS });
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.deepEqual(
    run.loop().gates.map(({ passed }) => passed),
    [true, true, true],
  );
  assert.doesNotMatch(await transcripts(scenario, 'reviewer'), /\.npmrc|\.bashrc|shared/);
});

test('without a sandbox --require-sandbox starts nothing, and says what to do', async () => {
  await using scenario = await makePlain({ author: 'echo x >> README.md', reviewer: APPROVES });
  const refused = await scenario.volley(['run', 'Say more', '--require-sandbox', '--json']);
  assert.deepEqual([refused.code, refused.objects().at(-1)?.['code']], [1, 'no-sandbox']);
  const none = await scenario.volley(['status', '--json']);
  assert.equal(none.objects().filter(({ type }) => type === 'loop').length, 0);
  for (const args of [['work'], ['retry', '1'], ['decide', '1', 'retry'], ['finding', '1.1', 'accept']]) {
    const also = await scenario.volley([...args, '--require-sandbox', '--json']);
    assert.deepEqual([also.code, also.objects().at(-1)?.['code']], [1, 'no-sandbox'], args.join(' '));
  }
  await using strict = await makePlain({ author: 'echo x >> README.md', reviewer: APPROVES }, { config: { confine: { required: true } } });
  assert.equal((await strict.volley(['run', 'Say more'])).code, 1);
  assert.equal((await strict.volley(['run', 'Say more'], { env: OS })).code, 0);
});

test('killed while an agent runs a tool, Volley leaves no process, and the next start goes on', async () => {
  await using scenario = await makePlain({
    author:
      'if [ -e "$HOME/.cache/again" ]; then echo x >> README.md; else touch "$HOME/.cache/again"; setsid sleep 31337 & sleep 31337; fi',
    reviewer: APPROVES,
  });
  const running = scenario.start(['run', 'Say more', '--require-sandbox'], { env: OS });
  const sleeps = (): number => commandLines().filter((line) => /(?:^|[\0 ])sleep[\0 ]31337/.test(line)).length;
  await eventually('the tool runs', async () => await Promise.resolve(sleeps() >= 2));
  running.process.kill('SIGKILL');
  await running.ended;
  await eventually('nothing of it runs any more', async () => await Promise.resolve(sleeps() === 0));
  const on = await scenario.volley(['work', '1', '--json'], { env: OS });
  assert.equal(on.code, 0, on.stdout + on.stderr);
  assert.equal((await scenario.loop()).state, 'approved');
});
