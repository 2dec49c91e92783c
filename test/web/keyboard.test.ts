import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ASKING } from '../showcase/stories/asking.ts';
import { oneRound } from '../showcase/stories/one-round.ts';
import { serveShowcase } from './showcase.ts';
import { openTab } from './tab.ts';

test('without a mouse: to what asks, from finding to finding, to a decision, and back', async () => {
  await using showcase = await serveShowcase([oneRound, ...ASKING.slice(2, 3)]);
  await using tab = await openTab(await showcase.address());
  const { page } = tab;
  await page.getByRole('article', { name: 'Loop 1 needs you' }).waitFor();

  await page.keyboard.press('Shift+?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });

  const link = page.getByRole('link', { name: oneRound.title, exact: true });
  for (let steps = 0; steps < 60 && !(await link.evaluate((one) => one === document.activeElement)); steps += 1)
    await page.keyboard.press('Tab');
  assert.ok(await link.evaluate((one) => one === document.activeElement), 'every card can be reached');
  const ring = await link.evaluate((one) => [getComputedStyle(one).outlineStyle, getComputedStyle(one, '::after').outlineStyle]);
  assert.ok(
    ring.some((style) => style !== 'none'),
    'who reaches it sees it',
  );
  await page.keyboard.press('Enter');
  await page.waitForURL('**/loop/1');
  await page.getByRole('heading', { level: 1, name: oneRound.title }).waitFor();

  await page.keyboard.press('n');
  await page.waitForURL(/finding=/);
  await page.getByRole('toolbar', { name: 'Diff' }).getByText('1 of 2', { exact: true }).waitFor();

  await page.getByRole('tree', { name: 'Files' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('limits n');
  assert.match(page.url(), /finding=/, 'letters are off while somebody types');
  await page.keyboard.press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());

  await page.keyboard.press('1');
  await page
    .getByRole('region', { name: 'Whose turn it is' })
    .getByText(/Approved/)
    .first()
    .waitFor({ timeout: 60_000 });
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.waitForURL('**/loop/2');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.getByRole('article', { name: 'Loop 2 needs you' }).waitFor();
});
