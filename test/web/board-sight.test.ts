import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { ListedLoop } from '../../src/api/contract/loops.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop, SMOOTH, SWINGING } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openTab, settled } from './tab.ts';

before(buildWeb);

const NONE = 'No loop has these words.';

async function addressOf({ served }: ServedProject): Promise<string> {
  return (await served.addresses())[0] ?? '';
}

function column(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

function card(page: Page, title: string): Locator {
  return page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) });
}

async function onlyLoop(project: ServedProject): Promise<ListedLoop> {
  const { body } = await project.ask('GET', '/api/loops');
  const [loop] = z.object({ loops: z.array(ListedLoop) }).parse(body).loops;
  assert.ok(loop !== undefined);
  return loop;
}

/** Lets the board show these as what is open, instead of what there is. */
async function showLoops(page: Page, loops: readonly ListedLoop[]): Promise<void> {
  await page.route(/\/api\/loops\?.*(state=queued|needsYou=true)/, async (route) => {
    const counts = { total: loops.length, states: {}, needsYou: 0, driven: 0 };
    await route.fulfill({ json: { loops, counts, total: loops.length, next: null } });
  });
  await page.reload();
  await settled(page);
}

function withCard(loop: ListedLoop, shown: Partial<NonNullable<ListedLoop['card']>>): ListedLoop {
  assert.ok(loop.card !== null);
  return { ...loop, card: { ...loop.card, ...shown } };
}

test('the cards are there after the runs were looked at', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers', { group: 'October' });
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  for (const path of ['/', '/?by=run']) {
    await tab.open(path);
    await page.getByRole('button', { name: 'By run' }).click();
    await page.getByRole('heading', { name: /^October/ }).waitFor();
    await page.getByRole('button', { name: 'By state' }).click();
    await card(page, 'Add numbers').waitFor({ timeout: 3000 });
  }
});

test('the cards are there after a loop was read while nothing was heard', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project), {
    expected: /ERR_INTERNET_DISCONNECTED|Failed to load resource|Worker|dynamically imported/,
  });
  const { page, context } = tab;
  const read = async (): Promise<void> => {
    await card(page, 'Add numbers').getByRole('link').click();
    await page.waitForURL(/loop\/1/);
    await page.locator('main').first().waitFor();
    await page.waitForTimeout(500);
    await page.goBack();
  };
  await read();
  await card(page, 'Add numbers').waitFor();
  await context.setOffline(true);
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor({ timeout: 60_000 });
  await read();
  await card(page, 'Add numbers').waitFor({ timeout: 3000 });
});

test('other words begin at the top, and a way back leads to where the list was', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'The first', { drive: false });
  const first = await onlyLoop(project);
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const many = Array.from({ length: 600 }, (_none, at) => ({
    ...first,
    id: 600 - at,
    title: `${at % 2 === 0 ? 'Even' : 'Odd'} ${600 - at}`,
  }));
  await showLoops(page, many);
  const scroller = column(page, 'Building').locator('> div');
  const top = async (): Promise<number> => await scroller.evaluate((element) => element.scrollTop);
  const scroll = async (to: number): Promise<void> => {
    await scroller.evaluate((element, offset) => element.scrollTo({ top: offset }), to);
    await page.waitForTimeout(300);
  };
  const filter = page.getByRole('searchbox', { name: 'Filter the board' });
  await scroll(30_000);
  await filter.fill('even');
  await page.getByRole('heading', { name: 'Building 300' }).waitFor();
  await card(page, 'Even 600').waitFor({ timeout: 3000 });
  assert.equal(await top(), 0);
  await scroll(20_000);
  await filter.fill('nobody has this');
  await page.getByText(NONE).waitFor();
  await filter.fill('even');
  await card(page, 'Even 600').waitFor({ timeout: 3000 });
  assert.equal(await top(), 0);
  await scroll(20_000);
  await filter.fill('');
  await page.getByRole('heading', { name: 'Building 600' }).waitFor();
  await card(page, 'Even 600').waitFor({ timeout: 3000 });
  assert.equal(await top(), 0);

  await scroll(20_000);
  const was = await top();
  assert.ok(was > 10_000);
  await page.getByRole('button', { name: 'By run' }).click();
  await page.getByRole('heading', { name: /^No run/ }).waitFor();
  await page.getByRole('button', { name: 'By state' }).click();
  await column(page, 'Building').getByRole('article').first().waitFor({ timeout: 3000 });
  assert.ok(Math.abs((await top()) - was) < 2, `it was at ${was} and is at ${await top()}`);
});

test('a filter that finds nothing says so once, and offers the way out', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  for (const path of ['/?q=zebra', '/?q=zebra&by=run']) {
    await tab.open(path);
    await page.getByText(NONE).waitFor();
    assert.equal(await page.getByText(NONE).count(), 1);
    assert.equal(await page.getByText('Nothing here has these words.').count(), 0);
    assert.deepEqual(await tab.violations(), []);
    await page.getByRole('status').getByRole('button', { name: 'Clear the filter' }).click();
    await card(page, 'Add numbers').waitFor();
    assert.equal(await page.getByRole('searchbox', { name: 'Filter the board' }).inputValue(), '');
  }
});

test('a card that asks says why, and what is at stake', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  const asking = await onlyLoop(project);
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const why = 'after 3 review rounds 1 blocking finding remains, among it 1.2: A crash locks this key for a whole day.';
  const failed = withCard({ ...asking, id: 2, title: 'Retry budgets', state: 'failed' }, { asks: 'Failed', choices: [] });
  await showLoops(page, [withCard({ ...asking, why }, { stake: 'A round costs about $0.58; $1.00 is left.' }), failed]);
  const shown = card(page, 'Add numbers');
  await shown.getByText('A crash locks this key for a whole day.', { exact: true }).waitFor();
  await shown.getByText('A round costs about $0.58; $1.00 is left.').waitFor();
  assert.equal(await card(page, 'Retry budgets').getByText('Failed', { exact: true }).count(), 1);
});

test('a long title takes two lines, and is whole in its hint', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  const asking = await onlyLoop(project);
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const title = 'Numbers that go on and on '.repeat(16).trim();
  const plain = { ...asking, needsYou: false };
  await showLoops(page, [
    { ...asking, title },
    { ...plain, id: 2, title, state: 'refining' },
    { ...plain, id: 3, title, state: 'cancelled' },
  ]);
  await page.getByRole('heading', { level: 3 }).nth(2).waitFor();
  for (const heading of await page.getByRole('heading', { level: 3 }).all()) {
    const { height = 0 } = (await heading.boundingBox()) ?? {};
    assert.ok(height > 20 && height <= 2 * 19 + 1, `it is ${height} px high`);
    assert.equal(await heading.getAttribute('title'), title);
  }
});

test('the age of a card is never cut', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'Add numbers', { drive: false });
  const queued = await onlyLoop(project);
  await using tab = await openTab(await addressOf(project), { width: 1280 });
  const { page } = tab;
  const gates = ['build', 'lint', 'test'].map((name) => ({ name, passed: true }));
  const updatedAt = new Date(Date.now() - 59 * 60_000).toISOString();
  const full = withCard(
    { ...queued, title: 'Full', spendUsd: 12.34, spendEstimated: true, ceilingUsd: 30, updatedAt },
    { author: 'claude', reviewers: ['codex', 'gemini', 'opencode'], gates },
  );
  await showLoops(page, [full, withCard({ ...full, id: 2, title: 'Fuller' }, { reviewers: Array.from({ length: 9 }, () => 'codex') })]);
  for (const width of [800, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const title of ['Full', 'Fuller']) {
      const age = await card(page, title).locator('time').boundingBox();
      const row = await card(page, title).locator('div:has(> span > time)').boundingBox();
      assert.ok(age !== null && row !== null);
      assert.ok(age.x + age.width <= row.x + row.width + 0.5, `${title} at ${width} px: ${age.x + age.width} of ${row.x + row.width}`);
    }
    const amount = await card(page, 'Full').locator('b').filter({ hasText: '$12.34' }).boundingBox();
    const room = await card(page, 'Full').locator('span:has(> b)').boundingBox();
    assert.ok(amount !== null && room !== null);
    assert.ok(amount.x + amount.width <= room.x + room.width + 0.5, `the spend is cut at ${width} px`);
    const tiles = card(page, 'Full').locator('span[title*="writes"]');
    assert.ok(await tiles.evaluate((element) => element.scrollWidth <= element.clientWidth), `the tiles are cut at ${width} px`);
  }
});

test('what is not built yet is not dragged into its review: that is said and chosen in its menu', async () => {
  await using project = await serveScenario(SMOOTH);
  const loop = await playLoop(project, 'Add numbers', { drive: false });
  await project.ask('PATCH', `/api/tasks/${loop.id}`, { body: { autoReview: false } });
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const queued = card(page, 'Add numbers');
  await queued.getByText('no review follows').waitFor();
  await dragOver(page, queued, column(page, 'In review'));
  assert.equal(await column(page, 'In review').getByText('Review it').count(), 0);
  await page.mouse.up();
  await queued.hover();
  await queued.getByRole('button', { name: 'Move or change #1' }).click();
  await page.getByRole('menu').getByText('Stays here').waitFor();
  await page.getByRole('menuitem', { name: /^Review it when built/ }).click();
  await queued.getByText('no review follows').waitFor({ state: 'detached' });
  await queued.getByText('author writes, reviewer reviews.').waitFor({ state: 'attached' });
  assert.equal((await project.app.load(loop.id)).autoReview, true);
});

test('a column says whole what a drop does', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project), { width: 1280 });
  const { page } = tab;
  await dragOver(page, card(page, 'Add numbers'), column(page, 'In review'));
  for (const name of ['In review', 'Done']) {
    const words = column(page, name).getByRole('heading', { level: 2 }).locator('span').last();
    assert.match(await words.innerText(), /^\S.* or \d more$/);
    assert.ok(await words.evaluate((element) => element.scrollWidth <= element.clientWidth), `${await words.innerText()} is cut`);
  }
  await page.mouse.move(5, 5, { steps: 4 });
  await page.mouse.up();
});

test('a click on empty space and a key draw no ring around a column, and a link has one', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const outline = async (): Promise<string> =>
    await page.evaluate(() => (document.activeElement === null ? '' : getComputedStyle(document.activeElement, null).outlineStyle));
  await column(page, 'Pull request')
    .locator('> div')
    .click({ position: { x: 100, y: 400 } });
  await page.keyboard.press('Shift');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('tabindex')), '-1');
  assert.equal(await outline(), 'none');
  await page.getByRole('button', { name: 'By run' }).focus();
  assert.equal(await outline(), 'solid');
});

test('on a phone everything is large enough for a finger, and what waits is decided in turn', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project), { width: 390, height: 844, touch: true });
  const { page } = tab;
  await card(page, 'Add numbers').waitFor();
  const targets = [
    page.getByRole('link', { name: 'Volley, board' }),
    page.getByRole('button', { name: 'Search loops and commands' }),
    page.getByRole('button', { name: 'Me: theme and keys' }),
    page.getByRole('button', { name: 'Move or change #1' }),
    page.getByRole('button', { name: /Decide in turn/ }),
  ];
  for (const target of targets) {
    const box = await target.boundingBox();
    assert.ok(box !== null && box.width >= 44 && box.height >= 44, `${String(target)} is ${box?.width} × ${box?.height}`);
  }
  await page.getByRole('heading', { name: '1 needs you' }).waitFor();
  await page.getByRole('button', { name: /Decide in turn/ }).tap();
  await page.waitForURL(/loop\/1/);
});

/** Holds a card over a column, as a hand does. */
async function dragOver(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await from.boundingBox();
  const end = await to.boundingBox();
  assert.ok(start !== null && end !== null);
  await page.mouse.move(start.x + start.width / 2, start.y + 12);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 20, start.y + 24, { steps: 4 });
  await page.mouse.move(end.x + end.width / 2, end.y + 200, { steps: 8 });
}
