import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { runTask, reviewing, writing } from '../support/served-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openTab } from './tab.ts';

const LINES = Array.from({ length: 60 }, (_none, at) => `export const value${at + 1} = ${at + 1};`);

/** The first round: all that a note shows, and what an agent writes that means no good. */
const FIRST = {
  passed: false,
  evidence: [{ claim: 'Value 20 is wrong at src/values.ts:20', command: 'node check.js', output: 'expected 21' }],
  issues: [
    {
      severity: 'high',
      category: 'logic',
      file: 'src/values.ts',
      line: 20,
      description: 'Value 20 is wrong. It should be `21`, as **all** others.',
      impact: 'Sums are off by one.',
      suggestion: 'Write 21.',
      patch: '@@ -20,1 +20,1 @@\n-export const value20 = 20;\n+export const value20 = 21;\n',
    },
    {
      severity: 'medium',
      category: 'security',
      file: 'src/values.ts',
      line: 5,
      description:
        'Hostile \u202etext\u202c. <img src=x onerror=alert(1)> ![seen](https://evil.example/p.png) [click](javascript:alert(1)) [docs](https://evil.example/docs) <script>alert(1)</script>',
    },
    { severity: 'suggestion', category: 'style', file: 'src/values.ts', line: 40, description: 'A shorter name would do.' },
  ],
};

/** The second: one is gone, one is raised again, and one was not seen before. */
const SECOND = {
  passed: false,
  issues: [
    FIRST.issues[1],
    { severity: 'high', category: 'testing', file: 'src/more.ts', line: 1, description: 'Nothing tests this file.' },
  ],
};

let project: ServedProject;
let address: () => Promise<string>;

before(async () => {
  const more = { 'src/more.ts': 'export const more = 1;\n' };
  project = await serveScenario({
    author: writing({ 'src/values.ts': `${LINES.join('\n')}\n`, ...more }),
    reviewer: reviewing(FIRST, SECOND),
    fixer: writing({ 'src/values.ts': `// Values.\n${LINES.join('\n').replace('value20 = 20', 'value20 = 21')}\n` }),
  });
  address = async () => (await project.served.addresses())[0] ?? '';
  const loop = await runTask(project);
  assert.ok(loop.rounds.length >= 2, JSON.stringify(loop.rounds));
});
after(async () => await project[Symbol.asyncDispose]());

function note(page: Page, words: string): Locator {
  return page.getByRole('article', { name: words });
}

/** Keys walk through findings once they are there. */
async function counted(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: 'Diff' }).getByText('3 found').waitFor();
}

describe('findings', () => {
  test('stand at their lines with all that is known of them', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1?finding=2');
    const shown = note(tab.page, 'Hostile');
    await shown.waitFor();
    const text = await shown.innerText();
    for (const words of ['Medium', 'Security', 'Blocks', 'Persists', 'reviewer', 'Raised in round 1'])
      assert.ok(text.includes(words), `${words} in ${text}`);
  });

  test('that moved say where they were, and nits are a line', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1');
    const { page } = tab;
    await counted(page);
    await page.keyboard.press('p');
    await note(page, 'A shorter name would do').getByText('moved from 40').waitFor();
    await page.getByRole('button', { name: 'Hide the finding: A shorter name' }).waitFor();
  });

  test('are walked through by keys, and told to those who do not see them', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1');
    const { page } = tab;
    const told = page.getByRole('group', { name: 'Findings' }).locator('[aria-live]');
    await counted(page);
    await page.keyboard.press('n');
    await told.filter({ hasText: 'Finding 1 of 3, high, Nothing tests this file' }).waitFor({ state: 'attached' });
    await page.keyboard.press('n');
    await told.filter({ hasText: 'Finding 2 of 3, medium, Hostile' }).waitFor({ state: 'attached' });
    await note(page, 'Hostile').and(page.locator('[aria-current="true"]')).waitFor();
    await page.keyboard.press('p');
    await page.waitForURL(/finding=4/);
    await page.keyboard.press('p');
    await told.filter({ hasText: 'Finding 3 of 3, suggestion' }).waitFor({ state: 'attached' });
  });

  test('are a list that can be read without the diff', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1?tab=findings');
    const { page } = tab;
    const rows = page.locator('[data-finding-row]');
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    assert.match((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) ?? '', /^Read here: Hostile/);
    await page.keyboard.press('Enter');
    await page.getByRole('tabpanel').getByRole('article', { name: 'Hostile' }).waitFor();
  });

  test('are shown as the filter says, and what is settled only among all', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1?tab=findings');
    const { page } = tab;
    const rows = page.locator('[data-finding-row]');
    await rows.first().waitFor();
    assert.equal(await rows.count(), 3);
    await page.getByRole('button', { name: 'All 4' }).click();
    assert.equal(await rows.count(), 4);
    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Medium' }).click();
    await page.keyboard.press('Escape');
    assert.equal(await rows.count(), 1);
    await page.getByRole('button', { name: 'Open 3' }).click();
    await page.getByRole('button', { name: 'Clear' }).click();
    assert.equal(await rows.count(), 3);
  });

  test('that are settled are a line that opens to what was run and to the patch', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1?finding=1');
    const shown = note(tab.page, 'Value 20 is wrong');
    // What was run is asked for when the note is there.
    await shown.getByText('$ node check.js').waitFor();
    const text = await shown.innerText();
    for (const words of [
      '$ node check.js',
      'expected 21',
      'Sums are off by one.',
      'Suggested patch',
      'export const value20 = 21;',
      'Fixed',
      'fixed in',
    ])
      assert.ok(text.includes(words), `${words} in ${text}`);
    await tab.page.getByRole('button', { name: 'Hide the finding: Value 20 is wrong' }).click();
    await shown.waitFor({ state: 'detached' });
  });

  test('run nothing, load nothing, and say where their links go', async () => {
    await using tab = await openTab(await address());
    await tab.open('/loop/1?finding=2');
    const shown = note(tab.page, 'Hostile');
    await shown.locator('a').first().waitFor();
    const text = await shown.innerText();
    for (const words of [
      'U+202E',
      '<img src=x onerror=alert(1)>',
      '<script>alert(1)</script>',
      'seen (https://evil.example/p.png)',
      'click (javascript:alert(1))',
      'docs (evil.example)',
    ])
      assert.ok(text.includes(words), `${words} in ${text}`);
    assert.equal(await shown.locator('img, script, iframe, [onerror], a:not([href^="https://"])').count(), 0);
    assert.equal(await shown.locator('a').getAttribute('rel'), 'noreferrer noopener');
  });

  test('open in their list on a phone', async () => {
    await using tab = await openTab(await address(), { width: 390, height: 844, touch: true });
    await tab.open('/loop/1?tab=findings');
    const { page } = tab;
    await page.locator('[data-finding-row]').filter({ hasText: 'Hostile' }).tap();
    await note(page, 'Hostile').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  });
});
