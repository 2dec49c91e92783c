import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { commentOnLoop, decideLoop } from '../../src/app.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop } from '../support/played-loop.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { Play } from '../support/served.ts';
import { openTab } from './tab.ts';

const FILES = ['a-first.js', 'b-middle.js', 'c-last.js'];

function textOf(words: string): string {
  return `${Array.from({ length: 120 }, (_, index) => `export const ${words}${index} = ${index};`).join('\n')}\n`;
}

const author: Play = async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
  for (const name of FILES) await writeFile(join(cwd, name), textOf(name.slice(0, 1)));
  yield fakeEnded('{}');
};

/** In each round it finds something new, above and below of what is being read. */
const reviewer: Play = ({ round }: AgentInput) => {
  const issues = FILES.map((file) => ({
    file,
    line: 10 * round,
    severity: 'high',
    category: 'logic',
    description: `What round ${round} found in ${file}. ${'It takes some words to say so. '.repeat(20)}`,
  }));
  return [fakeEnded(JSON.stringify({ passed: false, summary: 'Not yet.', issues }))];
};

const fixer: Play = async function* ({ cwd, round, subject }: AgentInput): AsyncGenerator<AgentEvent> {
  await writeFile(join(cwd, `0-of-round-${round}.js`), textOf('zero'));
  await writeFile(join(cwd, 'a-first.js'), `// Round ${round}.\n${textOf('a').replaceAll(`= ${10 * round - 1};`, '= 0;')}`);
  const resolutions = subject.findings.map(({ id }) => ({ findingId: id, status: 'fixed', note: 'Mended.' }));
  yield fakeEnded(JSON.stringify({ resolutions }));
};

test('findings and files that arrive move nothing of what is being read, and are offered', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  const loop = await playLoop(project, 'Write three files', { flags: { maxRounds: '1' } });
  assert.equal(loop.state, 'needs_human');
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const { page } = tab;
  await tab.open(`/loop/${loop.id}?file=b-middle.js&line=60&side=new`);
  const line = page.getByText('export const b59 = 59;').first();
  await line.waitFor();
  const top = async (): Promise<number> => (await line.boundingBox())?.y ?? Number.NaN;
  // What was read stands still once the page has come to the line that the address names.
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity),
  );
  let before = await top();
  for (let now = await top(); now !== before; now = await top()) before = now;

  await decideLoop(project.app.engine, loop.id, { choice: 'one-more-round', by: 'Ada', reason: null, agent: null, ceilingUsd: null });
  await project.app.drive([loop.id], new AbortController().signal);
  assert.equal((await project.app.load(loop.id)).rounds.length, 2);
  const offer = page.getByRole('button', { name: /^Show \d+ new finding/ });
  await offer.waitFor();
  assert.ok(Math.abs((await top()) - before) <= 1, `it stood at ${before} and stands at ${await top()}`);

  await offer.click();
  await page.getByRole('tree', { name: 'Files' }).getByText('0-of-round-1.js').waitFor();
  await offer.waitFor({ state: 'detached' });
  await page.waitForURL(/finding=4/);
  await eventually(
    'the first of them is on the screen',
    async () => await isInView(page.getByRole('article', { name: new RegExp(`^Finding ${loop.id}[.]4,`) })),
  );

  await tab.open(`/loop/${loop.id}?file=a-first.js`);
  await page.getByText('// Round 1.').first().waitFor();
  const words = { by: 'Ada', text: 'Look at the last one.', file: 'c-last.js', line: 100, asks: false };
  await commentOnLoop(project.app.engine, loop.id, words);
  await page.getByRole('button', { name: 'Show 1 new comment' }).click();
  await eventually('what was said is on the screen', async () => await isInView(page.getByText('Look at the last one.').first()));
  await commentOnLoop(project.app.engine, loop.id, { ...words, text: 'All in all it is fine.', file: null, line: null });
  await page.getByRole('button', { name: 'Show 1 new comment' }).click();
  await eventually('what was said of all is on the screen', async () => await isInView(page.getByText('All in all it is fine.').first()));
});

/** Whether something is on the screen, not only in the page. */
async function isInView(what: Locator): Promise<boolean> {
  if ((await what.count()) === 0) return false;
  return await what.evaluate((one) => {
    const { top, left } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + 4, top + 4));
  });
}

test('the board follows what happens elsewhere', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const loop = await playLoop(project, 'Write three files', { flags: { maxRounds: '1' } });
  const card = tab.page.getByRole('article', { name: `Loop ${loop.id} needs you` });
  await card.waitFor();
  await decideLoop(project.app.engine, loop.id, { choice: 'cancel', by: 'Ada', reason: null, agent: null, ceilingUsd: null });
  await card.waitFor({ state: 'detached' });
  await tab.page.getByText('Cancelled').first().waitFor();
});

test('what happened before the page was connected is told once it is', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  const loop = await playLoop(project, 'Write three files', { flags: { maxRounds: '1' } });
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const { page } = tab;
  const { promise: go, resolve } = Promise.withResolvers<undefined>();
  await page.routeWebSocket('**/api/live', async (socket) => {
    await go;
    socket.connectToServer();
  });
  await page.goto(`${tab.origin}/loop/${loop.id}`);
  await page.getByText('export const a0 = 0;').first().waitFor();
  await commentOnLoop(project.app.engine, loop.id, { by: 'Ada', text: 'Meanwhile.', file: 'a-first.js', line: 1, asks: false });
  resolve(undefined);
  await page.getByRole('button', { name: 'Show 1 new comment' }).waitFor();
});

test('a card that the server had not made yet is asked for again', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  const loop = await playLoop(project, 'Write three files', { flags: { maxRounds: '1' } });
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const { page } = tab;
  await page.route(/\/api\/loops\?(?!among=)/, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const { body } = await project.ask('GET', `${pathname}${search}`);
    const { loops, ...rest } = z.looseObject({ loops: z.array(z.looseObject({})) }).parse(body);
    await route.fulfill({ json: { ...rest, loops: loops.map((one) => ({ ...one, card: null })) } });
  });
  await page.reload();
  const card = page.getByRole('article', { name: `Loop ${loop.id} needs you` });
  await card.getByText('Three findings still block after round 1.').waitFor();
});
