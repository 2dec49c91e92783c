import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { nonce } from '../lib/ids.ts';
import { startProcess } from '../lib/process.ts';
import { bubblewrapConfinement } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import { openTrial, requireBubblewrap } from './trial.ts';
import type { Given, Trial } from './trial.ts';
import type { Variables } from './variables.ts';

const program = await requireBubblewrap();

/** Asks for each address and prints the status and the text that came, or that nothing did. */
const FETCH = `
(async () => {
  for (const url of process.argv.slice(1)) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(30000) }).then(async (response) => response.status + ' ' + (await response.text()), () => 'nothing');
    console.log(answer.trim());
  }
})();
`;

/** Asks the proxy itself for the first page of each host. */
const ASK = `
const { request } = require('node:http');
const { port } = new URL(process.env.HTTP_PROXY);
(async () => {
  for (const host of process.argv.slice(1)) {
    await new Promise((done) => request({ port, path: 'http://' + host + '/' }, (answer) => {
      answer.once('data', (text) => { console.log(answer.statusCode + ' ' + String(text).trim()); done(); });
    }).end());
  }
  process.exit();
})();
`;

describe('the network of a sandbox', () => {
  let trial: Trial;
  const servers: Server[] = [];
  let port = 0;
  let otherPort = 0;

  const listen = async (server: Server): Promise<number> => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const confinement = (user: Variables = {}): Confinement =>
    bubblewrapConfinement({ program, stateDir: trial.stateDir, user: { PATH: process.env['PATH'], HOME: trial.userHome, ...user } });
  const fetched = async (urls: readonly string[], given: Given, user: Variables = {}): Promise<string[]> => {
    const { output } = await trial.run(confinement(user), [process.execPath, '-e', FETCH, ...urls], given);
    return output.trim().split('\n');
  };
  const asked = async (hosts: readonly string[], given: Given): Promise<string[]> => {
    const { output } = await trial.run(confinement(), [process.execPath, '-e', ASK, ...hosts], given);
    return output.trim().split('\n');
  };
  const shell = async (line: string, given: Given): Promise<{ readonly code: number | null; readonly output: string }> => {
    const end = await trial.run(confinement(), ['/bin/sh', '-c', line], given);
    return { code: end.kind === 'exited' ? end.code : null, output: end.output };
  };

  before(async () => {
    trial = openTrial();
    port = await listen(createHttpServer((_message, response) => response.end('a model')));
    otherPort = await listen(createHttpServer((_message, response) => response.end('a database')));
  });
  after(() => {
    for (const server of servers) server.close();
    trial.close();
  });

  it('none: nothing outside is reached, and servers of the program’s own are', async () => {
    const own = `const server = require('http').createServer((_, answer) => answer.end('own')).listen(0, '127.0.0.1', async () => {
      console.log(await (await fetch('http://127.0.0.1:' + server.address().port)).text());
      console.log(await fetch('http://127.0.0.1:${port}').then(() => 'reached', () => 'nothing'));
      process.exit();
    });`;
    const { output } = await trial.run(confinement(), [process.execPath, '-e', own]);
    assert.equal(output, 'own\nnothing\n');
  });

  it('open: what this machine reaches is reached, and names are resolved as they are outside', async () => {
    const given: Given = { network: { mode: 'open' } };
    assert.deepEqual(await fetched([`http://127.0.0.1:${port}`, `http://localhost:${port}`], given), ['200 a model', '200 a model']);
    assert.equal((await shell('cat /etc/resolv.conf > /dev/null && getent hosts localhost > /dev/null', given)).code, 0);
  });

  it('provider: a service on loopback that is named is found at its own port, and no other one', async () => {
    const given: Given = { role: 'reviewer', network: { mode: 'provider', hosts: [`localhost:${port}`] } };
    const urls = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, `http://127.0.0.1:${otherPort}`];
    assert.deepEqual(await fetched(urls, given), ['200 a model', '200 a model', 'nothing']);
  });

  it('provider: a host that is not named is refused with a sentence', async () => {
    const given: Given = { role: 'reviewer', network: { mode: 'provider', hosts: ['api.example.com'] } };
    assert.match((await asked(['example.com'], given))[0] ?? '', /^403 example\.com:80 is no host of this agent's provider/);
    assert.deepEqual(await fetched(['https://example.com/'], given), ['nothing']);
  });

  it('provider: a named host is reached through the proxy of the user’s own environment', async () => {
    const heads: string[] = [];
    const answers = ['HTTP/1.1 200 OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello'];
    const company = createServer((socket) => {
      const left = [...answers];
      socket
        .on('error', () => undefined)
        .on('data', (text) => {
          heads.push(String(text).split('\r\n')[0] ?? '');
          socket.write(left.shift() ?? '');
        });
    });
    const user = { HTTP_PROXY: `http://127.0.0.1:${await listen(company)}` };
    const given: Given = { network: { mode: 'provider', hosts: ['api.example.test:80'] } };
    assert.deepEqual(await fetched(['http://api.example.test/v1', 'http://other.example.test/'], given, user), ['200 hello', 'nothing']);
    assert.deepEqual(heads, ['CONNECT api.example.test:80 HTTP/1.1', 'GET /v1 HTTP/1.1']);
  });

  it('public: this machine and private networks are not reached, neither by the proxy nor around it', async () => {
    const given: Given = { network: { mode: 'public' } };
    assert.deepEqual(await fetched([`http://127.0.0.1:${port}`], given), ['nothing']);
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, '10.0.0.1', '169.254.169.254'];
    assert.deepEqual(
      (await asked(hosts, given)).map((answer) => answer.slice(0, 3)),
      hosts.map(() => '403'),
    );
  });

  it('public: a service on loopback that is named is found at its own port', async () => {
    const given: Given = { network: { mode: 'public', hosts: [`127.0.0.1:${port}`] } };
    assert.deepEqual(await fetched([`http://127.0.0.1:${port}`, `http://127.0.0.1:${otherPort}`], given), ['200 a model', 'nothing']);
  });

  it('a program behind the gateway runs as it would without: input, output, exit code, no word of anybody else', async () => {
    const given: Given = { network: { mode: 'public' }, input: 'typed' };
    assert.deepEqual(await shell('cat; echo; echo to stderr >&2; exit 9', given), { code: 9, output: 'typed\nto stderr\n' });
    assert.deepEqual(await shell('kill -9 $$', given), { code: 137, output: '' });
    assert.deepEqual(await shell('kill -TERM $$', given), { code: 143, output: '' });
  });

  it('a program that does not exist is told', async () => {
    const end = await trial.run(confinement(), ['/nowhere/program'], { network: { mode: 'public' } });
    assert.ok(end.kind === 'exited');
    assert.equal(end.code, 127);
    assert.match(end.output, /\/nowhere\/program could not be started/);
  });

  it('once it is closed there is no way out any more', async () => {
    const folder = join(trial.base, 'session');
    mkdirSync(folder);
    const held = await trial.hold(confinement(), { folder, network: { mode: 'provider', hosts: [`localhost:${port}`] } });
    const script = `const fs = require('fs');
      const ask = () => fetch('http://127.0.0.1:${port}').then(() => 'reached', () => 'nothing').then(console.log);
      const wait = setInterval(() => { if (fs.existsSync('closed')) { clearInterval(wait); ask(); } }, 20);
      fs.writeFileSync('started', '');`;
    const running = startProcess({
      argv: [...held.launcher, process.execPath, '-e', script],
      cwd: held.cwd,
      env: held.env,
      wallMs: 60_000,
      marker: `trial-${nonce()}`,
    });
    while (!existsSync(join(trial.checkout, 'started'))) await sleep(10);
    await held.close();
    trial.write('state/project/checkout/closed', '');
    assert.equal((await running.ended).output, 'nothing\n');
  });

  it('a session folder with a long name has a way out too', async () => {
    const folder = join(trial.base, 'long'.repeat(30));
    mkdirSync(folder);
    const given: Given = { folder, network: { mode: 'provider', hosts: [`localhost:${port}`] } };
    assert.deepEqual(await fetched([`http://127.0.0.1:${port}`], given), ['200 a model']);
  });

  it('what a program can reach is told', async () => {
    for (const mode of ['none', 'open', 'public'] as const) {
      const held = await trial.hold(confinement(), { network: { mode } });
      await held.close();
      assert.equal(held.network, mode);
    }
  });
});
