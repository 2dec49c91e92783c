import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ASKING } from '../showcase/stories/asking.ts';
import { LANDED } from '../showcase/stories/landed.ts';
import { oneRound } from '../showcase/stories/one-round.ts';
import { approves, builds } from '../showcase/stories/turns.ts';
import type { StoryTurn } from '../showcase/story.ts';
import { serveShowcase } from './showcase.ts';
import { openTab } from './tab.ts';

test('who opens the address sees what needs a decision, decides on the card, and sees it approved without doing anything else', async () => {
  const [question] = ASKING;
  assert.ok(question);
  await using showcase = await serveShowcase([...LANDED.slice(0, 1), question, oneRound]);
  await using tab = await openTab(await showcase.address());
  const { page } = tab;
  assert.equal(new URL(page.url()).hash, '', 'the code is gone from the address');
  const card = page.getByRole('article', { name: 'Loop 3 needs you' });
  await card.getByText('Two findings still block after round 1.').waitFor();
  await card.getByText(oneRound.title).waitFor();
  await page.getByRole('article', { name: 'Loop 2 needs you' }).getByText('Should refunds share the charge’s key space?').waitFor();
  await page.getByRole('region', { name: 'Needs you' }).first().getByText('Refund retries with backoff').waitFor();

  await card.getByRole('button', { name: 'One more round' }).click();
  await card.waitFor({ state: 'detached' });
  const done = page.getByRole('region', { name: 'Done' });
  await done.getByText(oneRound.title).waitFor({ timeout: 60_000 });
  await done.getByText('Approved').first().waitFor();

  await done.getByRole('link', { name: oneRound.title }).click();
  await page.waitForURL('**/loop/3');
  await page.getByRole('heading', { level: 1, name: oneRound.title }).waitFor();
  await page.getByText('export function mayCharge').first().waitFor();
});

test('a browser that was not let in is told how to get in', async () => {
  await using showcase = await serveShowcase([]);
  await using tab = await openTab(showcase.served.url, { expected: /401|HTTP Authentication failed/ });
  await tab.page.getByRole('heading', { name: 'This browser is not let in yet' }).waitFor();
  // Only what is behind the # is another address, for which a browser loads nothing.
  await tab.page.goto(await showcase.address());
  await tab.page.getByRole('textbox', { name: 'What should be built' }).waitFor();
  assert.equal(new URL(tab.page.url()).hash, '', 'the code is gone from the address');
});

test('a project without a loop begins with the words of a task, and one is queued from there', async () => {
  await using showcase = await serveShowcase([]);
  await using tab = await openTab(await showcase.address());
  const field = tab.page.getByRole('textbox', { name: 'What should be built' });
  await field.fill('Sum up the day');
  assert.deepEqual(await tab.violations(), []);
  await field.press('Control+Enter');
  await tab.page.getByRole('link', { name: 'Sum up the day' }).waitFor();
});

const TURNS: readonly StoryTurn[] = [
  builds({ summary: 'Sums of a day', costUsd: 0.1, write: { 'src/day.ts': 'export const SUM = 0;\n' } }),
  approves({ round: 1, summary: 'It sums up.', costUsd: 0.1 }),
];

test('a task from the form is built and reviewed as it was promised, and nobody has to ask for the review', async () => {
  await using showcase = await serveShowcase([]);
  await writeFile(join(showcase.root, '..', 'payments-agents', 'stories', '1.json'), JSON.stringify({ turns: TURNS }));
  await using tab = await openTab(await showcase.address());
  const { page } = tab;
  const field = page.getByRole('textbox', { name: 'What should be built' });
  await field.fill('Sum up the day');
  await page.getByText(/builds it, .* reviews? it, .* answers, up to \d rounds/).waitFor();
  await page.getByText(/steps at most/).click();
  assert.doesNotMatch(
    await page
      .getByRole('listitem')
      .allInnerTexts()
      .then((all) => all.join('\n')),
    /NEW|spawn|_/,
  );
  await field.press('Control+Enter');
  const done = page.getByRole('region', { name: 'Done' });
  await done.getByText('Sum up the day').waitFor({ timeout: 60_000 });
  await done.getByText('Approved').waitFor();
});

test('who turns the review off is told that nobody reviews it, and that is what happens', async () => {
  await using showcase = await serveShowcase([]);
  await writeFile(join(showcase.root, '..', 'payments-agents', 'stories', '1.json'), JSON.stringify({ turns: TURNS }));
  await using tab = await openTab(await showcase.address(), { width: 390, touch: true });
  const { page } = tab;
  await page.getByRole('textbox', { name: 'What should be built' }).fill('Sum up the day');
  await page.getByText('Agents, rounds and ceiling').click();
  await page.getByRole('checkbox', { name: 'Review it when it is built' }).click();
  await page.getByText(/builds it, nobody reviews it until you ask for that/).waitFor();
  await page.getByText('Describe a task. An agent builds it. Nobody reviews it until you ask for that.').waitFor();
  assert.deepEqual(await tab.violations(), []);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('article', { name: 'Loop 1 needs you' }).getByText('nobody has reviewed it').first().waitFor({ timeout: 60_000 });
});
