import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { createServer as createHttpServer, request } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { askPlan } from '../../src/agents/claude-keychain.ts';
import type { Step } from '../support/model-server-script.ts';
import { KEY, logIn, makeScene, told, writeFiles } from './claude-scene.ts';
import type { Scene } from './claude-scene.ts';
import { all, endedOf, play, playHeld, programOf, startOthers } from './support.ts';

const CANARY = /CANARY-[\w-]+/g;
const LOGIN = { env: ['ANTHROPIC_BASE_URL'] };
const SAY: readonly Step[] = [{ read: '{{cwd}}/sub/a.txt' }, { shell: 'echo "said: $SAID"' }, { text: 'Done.' }];

/** Settings of every kind, each of which would run something, lead elsewhere, or say a word; `ran` is where programs leave a sign. */
function orders(ran: string, tag: string): Record<string, string> {
  const run = (name: string): string => `touch ${ran}/${tag}-${name}`;
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd', 'InstructionsLoaded', 'Setup'];
  const hooks = Object.fromEntries(events.map((name) => [name, [{ hooks: [{ type: 'command', command: run(name) }] }]]));
  const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/', SAID: `CANARY-${tag}-env` };
  const settings = JSON.stringify({ env, hooks, apiKeyHelper: run('helper'), outputStyle: 'odd', enableAllProjectMcpServers: true });
  const servers = { evil: { command: '/bin/sh', args: ['-c', `${run('mcp')}; cat`] } };
  const head = (name: string): string => `---\nname: ${name}\ndescription: CANARY-${tag}-${name}\n---\nCANARY-${tag}-${name}\n`;
  const folder = {
    'settings.json': settings,
    'settings.local.json': settings,
    'CLAUDE.md': `CANARY-${tag}-hidden`,
    'rules/rule.md': `CANARY-${tag}-rule`,
    'agents/helper.md': head('helper'),
    'commands/order.md': head('order'),
    'skills/skill/SKILL.md': head('skill'),
    'output-styles/odd.md': head('odd'),
    'workflows/flow.js': `export const meta = { name: 'flow', description: 'CANARY-${tag}-flow' };`,
  };
  return {
    ...Object.fromEntries(Object.entries(folder).flatMap(([name, content]) => [`.claude/${name}`, name].map((path) => [path, content]))),
    '.mcp.json': JSON.stringify({ mcpServers: servers }),
    '.claude.json': JSON.stringify({ env, mcpServers: servers }),
    'CLAUDE.local.md': `CANARY-${tag}-local`,
    'AGENTS.md': `CANARY-${tag}-agents`,
    'sub/CLAUDE.md': `CANARY-${tag}-nested`,
    'sub/a.txt': 'plain',
  };
}

async function plant(scene: Scene): Promise<{ readonly ran: () => Promise<readonly string[]> }> {
  const { repository, person, homes } = scene.room;
  const ran = join(repository.beside, 'ran');
  await mkdir(ran);
  await writeFiles(repository.root, orders(ran, 'repository'));
  await writeFiles(repository.beside, orders(ran, 'around'));
  await writeFiles(person, orders(ran, 'person'));
  await writeFiles(join(homes, 'claude'), orders(ran, 'home'));
  return { ran: async () => await readdir(ran) };
}

describe('settings that are not ours', { concurrency: 2 }, () => {
  for (const role of ['reviewer', 'author'] as const) {
    for (const by of ['key', 'login'] as const) {
      test(`neither a repository nor anybody’s home tells it what to do (${role}, by ${by})`, async () => {
        await using scene = await makeScene({ steps: SAY, ...(by === 'key' ? {} : { spec: LOGIN }) });
        const { ran } = await plant(scene);
        await logIn(scene.room);
        const events = await play(scene.agent, await scene.session({ role }));
        assert.equal(endedOf(events).output, 'Done.');
        assert.equal(scene.server.records.length, 3);
        assert.equal(scene.server.records[0]?.model, 'claude-sonnet-4-5');
        assert.deepEqual(`${told(scene.server.records)} ${JSON.stringify(events)}`.match(CANARY), null);
        assert.deepEqual(await ran(), []);
      });
    }
  }

  test('a person’s own login and settings are not even opened', async () => {
    await using scene = await makeScene({ steps: SAY });
    await plant(scene);
    const own = [
      '.claude.json',
      '.claude/.credentials.json',
      '.claude/settings.json',
      '.claude/CLAUDE.md',
      '.config/anthropic/configs/default.json',
    ];
    const { person } = scene.room;
    await writeFiles(person, { '.claude/.credentials.json': '{}', '.config/anthropic/configs/default.json': '{}' });
    // Older than its last change, so that a file system that tells about reading does so.
    for (const path of own) await utimes(join(person, path), 1000, 2000);
    await play(scene.agent, await scene.session());
    const read = await Promise.all(own.map(async (path) => (await stat(join(person, path))).atimeMs));
    assert.deepEqual(
      read,
      own.map(() => 1_000_000),
    );
  });

  test('where the repository may be obeyed, its instructions and hooks count', async () => {
    await using scene = await makeScene({ steps: [{ text: 'Done.' }] });
    const ran = join(scene.room.repository.beside, 'ran');
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${ran}` }] }] };
    await writeFiles(scene.room.repository.root, {
      'CLAUDE.md': 'CANARY-instructions',
      '.claude/settings.json': JSON.stringify({ hooks }),
    });
    await play(scene.agent, await scene.session({ obeysProject: true }));
    assert.deepEqual(told(scene.server.records).match(CANARY), ['CANARY-instructions']);
    assert.ok((await stat(ran)).isFile());
  });

  test('what one session writes into its config folder does not reach the next', async () => {
    const leave = `cd "$CLAUDE_CONFIG_DIR" && echo CANARY-left > CLAUDE.md && echo '{"env":{"SAID":"CANARY-left"}}' > .claude.json`;
    await using scene = await makeScene({ steps: [{ shell: leave }, { text: 'Left.' }] });
    await play(scene.agent, await scene.session());
    scene.server.setScript({
      rules: [{ name: 'next', steps: [{ shell: 'echo "said: $SAID"; ls "$CLAUDE_CONFIG_DIR"' }, { text: 'Done.' }] }],
    });
    const before = scene.server.records.length;
    await play(scene.agent, await scene.session());
    assert.match(scene.server.records.at(-1)?.lastTool ?? '', /said: \n/);
    assert.deepEqual(told(scene.server.records.slice(before)).match(CANARY), null);
  });

  test('it asks nobody but its provider', async () => {
    await using others = await startOthers();
    await using scene = await makeScene({ steps: SAY });
    const env = { HTTP_PROXY: others.url, HTTPS_PROXY: others.url, NO_PROXY: '127.0.0.1' };
    assert.equal(endedOf(await play(scene.agent, await scene.session({ env }))).output, 'Done.');
    assert.deepEqual(others.asked, []);
  });
});

describe('logins', { concurrency: 2 }, () => {
  const authOf = ({ server }: Scene): readonly unknown[] =>
    ['authorization', 'x-api-key'].map((name) => server.records.at(-1)?.headers[name]);

  test('a key that the configuration names comes before the login, which the session then does not see', async () => {
    await using scene = await makeScene({
      steps: [{ shell: 'cat "$CLAUDE_SECURESTORAGE_CONFIG_DIR/.credentials.json"' }, { text: 'Done.' }],
    });
    await logIn(scene.room);
    await play(scene.agent, await scene.session());
    assert.deepEqual(authOf(scene), [undefined, KEY]);
    assert.match(scene.server.records.at(-1)?.lastTool ?? '', /No such file/);
  });

  test('the login of a person is used, and paid by their plan', async () => {
    await using scene = await makeScene({ steps: [{ text: 'Done.' }], spec: LOGIN });
    await logIn(scene.room);
    const events = await play(scene.agent, await scene.session());
    assert.deepEqual(authOf(scene), ['Bearer sk-ant-oat01-0', undefined]);
    assert.equal(all(events, 'session')[0]?.billing, 'subscription');
  });

  test('Claude Code itself tells the plan of a login, where nobody else can see it', async () => {
    await using scene = await makeScene({ steps: [] });
    const { homes } = scene.room;
    assert.equal(await askPlan([programOf('VOLLEY_CLAUDE')], join(homes, 'claude')), null);
    await logIn(scene.room);
    assert.deepEqual(await askPlan([programOf('VOLLEY_CLAUDE')], join(homes, 'claude')), { plan: 'max' });
  });

  test('a login at the console is used too, and paid by its use', async () => {
    await using scene = await makeScene({ steps: [{ text: 'Done.' }], spec: LOGIN });
    await writeFiles(scene.room.homes, { 'claude/.claude.json': JSON.stringify({ primaryApiKey: 'sk-ant-api03-console' }) });
    const events = await play(scene.agent, await scene.session());
    assert.deepEqual(authOf(scene), [undefined, 'sk-ant-api03-console']);
    assert.equal(all(events, 'session')[0]?.billing, 'api');
  });

  test('sessions that start with a stale login exchange it once, and all go on with the new one', async () => {
    await using scene = await makeScene({ steps: [{ text: 'Done.' }], spec: { env: [] } });
    await logIn(scene.room, { expiresAt: Date.now() - 1000 });
    await using provider = await startProvider(scene);
    const sessions = [1, 2, 3].map(async () => endedOf(await play(scene.agent, await scene.session({ env: provider.env }))).output);
    assert.deepEqual(await Promise.all(sessions), ['Done.', 'Done.', 'Done.']);
    assert.deepEqual(provider.exchanged, ['sk-ant-ort01-0']);
    assert.deepEqual([...new Set(scene.server.records.map(({ headers }) => headers['authorization']))], ['Bearer sk-ant-oat01-1']);
    assert.match(await readFile(join(scene.room.homes, 'claude', '.credentials.json'), 'utf8'), /sk-ant-ort01-1/);
  });
});

describe('held by the operating system', () => {
  const write = 'cd "$CLAUDE_SECURESTORAGE_CONFIG_DIR"; for name in .claude.json .credentials.json new; do echo x > $name; done; ls -A';
  const HELD: readonly Step[] = [{ shell: `cat src.js; echo x > src.js; ${write}` }, { text: 'Done.' }];

  test('a reviewer works with a login that it cannot change, and cannot write the code', async () => {
    await using scene = await makeScene({ steps: HELD, spec: LOGIN });
    await logIn(scene.room);
    process.env['ANTHROPIC_BASE_URL'] = scene.server.url;
    const events = await playHeld(scene.agent, scene.room, await scene.session({ role: 'reviewer' }));
    assert.equal(endedOf(events).output, 'Done.');
    const said = scene.server.records.at(-1)?.lastTool ?? '';
    assert.match(said, /one\ntwo\n/);
    for (const name of ['src.js', '.claude.json', '.credentials.json', 'new'])
      assert.match(said, new RegExp(`${name.replace('.', '\\.')}: Read-only file system`));
    assert.deepEqual((await readdir(join(scene.room.homes, 'claude'))).toSorted(), ['.claude.json', '.credentials.json']);
  });

  test('a login that is stale is renewed, and what commands make of it then is put back', async () => {
    await using scene = await makeScene({ steps: HELD, spec: { env: ['NODE_EXTRA_CA_CERTS'] } });
    await logIn(scene.room, { expiresAt: Date.now() - 1000 });
    await using provider = await startProvider(scene);
    const session = await scene.session({ role: 'reviewer', env: provider.env });
    // It sees no more of what lies beside the checkout than its own folder.
    const certificate = join(dirname(session.resultFile), 'certificate');
    await copyFile(session.env['NODE_EXTRA_CA_CERTS'] ?? '', certificate);
    const env = { ...session.env, NODE_EXTRA_CA_CERTS: certificate };
    await playHeld(scene.agent, scene.room, { ...session, env });
    assert.deepEqual(provider.exchanged, ['sk-ant-ort01-0']);
    const home = join(scene.room.homes, 'claude');
    assert.equal(await readFile(join(home, 'new'), 'utf8'), 'x\n');
    assert.equal(await readFile(join(home, '.claude.json'), 'utf8'), '{}\n');
    assert.match(await readFile(join(home, '.credentials.json'), 'utf8'), /sk-ant-ort01-1/);
  });
});

type Provider = AsyncDisposable & { readonly env: Readonly<Record<string, string>>; readonly exchanged: readonly string[] };

/** Stands in for the hosts of the provider, behind a proxy: exchanges each token once, and passes questions on to the model. */
async function startProvider({ room, server }: Scene): Promise<Provider> {
  const certificate = await makeCertificate(join(room.repository.beside, 'certificate'));
  const exchanged: string[] = [];
  const exchange = async (asked: string): Promise<object> => {
    exchanged.push(/sk-ant-ort01-\d+/.exec(asked)?.[0] ?? '');
    const n = exchanged.length;
    // Long enough for another session to ask meanwhile.
    await sleep(300);
    const tokens = { access_token: `sk-ant-oat01-${n}`, refresh_token: `sk-ant-ort01-${n}`, expires_in: 28_800 };
    return { ...tokens, token_type: 'Bearer', scope: 'user:inference user:profile' };
  };
  const provider = createServer(certificate, (incoming, response) => {
    const path = incoming.url ?? '';
    if (path.startsWith('/v1/messages')) {
      const { method = 'POST', headers } = incoming;
      const asked = request(new URL(path, server.url), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      incoming.pipe(asked);
      return;
    }
    const isToken = path === '/v1/oauth/token';
    void text(incoming)
      .then(async (asked) => (isToken ? await exchange(asked) : {}))
      .then((answer) => response.writeHead(isToken ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer)));
  });
  const sockets: Duplex[] = [];
  const proxy = createHttpServer().on('connect', (_, socket) => {
    const upstream = connect(portOf(provider), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.push(socket, upstream);
    // Whoever hangs up has got what it wanted.
    for (const end of [upstream, socket]) end.on('error', () => undefined);
  });
  for (const one of [provider, proxy]) await once(one.listen(0, '127.0.0.1'), 'listening');
  return {
    env: { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`, NODE_EXTRA_CA_CERTS: certificate.path },
    exchanged,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      for (const one of [proxy, provider]) {
        one.closeAllConnections();
        await new Promise((resolve) => one.close(resolve));
      }
    },
  };
}

function portOf(server: Server): number {
  const address = server.address() as AddressInfo | null;
  assert.ok(address !== null);
  return address.port;
}

async function makeCertificate(path: string): Promise<{ readonly key: string; readonly cert: string; readonly path: string }> {
  const names = ['platform.claude.com', 'api.anthropic.com'].map((name) => `DNS:${name}`).join();
  const options = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test', '-addext', `subjectAltName=${names}`];
  execFileSync('/bin/sh', ['-c', 'exec openssl req "$@"', 'sh', ...options, '-keyout', `${path}.key`, '-out', path], { stdio: 'pipe' });
  return { key: await readFile(`${path}.key`, 'utf8'), cert: await readFile(path, 'utf8'), path };
}
