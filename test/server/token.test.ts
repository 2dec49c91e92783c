import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, makeScenario, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer, startShownServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';

// T4 of the threats: whoever has the token is the user, so nobody else gets to see it.

/** The file in which the server of a scenario keeps its token. */
async function tokenFile({ state }: Scenario): Promise<string> {
  const folders = (await readdir(join(state, 'volley'), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const file = join(state, 'volley', name, 'server', 'token');
    if ((await stat(file).catch(() => null)) !== null) return file;
  }
  throw new Error('there is no token');
}

/** Every program on this machine that shows a text in its arguments or in its environment. */
async function processesWith(text: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = async (pid: string, name: string): Promise<string> => await readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
  const shown = await Promise.all(pids.map(async (pid) => [pid, await read(pid, 'cmdline'), await read(pid, 'environ')] as const));
  return shown.filter(([, ...texts]) => texts.some((one) => one.includes(text))).map(([pid]) => pid);
}

async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hits = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])));
  return hits.flat();
}

/** What an agent or a gate finds out about the server, printed line by line. */
function prying({ url }: ServerProcess, file: string): string {
  const { port } = new URL(url);
  return [
    // The quotes keep the words out of what shows the script itself.
    `cat '${file}' && echo READ-"THE"-TOKEN`,
    `ls '${join(file, '..')}' && echo SAW-"THE"-FOLDER`,
    "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'",
    `'${process.execPath}' -e "fetch('http://127.0.0.1:${port}/').then(() => console.log('ANS' + 'WERED'), () => console.log('NO' + 'BODY'))"`,
    // Last, because of what a gate prints only the end is kept.
    'echo ENV-"BEGINS"; env; echo ENV-"ENDS"',
  ].join('\n');
}

/** Serves a project whose author, reviewer and gate look for the token, and gives all that they could say. */
async function pryInto(confine: 'os' | 'copy'): Promise<{ readonly said: string; readonly token: string }> {
  const run = (name: string): object => ({ driver: 'command', run: ['/bin/sh', join('..', 'scripts', `${name}.sh`)] });
  await using scenario = await makeScenario({
    config: { agents: { author: run('author'), reviewer: run('reviewer') }, roles: { author: 'author', reviewer: ['reviewer'] } },
  });
  const server = await startServer(scenario, [], { VOLLEY_CONFINE: confine });
  const pry = prying(server, await tokenFile(scenario));
  const folder = join(scenario.root, '..', 'scripts');
  await mkdir(folder);
  await writeFile(join(folder, 'author.sh'), `${pry}\necho line > line.txt\n`);
  await writeFile(join(folder, 'reviewer.sh'), `${pry}\necho '{"passed":true}' > "$VOLLEY_RESULT"\n`);
  const { status, body } = await server.ask('POST', '/api/tasks', { text: 'Write it', autoReview: true, gates: [pry] });
  assert.equal(status, 201, JSON.stringify(body));
  const rest = /"state":"(?:approved|needs_human|failed)"/;
  await eventually('it rests', async () => rest.test(JSON.stringify((await server.ask('GET', '/api/loops/1')).body)), 60_000);
  const gates = JSON.stringify((await server.ask('GET', '/api/loops/1/gates')).body);
  const { stdout } = await scenario.volley(['export', '--transcripts']);
  const said = stdout.split('\n').filter((line) => line.includes('"type":"transcript"'));
  assert.equal(said.length, 2);
  return { said: [...said, gates].join('\n'), token: server.token };
}

test('inside the sandbox neither agents nor gates see the token, its folder or the server', async () => {
  const { said, token } = await pryInto('os');
  assert.equal(said.match(/NOBODY/g)?.length, 3, said);
  for (const word of [token, 'READ-THE-TOKEN', 'SAW-THE-FOLDER', 'ANSWERED', 'XDG_STATE_HOME=']) assert.ok(!said.includes(word), word);
});

test('without a sandbox the token, and where it lies, are not in what agents and gates are given', async () => {
  const { said, token } = await pryInto('copy');
  const given = [...said.matchAll(/ENV-BEGINS(.*?)ENV-ENDS/g)].map(([, env = '']) => env);
  assert.equal(given.length, 3);
  for (const env of given) {
    assert.match(env, /PATH=/);
    assert.ok(!env.includes(token) && !env.includes('XDG_STATE_HOME'), env);
  }
});

test('the token stands in one file, which only its owner can read, and in no process', async () => {
  await using scenario = await makeScenario({ agents: { author: turns({ run: 'exec sleep 1000' }) } });
  const server = await startShownServer(scenario);
  const file = await tokenFile(scenario);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(join(file, '..'))).mode & 0o777, 0o700);
  await server.ask('POST', '/api/tasks', { text: 'Write it' });
  await eventually('the author works', async () => (await scenario.calls('author')).length === 1);
  assert.deepEqual(await processesWith(server.token), []);
  const address = await scenario.volley(['serve']);
  assert.match(address.stdout, /#code=/);
  for (const args of [
    ['doctor'],
    ['doctor', '--json'],
    ['serve', '--json'],
    ['export', '--transcripts'],
    ['status', '--json'],
    ['config', 'show'],
  ]) {
    const { stdout, stderr } = await scenario.volley(args);
    assert.ok(!(stdout + stderr).includes(server.token), args.join(' '));
  }
  server.process.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  assert.ok(!(stdout + stderr + address.stdout).includes(server.token));
  assert.deepEqual(await filesWith(join(scenario.root, '.volley'), server.token), []);
  assert.deepEqual(await filesWith(scenario.state, server.token), [file]);
});

test('a link in place of the token ends the start with what to do about it', async () => {
  await using scenario = await makeScenario();
  const server = await startServer(scenario);
  server.process.kill('SIGTERM');
  await server.ended;
  const file = await tokenFile(scenario);
  await rm(file);
  await symlink(join(scenario.root, 'README.md'), file);
  const { code, stderr } = await scenario.volley(['serve', '--port', '0']);
  assert.equal(code, 1);
  assert.match(stderr, /token cannot be read or written: it is a link/);
  assert.equal(await readFile(join(scenario.root, 'README.md'), 'utf8'), '# Sample\n');
});
