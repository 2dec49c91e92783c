import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop, SMOOTH } from '../support/played-loop.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import { openTab } from './tab.ts';

/** Several pages of what an agent says, in lines that break where it is narrow. */
const LINES = Array.from(
  { length: 2500 },
  (_, index) => `Line ${index} of what it said${', in so many words that the line breaks'.repeat(3)}.`,
);

async function isAtItsEnd(text: Locator): Promise<boolean> {
  return await text.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 60);
}

test('a session at work is followed to its last word, and read back to its first', { timeout: 120_000 }, async () => {
  await buildWeb();
  const goesOn = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<void>();
  await using project = await serveScenario({
    ...SMOOTH,
    author: async function* ({ cwd }) {
      yield { type: 'text', stream: 'stdout', text: `${LINES.join('\n')}\n` };
      await goesOn.promise;
      yield { type: 'text', stream: 'stdout', text: 'It goes on while somebody looks.\n' };
      await ends.promise;
      await writeFile(join(cwd, 'a.js'), 'export const a = 1;\n');
      yield { type: 'text', stream: 'stdout', text: 'The last word.\n' };
      yield fakeEnded('{}');
    },
  });
  const played = playLoop(project, 'Say much');
  await using left = new AsyncDisposableStack();
  left.defer(async () => {
    goesOn.resolve();
    ends.resolve();
    await played;
  });
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const { page } = tab;
  await tab.open('/loop/1');
  await page.getByText('This is what happens meanwhile.').waitFor();
  await page.getByRole('main').getByText('Line 2499 of what it said').waitFor();

  await page.getByRole('button', { name: 'Watch the session' }).click();
  const drawer = page.getByRole('complementary', { name: 'author, author' });
  const text = drawer.getByRole('region', { name: /^task-1-\d+-author\.log$/ });
  await text.getByText('Line 2499 of what it said').waitFor();
  const beside = page.getByRole('region', { name: /^task-1-\d+-author\.log$/ }).first();
  await eventually('the drawer did not push away the end beside it', async () => await isAtItsEnd(beside));
  assert.equal(await text.getByText('It goes on while somebody looks.').count(), 0);
  goesOn.resolve();
  await text.getByText('It goes on while somebody looks.').waitFor();
  await eventually('its end is in sight', async () => await isAtItsEnd(text));

  const begun = await text.locator('pre').first().elementHandle();
  ends.resolve();
  await played;
  await text.getByText('The last word.').waitFor();
  await text.getByRole('status').filter({ hasText: 'at work' }).waitFor({ state: 'detached' });
  await eventually('its end stays in sight', async () => await isAtItsEnd(text));

  const earlier = text.getByRole('button', { name: 'Earlier' });
  while (await earlier.isVisible()) {
    const before = await text.locator('pre').count();
    await earlier.click();
    await eventually('an earlier part comes', async () => (await text.locator('pre').count()) > before);
  }
  assert.equal(await begun?.evaluate((one) => one.isConnected), true, 'it did not begin again at its top when the session ended');
  const whole = (await text.locator('pre').allTextContents()).join('');
  assert.ok(
    whole.includes(`${LINES.join('\n')}\nIt goes on while somebody looks.\nThe last word.\n`),
    'nothing is missing, and nothing twice',
  );
});

test(
  'the drawer stays with its session when another one of the panel ends first, and tells of an old address',
  { timeout: 120_000 },
  async () => {
    await buildWeb();
    const slowEnds = Promise.withResolvers<void>();
    const quickEnds = Promise.withResolvers<void>();
    const verdict = fakeEnded(JSON.stringify({ passed: true, summary: 'All is well.' }));
    await using project = await serveScenario({
      ...SMOOTH,
      reviewer: async function* () {
        yield { type: 'text', stream: 'stdout', text: 'The slow one reads.\n' };
        await slowEnds.promise;
        yield verdict;
      },
      quick: async function* () {
        yield { type: 'text', stream: 'stdout', text: 'The quick one reads.\n' };
        await quickEnds.promise;
        yield verdict;
      },
    });
    const played = playLoop(project, 'Add numbers', { flags: { reviewer: 'reviewer,quick' } });
    await using left = new AsyncDisposableStack();
    left.defer(async () => {
      quickEnds.resolve();
      slowEnds.resolve();
      await played;
    });
    await using tab = await openTab((await project.served.addresses())[0] ?? '');
    const { page } = tab;
    await tab.open('/loop/1?tab=history');
    await page.getByRole('button', { name: 'Watch the session' }).click();
    const quick = page.getByRole('complementary', { name: 'quick, reviewer' });
    await quick.getByText('3 of 3').waitFor();
    const address = page.url();
    quickEnds.resolve();
    await quick.getByText('2 of 3').waitFor();
    await quick.getByText('The quick one reads.').waitFor();
    assert.equal(page.url(), address);
    await page.getByRole('button', { name: 'The next session' }).click();
    await page.getByRole('complementary', { name: 'reviewer, reviewer' }).getByText('The slow one reads.').waitFor();
    slowEnds.resolve();
    await played;

    await tab.open(address.slice(tab.origin.length));
    await quick.getByText('The quick one reads.').waitFor();
    await tab.open('/loop/1?drawer=session:2');
    await page.getByText('This loop has no session of the name “2”. Its history leads to every session that it has.').waitFor();
  },
);
