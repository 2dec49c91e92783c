import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { fakeEnded } from '../../src/agents/fake.ts';
import { waitUntilIn, waitUntilOut } from './let-in.ts';
import { openBrowser } from './open-browser.ts';
import { buildWeb } from '../support/built-web.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

// T3 and T4 of the threats, in a real browser.

let started = 0;
let project: ServedProject;
let browser: Browser;

before(async () => {
  const play = () => {
    started += 1;
    return [fakeEnded('{"passed":true}')];
  };
  await buildWeb();
  project = await serveScenario({ author: play, reviewer: play });
  browser = await openBrowser();
});

after(async () => {
  await browser.close();
  await project[Symbol.asyncDispose]();
});

/** A page of somebody else on this machine: the same site as ours for a browser, another origin. */
async function foreignPage(cookie: string | null = null): Promise<{ readonly url: string; readonly seen: string[]; close(): void }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    if (cookie !== null) response.setHeader('set-cookie', cookie);
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>foreign</title><body>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    seen,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function newAddress(): Promise<string> {
  return (await project.served.addresses())[0] ?? '';
}

async function logIn(page: Page): Promise<void> {
  await page.goto(await newAddress());
  await waitUntilIn(page);
}

async function health(): Promise<unknown> {
  return (await project.ask('GET', '/api/health')).body;
}

describe('a browser', () => {
  test('gets in by the address, which is gone from its history, and stays in', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await logIn(page);
    assert.equal(page.url(), `${project.served.url}/`);
    const [cookie] = await context.cookies();
    assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: 'Strict', name: `volley-${project.served.port}` });
    assert.equal(await page.evaluate(() => document.cookie), '');
    await page.reload();
    await waitUntilIn(page);
    const key = await page.evaluate(() => localStorage.getItem('volley-page'));
    const ask = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      await page.evaluate(async (sent) => (await fetch('/api/health', { headers: sent })).status, headers);
    assert.deepEqual([await ask({ 'x-volley-page': key ?? '' }), await ask({})], [200, 401]);
    assert.equal((await page.goto(`${project.served.url}/api/docs`))?.status(), 200);
    await context.close();
  });

  test('does not get in twice by one address, and is told what to do', async () => {
    const address = await newAddress();
    for (const isFirst of [true, false]) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(address);
      if (isFirst) await waitUntilIn(page);
      else assert.match(await waitUntilOut(page), /works once, for one browser\. For another one, run it again/);
      await context.close();
    }
  });

  test('whose cookie another server of the host saw is still alone in', async () => {
    const foreign = await foreignPage();
    const context = await browser.newContext();
    const page = await context.newPage();
    await logIn(page);
    await page.goto(foreign.url);
    const cookie = new RegExp(`volley-${project.served.port}=[\\w.-]+`).exec(foreign.seen.join())?.[0];
    assert.ok(cookie, 'a browser sends it to every port');
    assert.ok(foreign.seen.every((line) => !line.includes('x-volley-page')));
    assert.equal(await page.evaluate(() => localStorage.getItem('volley-page')), null);
    const replayed = await fetch(`${project.served.url}/api/loops`, { headers: { cookie, origin: project.served.url } });
    assert.equal(replayed.status, 401);
    await context.close();
    foreign.close();
  });

  test('is not kept out by a cookie that another server of the host sets', async () => {
    const foreign = await foreignPage(`volley-${project.served.port}=a.b.c; Path=/api`);
    const context = await browser.newContext();
    const page = await context.newPage();
    await logIn(page);
    await page.goto(foreign.url);
    await page.goto(project.served.url);
    await page.waitForFunction(() => document.title !== 'Volley');
    await context.close();
    foreign.close();
  });

  test('that has a cookie and no key is told to open a new address', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await logIn(page);
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.getByRole('heading', { name: 'This browser is not let in yet' }).waitFor();
    await context.close();
  });

  test('names neither code nor token to anybody: not in requests, not in what a link tells', async () => {
    const foreign = await foreignPage();
    const context = await browser.newContext();
    const page = await context.newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.url().split('#')[0]} ${JSON.stringify(request.headers())}`));
    const address = await newAddress();
    const code = address.split('#code=')[1] ?? '';
    await page.goto(address);
    await waitUntilIn(page);
    await page.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
    }, foreign.url);
    await page.waitForURL(foreign.url);
    assert.ok(foreign.seen.length > 0);
    for (const line of [...foreign.seen, ...requests.filter((one) => !one.includes('/api/session'))]) {
      assert.ok(!line.includes(project.token) && !line.includes(code), line);
    }
    assert.ok(
      foreign.seen.every((line) => !line.includes(project.served.url)),
      'nobody is told where the link was',
    );
    await context.close();
    foreign.close();
  });

  test('runs no script of a page but our own, and sees no complaint about ours', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await logIn(page);
    await page.goto(`${project.served.url}/api/docs`);
    assert.deepEqual(complaints, []);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
    });
    assert.equal(await page.evaluate(() => Reflect.get(window, 'ran')), undefined);
    await context.close();
  });
});

describe('a page of another origin, in a browser that is logged in', () => {
  let page: Page;
  let foreign: Awaited<ReturnType<typeof foreignPage>>;
  let was: unknown;

  before(async () => {
    was = await health();
    foreign = await foreignPage();
    const context = await browser.newContext();
    page = await context.newPage();
    await logIn(page);
    await page.goto(foreign.url);
  });
  after(async () => {
    await page.context().close();
    foreign.close();
  });

  test('reads nothing', async () => {
    const failed = await page.evaluate(async (url) => {
      try {
        return (await fetch(`${url}/api/loops`, { credentials: 'include' })).status;
      } catch {
        return 'refused';
      }
    }, project.served.url);
    assert.equal(failed, 'refused');
  });

  test('starts nothing by a simple request, with or without cookies', async () => {
    for (const type of ['text/plain', 'application/json', 'application/x-www-form-urlencoded'])
      for (const mode of ['no-cors', 'cors'] as const)
        await page.evaluate(
          async ({ url, type: contentType, mode: how }) =>
            await fetch(`${url}/api/tasks`, {
              method: 'POST',
              mode: how,
              credentials: 'include',
              headers: { 'content-type': contentType },
              body: '{"text":"Do something"}',
            }).catch(() => null),
          { url: project.served.url, type, mode },
        );
  });

  test('starts nothing by a form', async () => {
    const answer = page.waitForResponse((response) => response.url().includes('/api/tasks'));
    await page.evaluate((url) => {
      const form = document.createElement('form');
      form.action = `${url}/api/tasks`;
      form.method = 'POST';
      form.enctype = 'text/plain';
      const input = document.createElement('input');
      input.name = '{"text":"Do something","x":"';
      input.value = '"}';
      form.append(input);
      document.body.append(form);
      form.submit();
    }, project.served.url);
    assert.equal((await answer).status(), 403);
    await page.waitForURL(/api\/tasks/);
    await page.goto(foreign.url);
  });

  test('gets no socket', async () => {
    const opened = await page.evaluate(
      async (url) =>
        await new Promise((resolve) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}/api/live`);
          socket.addEventListener('open', () => resolve('open'));
          socket.addEventListener('error', () => resolve('refused'));
        }),
      project.served.url,
    );
    assert.equal(opened, 'refused');
  });

  test('cannot put ours into a frame', async () => {
    await page.evaluate(
      async (url) =>
        await new Promise((resolve) => {
          const frame = document.createElement('iframe');
          frame.src = url;
          frame.addEventListener('load', resolve);
          document.body.append(frame);
        }),
      project.served.url,
    );
    const frame = page.frames().find((one) => one !== page.mainFrame());
    assert.match(frame?.url() ?? '', /^chrome-error:/);
  });

  test('may have a link to ours, which opens it', async () => {
    const opened = page.waitForResponse((response) => response.url() === `${project.served.url}/`);
    await page.evaluate((url) => {
      const link = document.createElement('a');
      link.href = url;
      document.body.append(link);
      link.click();
    }, `${project.served.url}/`);
    assert.equal((await opened).status(), 200);
    await page.waitForFunction(() => document.title !== 'Volley' && document.title !== 'foreign');
    await page.goto(foreign.url);
  });

  test('started nothing of all that', async () => {
    assert.deepEqual(await health(), was);
    assert.equal(started, 0);
  });
});
