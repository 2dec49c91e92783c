import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { STORIES } from '../showcase/stories.ts';
import { serveShowcase } from './showcase.ts';
import type { ServedShowcase } from './showcase.ts';
import { openTab } from './tab.ts';

const TITLE = 'Make charge creation idempotent';

let showcase: ServedShowcase;

before(async () => {
  showcase = await serveShowcase(STORIES.filter(({ title }) => title === TITLE));
});
after(async () => await showcase[Symbol.asyncDispose]());

/** Asks the server as a program does. */
async function ask(path: string, asked: { readonly method?: string; readonly body?: string } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${showcase.token}`, 'content-type': 'application/json' };
  return await fetch(`${showcase.served.url}/api/loops/1/${path}`, { ...asked, headers });
}

/** Says something about the first file, as a finding that has to be answered. */
async function comment(text: string): Promise<void> {
  const body = JSON.stringify({ text, file: 'src/charges/create-charge.ts', line: 3, asks: true });
  assert.equal((await ask('comments', { method: 'POST', body })).status, 201);
}

/** How far down the diff is, whichever of its parts scrolls. */
async function scrollTop(page: Page): Promise<number> {
  return await page.evaluate(() =>
    Math.max(...[...document.querySelectorAll('[data-diff-scroller] *')].map((element) => element.scrollTop)),
  );
}

type Told = { readonly id: string; readonly line: number | null; readonly file: string | null; readonly history: readonly Step[] };
type Step = { readonly what: string; readonly line: number | null; readonly commit: string | null };

/** What the server says of the loop. */
async function told<T>(path: string): Promise<T> {
  const answer = await ask(path);
  assert.equal(answer.status, 200);
  return (await answer.json()) as T;
}

describe('the panel of a loop', () => {
  test('says whose turn it is and what is asked, with its answers', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.open('/loop/1');
    const turn = tab.page.getByRole('region', { name: 'Needs you' });
    await turn.getByText('Max rounds reached — needs human review').waitFor();
    await turn.getByRole('button', { name: /One more round/ }).waitFor();
    await tab.page.getByText('82 % of the ceiling').waitFor();
  });

  test('a round shows what it reviewed, and the way back leads to the whole change', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.open('/loop/1');
    await tab.page.getByRole('button', { name: /^Round 1 of 3/ }).click();
    await tab.page.getByText('the change up to round 1', { exact: true }).waitFor();
    assert.equal(new URL(tab.page.url()).searchParams.get('range'), 'base..round-1');
    await tab.page.getByRole('button', { name: /^Round 2 of 3/ }).click({ modifiers: ['Shift'] });
    await tab.page.getByText('round 1 to round 2', { exact: true }).waitFor();
    await tab.page.goBack();
    await tab.page.goBack();
    await tab.page.getByText('the whole change').waitFor();
  });

  test('files are found and opened by keys alone', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.open('/loop/1');
    await tab.page.getByRole('treeitem', { name: /store\.ts/ }).waitFor();
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.type('idempotency store');
    await tab.page.keyboard.press('Enter');
    await tab.page.waitForURL(/file=src%2Fidempotency%2Fstore\.ts/);
    const tree = tab.page.getByRole('tree', { name: 'Files' });
    await tree.focus();
    await tab.page.keyboard.press('Home');
    await tab.page.getByRole('treeitem', { expanded: true }).first().waitFor();
  });

  test('a link to a finding leads to it, with everything else folded away', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.open('/loop/1?finding=2');
    await tab.page
      .getByRole('article', { name: /locks this key/ })
      .first()
      .waitFor();
    assert.ok((await scrollTop(tab.page)) > 0);
    await tab.page.getByRole('button', { name: 'Show the rounds again' }).click();
    await tab.page.getByRole('button', { name: /^Round 3 of 3/ }).waitFor();
  });

  test('the proof lies open beside the diff, and is checked again', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.open('/loop/1?drawer=proof');
    const proof = tab.page.getByRole('complementary', { name: 'Proof · round 3' });
    await proof.getByText('tree unchanged').waitFor();
    await proof.getByRole('button', { name: 'Verify again' }).click();
    await proof.getByRole('button', { name: 'Once more' }).waitFor();
    await tab.page.keyboard.press('Escape');
    await proof.waitFor({ state: 'detached' });
  });

  test('what comes while somebody reads is offered, and moves nothing', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.open('/loop/1?file=src%2Fidempotency%2Fstore.ts');
    await tab.page.getByRole('treeitem', { name: /store\.ts/ }).waitFor();
    await tab.page.waitForTimeout(1000);
    const start = await scrollTop(tab.page);
    assert.ok(start > 0);
    await comment('Who reads this header elsewhere?');
    const offer = tab.page.getByRole('button', { name: 'Show 1 new finding' });
    await offer.waitFor();
    assert.equal(await scrollTop(tab.page), start);
    await offer.click();
    await offer.waitFor({ state: 'detached' });
  });

  test('an earlier round shows its findings where they were then, and counts those that came later', async () => {
    const { findings } = await told<{ findings: Told[] }>('findings?history=true&limit=100');
    const { rounds } = await told<{ rounds: { head: { commit: string } }[] }>('rounds?limit=100');
    const commit = rounds[0]?.head.commit;
    const raised = findings.map(({ id, history }) => ({ id, step: history.find((step) => step.commit === commit) }));
    const then = raised.flatMap(({ id, step }) => (step?.line == null ? [] : [{ id, line: step.line }]));
    const moved = then.find(({ id, line }) => findings.some((finding) => finding.id === id && finding.line !== line));
    const later = raised.filter(({ step }) => step === undefined).length;
    assert.ok(moved !== undefined && later > 0);
    await using tab = await openTab(await showcase.address());
    await tab.open(`/loop/1?range=base..round-1&finding=${moved.id.slice(2)}`);
    await tab.page.getByText(`${later} findings were raised later`).waitFor();
    const note = tab.page.locator('[slot]', { has: tab.page.locator(`[data-finding="${moved.id}"]`) }).last();
    assert.match((await note.getAttribute('slot')) ?? '', new RegExp(`\\b${moved.line}\\b`));
    await tab.page.getByRole('button', { name: `All ${findings.length - later}`, exact: true }).waitFor();
    await tab.page.getByRole('button', { name: 'Show the whole change' }).click();
    await tab.page.getByRole('button', { name: `All ${findings.length}`, exact: true }).waitFor();
  });

  test('the same file or finding is led to a second time', async () => {
    await using tab = await openTab(await showcase.address());
    const { page } = tab;
    const leads = async (link: Locator): Promise<void> => {
      await link.click();
      await page.waitForTimeout(700);
      assert.ok((await scrollTop(page)) > 0);
    };
    for (const [path, link] of [
      ['/loop/1?tab=findings', page.locator('[data-finding-row]').last()],
      ['/loop/1', page.getByRole('treeitem', { name: /store\.ts/ })],
    ] as const) {
      await tab.open(path);
      await leads(link);
      await page.locator('[data-diff-scroller]').hover();
      await page.mouse.wheel(0, -20_000);
      await page.waitForTimeout(300);
      assert.equal(await scrollTop(page), 0);
      await leads(link);
    }
    await page.goBack();
    await page.waitForTimeout(500);
    assert.equal(await scrollTop(page), 0);
  });

  test('a link to a finding waits for findings that come late, and says which one there is not', async () => {
    await using tab = await openTab(await showcase.address());
    await tab.page.route('**/api/loops/1/findings**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue();
    });
    await tab.open('/loop/1?finding=2');
    await tab.page
      .getByRole('article', { name: /locks this key/ })
      .first()
      .waitFor();
    await tab.page.waitForTimeout(500);
    assert.ok((await scrollTop(tab.page)) > 0);
    await tab.page.unrouteAll({ behavior: 'ignoreErrors' });
    await tab.open('/loop/1?finding=99');
    await tab.page.getByText('There is no finding 1.99').waitFor();
  });
});
