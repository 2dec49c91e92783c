import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { commentOnLoop, decideLoop } from '../../src/app.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { Play, ServedProject } from '../support/served.ts';
import { openTab, settled } from './tab.ts';
import type { Tab } from './tab.ts';

const FOUND =
  'A key that `settleCharges` reads twice is charged twice, because `chargeOnce` forgets it before the acquirer has answered and nobody else keeps it. More of it.';

const author: Play = async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
  await writeFile(join(cwd, 'charge.js'), 'export const charge = 1;\n');
  yield fakeEnded('{}');
};

const reviewer: Play = () => [
  fakeEnded(
    JSON.stringify({
      passed: false,
      summary: 'No.',
      issues: [{ file: 'charge.js', line: 1, severity: 'high', category: 'logic', description: FOUND }],
    }),
  ),
];

const fixer: Play = ({ subject }: AgentInput) => [
  fakeEnded(
    JSON.stringify({ resolutions: subject.findings.map(({ id }) => ({ findingId: id, status: 'disputed', note: 'It is not so.' })) }),
  ),
];

/** A loop whose fixer disputes the one finding, on a board in a browser. */
async function disputed(project: ServedProject, look: Parameters<typeof openTab>[1] = {}): Promise<Tab> {
  const loop = await playLoop(project, 'Charge once');
  assert.equal(loop.escalation?.reason, 'disputed');
  return await openTab((await project.served.addresses())[0] ?? '', look);
}

async function secondTab({ context, origin }: Tab): Promise<Page> {
  const page = await context.newPage();
  await page.goto(origin);
  await settled(page);
  return page;
}

test('the findings that a decision is about can be read on a phone, with their code as code', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  await using tab = await disputed(project, { width: 390, height: 844, touch: true });
  const { page } = tab;
  await page.getByRole('button', { name: 'Refute…' }).click();
  const dialog = page.getByRole('dialog');
  const finding = dialog.getByRole('listitem').filter({ hasText: 'A key that' });
  await finding.getByText('settleCharges', { exact: true }).waitFor();
  assert.equal(await finding.locator('code').first().innerText(), 'settleCharges');
  assert.doesNotMatch(await finding.innerText(), /`/);
  const [room, words, lines] = await finding.evaluate((row) => {
    const text = row.lastElementChild;
    if (!(text instanceof HTMLElement)) throw new Error('it has no words');
    return [
      row.getBoundingClientRect().right,
      text.getBoundingClientRect().right,
      text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight),
    ];
  });
  assert.ok(words <= room && room <= 390, `the words end at ${words}, their row at ${room}`);
  assert.equal(Math.round(lines), 2);
  assert.deepEqual(await tab.violations(), []);
});

test('a dialog says that the loop moved on meanwhile, and offers nothing that is not asked any more', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  await using tab = await disputed(project);
  const { page } = tab;
  await page.getByRole('button', { name: 'Refute…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('It is kept elsewhere.');
  const other = await secondTab(tab);
  await other.getByRole('button', { name: 'Uphold' }).click();
  await dialog.getByRole('alert').getByText('It moved on since you looked at it.').waitFor();
  await dialog.getByText('What you chose is not asked any more.').waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Refute them' }).count(), 0);
  assert.doesNotMatch(await dialog.innerText(), /\bseq\b/);
  assert.deepEqual(await tab.violations(), []);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('whoever has seen that the loop moved on goes on with the same where it is still offered', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  await using tab = await disputed(project);
  const { page } = tab;
  const card = page.getByRole('article', { name: 'Loop 1 needs you' });
  await card.hover();
  await card.getByRole('button', { name: 'Move or change #1' }).click();
  await page.getByRole('menuitem', { name: /^Cancel/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('Not needed.');
  const other = await secondTab(tab);
  await other.getByRole('button', { name: 'Uphold' }).click();
  await dialog.getByRole('button', { name: 'Go on with it as it is now' }).click();
  assert.equal(await dialog.getByLabel('Reason').inputValue(), 'Not needed.');
  await dialog.getByRole('button', { name: 'Cancel the loop' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await project.app.load(1)).ending?.state, 'cancelled');
});

test('a decision that the server did not take because the loop moved on says so in the dialog, and can be made again', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  await using tab = await disputed(project, { expected: /409|ERR_FAILED/ });
  const { page } = tab;
  const card = page.getByRole('article', { name: 'Loop 1 needs you' });
  await card.hover();
  await card.getByRole('button', { name: 'Move or change #1' }).click();
  await page.getByRole('menuitem', { name: /^Cancel/ }).click();
  const dialog = page.getByRole('dialog');
  // What happens elsewhere is not heard before the decision is on its way.
  await page.route('**/api/loops?*', async (route) => await route.abort());
  await decideLoop(project.app.engine, 1, { choice: 'uphold', by: 'Ada', reason: null, agent: null, ceilingUsd: null });
  await project.app.drive([1], new AbortController().signal);
  assert.equal((await project.app.load(1)).state, 'needs_human');
  await dialog.getByRole('button', { name: 'Cancel the loop' }).click();
  await dialog.getByRole('alert').getByText('It moved on since you looked at it.').waitFor();
  assert.equal(await page.getByText(/\bseq\b|Refused/).count(), 0);
  assert.equal(
    await dialog.getByRole('button', { name: 'Go on with it as it is now' }).count(),
    0,
    'nobody goes on with what was not seen',
  );
  await page.unroute('**/api/loops?*');
  await commentOnLoop(project.app.engine, 1, { by: 'Ada', file: null, line: null, text: 'It goes on.', asks: false });
  await dialog.getByRole('button', { name: 'Go on with it as it is now' }).click();
  await dialog.getByRole('button', { name: 'Cancel the loop' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await project.app.load(1)).ending?.state, 'cancelled');
});

test('a decision that is on its way is not left or taken back, and the dialog says that it is being sent', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  await using tab = await disputed(project);
  const { page } = tab;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/decisions', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Refute…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Refute them' }).click();
  assert.ok(await dialog.getByRole('button', { name: 'Sending…' }).isDisabled());
  assert.ok(await dialog.getByRole('button', { name: 'Keep them' }).isDisabled());
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  assert.equal(await dialog.count(), 1);
  release();
  await dialog.waitFor({ state: 'detached' });
  assert.equal((await project.app.load(1)).escalation, null);
});
