import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop, SMOOTH } from '../support/played-loop.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { Play } from '../support/served.ts';
import { openTab } from './tab.ts';

test('a branch whose name turns its line around is named as it is, also below the field that shows it', async () => {
  await buildWeb();
  await using project = await serveScenario(SMOOTH);
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { expected: /status of 4/ });
  const { page } = tab;
  await tab.open('/change?branch=x%E2%80%AEfdp.exe');
  await page.getByText('It is not what it looks like: xU+202Efdp.exe').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Branch' }).getAttribute('aria-describedby').then(Boolean), true);
  const shown = await page.locator('main').evaluate((main) => main.textContent);
  assert.doesNotMatch(shown, /\u202E/);
  await page.getByRole('textbox', { name: 'Branch' }).fill('main');
  await page.getByText('It is not what it looks like').waitFor({ state: 'detached' });
});

test('a range of a loop that turns its line around is named as it is', async () => {
  await buildWeb();
  await using project = await serveScenario(SMOOTH);
  const loop = await playLoop(project, 'Add numbers');
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { expected: /status of 4/ });
  await tab.open(`/loop/${loop.id}?range=base..%E2%80%AEab&drawer=artefact:%E2%80%AEgpj.exe`);
  assert.doesNotMatch(await tab.page.locator('body').evaluate((body) => body.textContent), /\u202E/);
  const labels = await tab.page.locator('[aria-label]').evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
  assert.deepEqual(
    labels.filter((label) => label.includes('\u202E')),
    [],
  );
});

const author: Play = async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
  for (const name of ['a', 'b', 'c', 'd', 'e']) await writeFile(join(cwd, `${name}.js`), `export const ${name} = 1;\n`);
  yield fakeEnded('{}');
};

test('a step in the tree of files draws the lines that change, and no other', async () => {
  await buildWeb();
  await using project = await serveScenario({ ...SMOOTH, author });
  const loop = await playLoop(project, 'Add five files');
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  await tab.open(`/loop/${loop.id}`);
  const tree = tab.page.getByRole('tree', { name: 'Files' });
  await tree.getByText('e.js').waitFor();
  await tree.focus();
  // What was given to a line when it was drawn last is the same thing as long as it is not drawn again.
  const drawn = async (): Promise<number> =>
    await tree.getByRole('treeitem').evaluateAll((lines) => {
      const kept = globalThis as unknown as { drawn?: unknown[] };
      const now = lines.map((line) => Object.entries(line).find(([name]) => name.startsWith('__reactProps'))?.[1] as unknown);
      const again = now.filter((given, index) => given !== kept.drawn?.[index]).length;
      kept.drawn = now;
      return again;
    });
  await drawn();
  await tree.press('ArrowDown');
  await tab.page.waitForFunction(() => document.querySelector('[role=tree]')?.getAttribute('aria-activedescendant') === 'tree-1');
  assert.equal(await drawn(), 2);
});

test('a machine without a network reads on from a server of its own', async () => {
  await buildWeb();
  await using project = await serveScenario(SMOOTH);
  const loop = await playLoop(project, 'Add numbers');
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const { page } = tab;
  const title = page.getByRole('link', { name: 'Add numbers' });
  await title.waitFor();
  await page.evaluate(() => globalThis.dispatchEvent(new Event('offline')));
  await title.click();
  await page.waitForURL(`**/loop/${loop.id}`);
  await page.getByText('export const twice').first().waitFor();
});

test('what was read stays where it cannot be asked for again', async () => {
  await buildWeb();
  await using project = await serveScenario(SMOOTH);
  await writeFile(join(project.scenario.root, 'mine.js'), 'export const mine = 1;\n');
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { expected: /status of 4/ });
  const { page } = tab;
  await tab.open('/change');
  await page.getByText('export const mine').first().waitFor();
  const refusal = { code: 'conflict', message: 'Not now.', remedy: 'Later.' };
  await page.route('**/api/changes*', async (route) => await route.fulfill({ status: 409, json: refusal }));
  await page.getByRole('button', { name: 'Look' }).click();
  await page.getByText('This is what was there before. Not now.').waitFor();
  await page.getByText('export const mine').first().waitFor();
  await page.unroute('**/api/changes*');
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page.getByText('Not now.').waitFor({ state: 'detached' });
});

test('on a phone the files of a change lead back to the diff, to where it was read', async () => {
  await buildWeb();
  await using project = await serveScenario(SMOOTH);
  const { repository } = project.scenario;
  const files = (value: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`f${n + 10}.ts`, `const a = ${value};\n`.repeat(30)]));
  await repository.commit('old', files(1));
  await repository.git('tag', 'there-old');
  await repository.commit('new', files(2));
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { width: 390, height: 844, touch: true });
  const { page } = tab;
  await tab.open('/change?range=there-old..HEAD');
  const drawn = page.locator('diffs-container').filter({ has: page.getByRole('button', { name: /Fold f1\d\.ts$/ }) });
  await drawn.first().waitFor();
  const scrolled = async (): Promise<number> =>
    await page
      .locator('[data-diff-scroller]')
      .evaluate((one) => Math.max(...[one, ...one.querySelectorAll('*')].map(({ scrollTop }) => scrollTop)));
  await page.mouse.move(200, 500);
  await page.mouse.wheel(0, 3000);
  await eventually('it is scrolled', async () => (await scrolled()) > 2000);
  const before = await scrolled();
  await page.getByRole('tab', { name: 'Files 12' }).click();
  const tree = page.getByRole('tree', { name: 'Files' });
  await tree.getByText('f21.ts').waitFor();
  assert.deepEqual(await tab.violations(), []);
  await page.getByRole('tab', { name: 'Diff' }).click();
  await drawn.first().waitFor();
  await eventually('it is where it was', async () => Math.abs((await scrolled()) - before) < 40);

  await page.getByRole('tab', { name: 'Files 12' }).click();
  await tree.getByText('f10.ts').click();
  await page.getByRole('button', { name: 'Fold f10.ts' }).waitFor();
  await eventually('the file is shown', async () => (await scrolled()) < 100);
  assert.equal(await tree.count(), 0);
});

test('on a phone a file of a loop is shown from its beginning, wherever its diff stood', async () => {
  await buildWeb();
  const lines = 'export const a = 1;\n'.repeat(40);
  const long: Play = async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
    for (let n = 10; n < 22; n += 1) await writeFile(join(cwd, `f${n}.js`), lines);
    yield fakeEnded('{}');
  };
  await using project = await serveScenario({ ...SMOOTH, author: long });
  const loop = await playLoop(project, 'Add twelve files');
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { width: 390, height: 844, touch: true });
  const { page } = tab;
  await tab.open(`/loop/${loop.id}`);
  await page.getByRole('button', { name: 'Fold f10.js' }).waitFor();
  await page.mouse.move(200, 600);
  await page.mouse.wheel(0, 4000);
  await page.getByRole('button', { name: 'Fold f10.js' }).waitFor({ state: 'hidden' });
  await page.getByRole('tab', { name: 'Files 12' }).click();
  await page.getByRole('tree', { name: 'Files' }).getByText('f10.js').click();
  const head = page.getByRole('button', { name: 'Fold f10.js' });
  await head.waitFor();
  await eventually('its head is on the screen', async () => ((await head.boundingBox())?.y ?? -1) > 0);
});
