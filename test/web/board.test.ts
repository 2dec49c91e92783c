import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { z } from 'zod';
import { ListedLoop } from '../../src/api/contract/loops.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop, SMOOTH, SWINGING } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openTab, settled } from './tab.ts';

before(buildWeb);

async function addressOf({ served }: ServedProject): Promise<string> {
  return (await served.addresses())[0] ?? '';
}

function column(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

function card(page: Page, title: string): Locator {
  return page.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) });
}

test('a question stands on its card and is answered there', async () => {
  await using project = await serveScenario(SWINGING);
  const loop = await playLoop(project, 'Add numbers');
  assert.equal(loop.state, 'needs_human');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await page.getByRole('heading', { name: '1 needs you' }).waitFor();
  assert.match(await page.title(), /^\(1\) /);
  const asking = column(page, 'Needs you').getByRole('article', { name: 'Loop 1 needs you' });
  assert.match(await asking.innerText(), /\?\n/);
  await asking.getByRole('button', { name: 'Accept…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The double is the number itself').or(dialog.getByText('The sum is a difference')).first().waitFor();
  await dialog.getByLabel('Reason').fill('Numbers are not my concern.');
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByText('Accept: #1').waitFor();
  await project.app.drive([1], new AbortController().signal);
  await column(page, 'Done').getByRole('link', { name: 'Add numbers' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'What needs you' }).count(), 0);
  const { approval } = await project.app.load(1);
  assert.equal(approval?.by === 'person' ? approval.reason : approval, 'Numbers are not my concern.');
});

/** Agents of a loop that ends in a dispute which only a person may settle. */
const DISPUTING: typeof SWINGING = {
  ...SWINGING,
  reviewer: () => {
    const issue = { file: 'add.js', line: 1, severity: 'high', category: 'security', description: 'The sum can be forged.' };
    return [fakeEnded(JSON.stringify({ passed: false, summary: 'No.', intentSatisfied: true, issues: [issue] }))];
  },
  fixer: ({ subject }) => {
    const resolutions = subject.findings.map(({ id }) => ({ findingId: id, status: 'disputed', note: 'Nobody can forge a sum.' }));
    return [fakeEnded(JSON.stringify({ summary: 'I do not agree.', resolutions }))];
  },
};

test('refuting a dispute is asked about first, with what is refuted', async () => {
  await using project = await serveScenario(DISPUTING);
  const { escalation } = await playLoop(project, 'Add numbers');
  assert.equal(escalation?.reason, 'disputed');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await card(page, 'Add numbers').getByRole('button', { name: 'Refute…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Refute the disputed findings?' });
  await dialog.getByText('The sum can be forged').waitFor();
  assert.equal((await project.app.load(1)).approval, null);
  await dialog.getByRole('button', { name: 'Refute them' }).click();
  await page.getByText('Refute: #1').waitFor();
  await project.app.drive([1], new AbortController().signal);
  await column(page, 'Done').getByRole('link', { name: 'Add numbers' }).waitFor();
});

test('a second click does not decide about the card that comes after', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'The first');
  await playLoop(project, 'The second');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const button = card(page, 'The first').getByRole('button', { name: 'Fix myself' });
  await button.hover();
  const box = await button.boundingBox();
  assert.ok(box !== null);
  for (const pauseMs of [80, 700, 900, 200]) {
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForTimeout(pauseMs);
  }
  await card(page, 'The first').getByText('Taken over').waitFor();
  assert.equal((await project.app.load(1)).state, 'blocked');
  assert.equal((await project.app.load(2)).state, 'needs_human');
});

test('cards come and move while somebody looks', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'The first');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await column(page, 'Done').getByRole('link', { name: 'The first' }).waitFor();
  const second = await playLoop(project, 'The second', { drive: false });
  await column(page, 'Building').getByRole('link', { name: 'The second' }).waitFor();
  await project.app.drive([second.id], new AbortController().signal);
  await column(page, 'Done').getByRole('link', { name: 'The second' }).waitFor();
  assert.equal(await column(page, 'Building').getByRole('article').count(), 0);
});

test('a card can be dragged only to where its loop may go', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await drag(page, card(page, 'Add numbers'), column(page, 'Building'));
  assert.equal(await page.getByRole('dialog').count(), 0);
  await drag(page, card(page, 'Add numbers'), column(page, 'Done'));
  const dialog = page.getByRole('dialog', { name: 'Move #1 to Done' });
  await dialog.getByRole('button', { name: /^Cancel/ }).click();
  await page.getByRole('dialog', { name: 'Cancel this loop?' }).getByRole('button', { name: 'Cancel the loop' }).click();
  await column(page, 'Done').getByText('Cancelled').waitFor();
  assert.equal((await project.app.load(1)).state, 'cancelled');
});

test('every move of a card is in its menu, which the keyboard reaches', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await card(page, 'Add numbers').getByRole('button', { name: 'Move or change #1' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.type('Fix myself');
  await page.keyboard.press('Enter');
  await card(page, 'Add numbers').getByText('Taken over').waitFor();
  await card(page, 'Add numbers').getByRole('button', { name: 'Hand back' }).waitFor();
});

test('a decision about a loop that moved on is refused, and nothing changes', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project), { expected: /409/ });
  const { page } = tab;
  await card(page, 'Add numbers').getByRole('button', { name: 'Accept…' }).click();
  await page.getByRole('dialog').waitFor();
  await project.ask('POST', '/api/loops/1/decisions', { body: { choice: 'fix-manually' } });
  await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'It moved on since you looked at it. Nothing was sent.' }).waitFor();
  assert.equal(await page.getByText(/Refused|volley show/).count(), 0);
  assert.equal((await project.app.load(1)).approval, null);
});

test('a task is written, kept and started without leaving the board', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'The first');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await page.keyboard.press('t');
  await page.getByRole('dialog', { name: 'New task' }).getByRole('textbox', { name: 'What should be built' }).fill('Add more numbers');
  await page.getByText('author builds it, reviewer reviews it', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.reload();
  await settled(page);
  await page.keyboard.press('t');
  const field = page.getByRole('textbox', { name: 'What should be built' });
  assert.equal(await field.inputValue(), 'Add more numbers');
  await page.keyboard.press('Control+Enter');
  await column(page, 'Building').getByRole('link', { name: 'Add more numbers' }).waitFor();
  assert.equal((await project.app.load(2)).task.title, 'Add more numbers');
});

test('what is written is the same in two tabs, and stands still while it is started', async () => {
  await using project = await serveScenario(SMOOTH);
  await using tab = await openTab(await addressOf(project));
  const { page, context, origin } = tab;
  const other = await context.newPage();
  await other.goto(origin);
  const [field, there] = [page, other].map((one) => one.getByRole('textbox', { name: 'What should be built' }));
  assert.ok(field && there);
  await there.waitFor();
  await field.fill('Add numbers');
  await other.waitForFunction(() => document.querySelector('textarea')?.value === 'Add numbers');
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/tasks', async (route) => {
    await held;
    await route.continue();
  });
  await field.press('Control+Enter');
  await page.getByRole('button', { name: 'Starting…' }).waitFor();
  await page.keyboard.type(' and letters');
  assert.equal(await field.inputValue(), 'Add numbers');
  release();
  await column(page, 'Building').getByRole('link', { name: 'Add numbers' }).waitFor();
});

test('an empty board is the field for a task', async () => {
  await using project = await serveScenario(SMOOTH);
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await page.getByRole('heading', { name: 'Nothing in play' }).waitFor();
  await page.locator('textarea:focus').fill('Add numbers');
  await page.getByRole('button', { name: 'Start' }).click();
  await column(page, 'Building').getByRole('link', { name: 'Add numbers' }).waitFor();
});

test('a filter and the runs find what is meant', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'Rotate the secrets', { group: 'October hardening' });
  await playLoop(project, 'Paginate the list');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await page.keyboard.press('/');
  await page.keyboard.type('october');
  await card(page, 'Paginate the list').waitFor({ state: 'detached' });
  assert.equal(await card(page, 'Rotate the secrets').count(), 1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'By run' }).click();
  await page.getByRole('heading', { name: /^October hardening/ }).waitFor();
  assert.match(page.url(), /by=run/);
});

test('nothing is decided while nothing is heard, and the words stay', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project), { expected: /ERR_INTERNET_DISCONNECTED/ });
  const { page, context } = tab;
  const accept = card(page, 'Add numbers').getByRole('button', { name: 'Accept…' });
  await page.getByText('Live', { exact: true }).waitFor();
  assert.ok(await accept.isEnabled());
  await accept.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('It is good enough.');
  await context.setOffline(true);
  await dialog.getByText('Not connected. Your words are kept.').waitFor({ timeout: 60_000 });
  assert.ok(await dialog.getByRole('button', { name: 'Accept', exact: true }).isDisabled());
  await page.keyboard.press('Escape');
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor({ timeout: 60_000 });
  assert.ok(await accept.isDisabled());
  assert.equal(await card(page, 'Add numbers').count(), 1);
  await context.setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 60_000 });
  assert.ok(await accept.isEnabled());
});

test('what cannot be fetched is told, and the board stays', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project), { expected: /ERR_FAILED|dynamically imported/ });
  const { page, context } = tab;
  await context.route('**/assets/{palette,decision-dialog,task-form}*', async (route) => await route.abort());
  await page.reload();
  await settled(page);
  const told = page.getByRole('alert').filter({ hasText: 'This part of the app could not be shown.' });
  await page.keyboard.press('Control+k');
  await told.waitFor();
  await page.keyboard.press('t');
  await told.nth(1).waitFor();
  await card(page, 'Add numbers').getByRole('button', { name: 'Accept…' }).click();
  await told.nth(2).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await context.unroute('**/assets/{palette,decision-dialog,task-form}*');
  await told.first().getByRole('button', { name: 'Load again' }).click();
  await told.first().waitFor({ state: 'detached' });
  await settled(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).waitFor();
});

test('an approved loop is landed from its card', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'Add numbers');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await card(page, 'Add numbers').getByRole('button', { name: 'Land it…' }).click();
  await page.getByRole('dialog', { name: 'Land this work?' }).getByRole('button', { name: 'Land it' }).click();
  await page.getByText('Landed #1 on main.').waitFor();
  await column(page, 'Done').getByText('Landed', { exact: true }).waitFor();
});

test('the focus is where it was after a dialog and the palette, and on the next card where that is gone', async () => {
  await using project = await serveScenario(SWINGING);
  await playLoop(project, 'The first');
  await playLoop(project, 'The second');
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  const accept = card(page, 'The first').getByRole('button', { name: 'Accept…' });
  await accept.focus();
  for (const keys of ['Enter', 'Control+k', 'Shift+?']) {
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await accept.and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).focus();
  await page.keyboard.press('Enter');
  await project.app.drive([1], new AbortController().signal);
  await card(page, 'The second').locator('a:focus').waitFor();
});

test('of two thousand cards only those in sight are there, and the one that is read stays where it is', async () => {
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'The first', { drive: false });
  const { body } = await project.ask('GET', '/api/loops');
  const { loops } = z.object({ loops: z.array(ListedLoop) }).parse(body);
  const [first] = loops;
  assert.ok(first !== undefined);
  await using tab = await openTab(await addressOf(project));
  const { page } = tab;
  await page.route('**/api/loops?*state=queued*', async (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const from = Number(asked.get('cursor') ?? 2000);
    const limit = Number(asked.get('limit'));
    const many = Array.from({ length: Math.min(limit, from) }, (_none, at) => ({ ...first, id: from - at, title: `Task ${from - at}` }));
    const counts = { total: 2000, states: { queued: 2000 }, needsYou: 0, driven: 0 };
    await route.fulfill({ json: { loops: many, counts, total: 2000, next: from > limit ? String(from - limit) : null } });
  });
  await page.reload();
  await settled(page);
  await page.getByRole('heading', { name: 'Building 2,000' }).waitFor();
  assert.ok((await page.getByRole('article').count()) < 60);
  const scroller = column(page, 'Building').locator('> div');
  await scroller.evaluate((element) => element.scrollTo({ top: 9000 }));
  await page.waitForTimeout(300);
  const read = column(page, 'Building').getByRole('article').nth(6);
  const title = await read.getByRole('heading').innerText();
  const was = await card(page, title).boundingBox();
  // A newer task comes in above.
  await page.route('**/api/loops?among=*', async (route) => {
    await route.fulfill({ json: { loops: [{ ...first, id: 2001, title: 'Task 2001' }], counts: {}, total: 1, next: null } });
  });
  await playLoop(project, 'The second', { drive: false });
  await page.getByRole('heading', { name: 'Building 2,001' }).waitFor();
  await page.waitForTimeout(300);
  const after = await card(page, title).boundingBox();
  assert.ok(was !== null && after !== null);
  assert.ok(Math.abs(was.y - after.y) < 2, `${title} moved from ${was.y} to ${after.y}`);
  // Who goes to a loop and comes back finds it there too.
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: 'Read the working tree' }).click();
  await page.waitForURL(/change/);
  await page.goBack();
  const back = await card(page, title).boundingBox();
  assert.ok(back !== null && Math.abs(after.y - back.y) < 2, `${title} was at ${after.y} and is at ${back?.y}`);
});

/** Drags something in small steps, as a hand does. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const start = await from.boundingBox();
  const end = await to.boundingBox();
  assert.ok(start !== null && end !== null);
  await page.mouse.move(start.x + start.width / 2, start.y + 12);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 20, start.y + 24, { steps: 4 });
  await page.mouse.move(end.x + end.width / 2, end.y + 200, { steps: 8 });
  await page.mouse.up();
}
