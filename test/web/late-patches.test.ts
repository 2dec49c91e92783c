import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openTab } from './tab.ts';
import type { Tab } from './tab.ts';

let project: ServedProject;
let tab: Tab;
let page: Page;

const FILES = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];

/** So many changes, each with lines around it, that a patch is much higher than anybody can tell beforehand. */
function text(word: string): string {
  return Array.from({ length: 90 }, (_, n) => `const line${n} = '${n % 15 === 0 ? word : ''}';\n`).join('');
}

before(async () => {
  await buildWeb();
  project = await serveScenario({ author: () => [fakeEnded('{}')] });
  const { repository } = project.scenario;
  for (const word of ['old', 'new']) {
    await repository.commit(word, Object.fromEntries(FILES.map((path) => [path, text(word)])));
    await repository.git('tag', `late-${word}`);
  }
});
after(async () => await project[Symbol.asyncDispose]());

beforeEach(async () => {
  tab = await openTab((await project.served.addresses())[0] ?? '');
  ({ page } = tab);
});
afterEach(async () => await tab[Symbol.asyncDispose]());

/** Holds back the patch of one file until it is let go. */
async function hold(path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(
    (url) => url.pathname.endsWith('/patch') && url.searchParams.get('path') === path,
    async (route) => {
      await promise;
      await route.continue();
    },
  );
  return () => resolve(undefined);
}

function file(path: string): Locator {
  return page.locator('diffs-container').filter({ has: page.getByRole('button', { name: new RegExp(`(?:Fold|Open) ${path}$`) }) });
}

async function comes(path: string): Promise<void> {
  await file(path).locator('[data-line]', { hasText: "'new'" }).first().waitFor();
  // The viewer colours it, and lays it out some frames later.
  await page.waitForTimeout(600);
}

async function scrollTop(): Promise<number> {
  return await page
    .locator('[data-diff-scroller]')
    .evaluate((place) => Math.max(...[place, ...place.querySelectorAll('*')].map((one) => one.scrollTop)));
}

test('a page that nobody scrolled stays at its top, whichever patch comes first', async () => {
  const letGo = await hold('a.ts');
  await tab.open('/change?range=late-old..late-new');
  await comes('b.ts');
  letGo();
  await comes('a.ts');
  assert.equal(await scrollTop(), 0);
});

test('a file that somebody was led to begins where they look, though its patch comes late', async () => {
  const letGo = await hold('c.ts');
  await tab.open('/change?range=late-old..late-new');
  await comes('a.ts');
  await page.getByRole('treeitem', { name: /c\.ts/ }).click();
  const head = page.getByRole('button', { name: /(?:Fold|Open) c\.ts$/ });
  await head.waitFor();
  await comes('d.ts');
  const { y } = (await head.boundingBox()) ?? { y: -1 };
  letGo();
  await comes('c.ts');
  await eventually('its first line is on the screen', async () => {
    const box = await file('c.ts').locator('[data-line]', { hasText: "line0 = 'new'" }).first().boundingBox();
    return box !== null && Math.abs(box.y - y) < 120;
  });
});

test('whoever goes elsewhere before a line is there is left where they went', async () => {
  const letGo = await hold('d.ts');
  await tab.open('/change?range=late-old..late-new&file=d.ts&line=80&side=new');
  await page.getByRole('button', { name: /(?:Fold|Open) d\.ts$/ }).waitFor();
  await page.getByRole('treeitem', { name: /a\.ts/ }).click();
  await comes('a.ts');
  const there = await scrollTop();
  const came = page.waitForResponse((response) => response.url().includes('/patch') && response.url().includes('d.ts'));
  letGo();
  await came;
  // It is laid out without anybody seeing it.
  await page.waitForTimeout(1500);
  assert.equal(await scrollTop(), there);
});
