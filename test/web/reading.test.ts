import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { ApiReply } from '../../src/api/contract.ts';
import { idempotentCharges } from '../showcase/stories/idempotent-charges.ts';
import { eventually } from '../support/scenario.ts';
import { serveShowcase } from './showcase.ts';
import type { ServedShowcase } from './showcase.ts';
import { openTab, settled } from './tab.ts';
import type { Tab } from './tab.ts';

let showcase: ServedShowcase;
let tab: Tab;
let page: Page;

before(async () => {
  showcase = await serveShowcase([idempotentCharges]);
});
after(async () => await showcase[Symbol.asyncDispose]());

/** A note between the lines of the diff. */
function note(id: string): Locator {
  return page.getByRole('article', { name: new RegExp(`^Finding ${id.replace('.', '\\.')},`) });
}

/** Whether something is on the screen, not only in the page. */
async function isInView(what: Locator): Promise<boolean> {
  const box = await what.first().boundingBox();
  const size = page.viewportSize();
  return box !== null && size !== null && box.y + Math.min(box.height, 40) > 0 && box.y < size.height;
}

async function comesIntoView(what: Locator): Promise<void> {
  await eventually('it comes into view', async () => await isInView(what));
}

function counter(): Locator {
  return page.getByRole('toolbar', { name: 'Diff' }).getByRole('group', { name: 'Findings', exact: true });
}

describe('reading a loop', () => {
  before(async () => {
    tab = await openTab(await showcase.address(), { expected: /409/ });
    ({ page } = tab);
  });
  after(async () => await tab[Symbol.asyncDispose]());

  test('the findings stand in their place, with what became of them', async () => {
    await tab.open('/loop/1?finding=2');
    await comesIntoView(note('1.2'));
    const text = (await note('1.2').innerText()).replaceAll(/\s+/g, ' ');
    assert.match(text, /High.*Logic.*Blocks.*Reopened/i);
    assert.match(text, /A crash between the charge and complete\(\) locks this key for 24 hours/);
    assert.match(text, /kill -9 after psp\.charge/, 'the evidence');
    assert.match(text, /Raised in round 1.*reopened in round 3/i);
    assert.match(text, /Before it charges, it asks the acquirer by our token/, 'what the fixer said about it');
    await page.getByText('const charge = await deps.psp.charge({').first().waitFor();
  });

  test('an address that cannot be followed is told, and the whole change is shown', async () => {
    await page.evaluate(() => {
      localStorage.removeItem('volley.last-look');
      sessionStorage.clear();
    });
    await tab.open('/loop/1?range=seen');
    await page.getByText('This browser sees this loop for the first time: the whole change is shown.').waitFor();
    await page.getByRole('toolbar', { name: 'Diff' }).getByText('the whole change').waitFor();
    assert.equal(await page.getByText('what you saw on the left').count(), 0);
    await tab.open('/loop/1?range=garbage&drawer=nonsense');
    await page.getByText('“garbage” names no part of this loop').waitFor();
    await page.getByText('There is nothing called “nonsense” to open beside the change.').waitFor();
    await tab.open('/loop/1?drawer=gates:999');
    await page.getByText('There is no run 999 of the gates.').waitFor();
  });

  test('an exact patch is shown as a diff', async () => {
    await tab.open('/loop/1?finding=10');
    await comesIntoView(note('1.10'));
    await note('1.10').getByRole('group', { name: 'Suggested patch' }).getByText('UPSERT_CLAIM_RETURNING').waitFor();
  });

  test('N and P walk through the findings, and the counter and the address follow', async () => {
    await tab.open('/loop/1');
    await counter().getByText('found').waitFor();
    const seen: string[] = [];
    for (const key of ['n', 'n', 'n', 'p']) {
      const from = page.url();
      await page.keyboard.press(key);
      await page.waitForURL((url) => url.href !== from);
      seen.push((await counter().innerText()).replaceAll(/\s+/g, ' ').trim().split(' of ')[0] ?? '');
      const number = new URL(page.url()).searchParams.get('finding');
      await comesIntoView(note(`1.${number}`));
    }
    assert.deepEqual(seen, ['1', '2', '3', '2']);
    await page.getByRole('button', { name: 'Next finding' }).click();
    await counter().getByText('3', { exact: true }).waitFor();
  });

  test('the findings can be narrowed down, and the counter counts those that are left', async () => {
    await tab.open('/loop/1');
    await page.getByRole('button', { name: 'Severity' }).click();
    await page.getByRole('menuitemcheckbox', { name: /High/ }).click();
    await page.keyboard.press('Escape');
    await counter().getByText('2 found').waitFor();
    await page.getByRole('button', { name: /High/ }).first().click();
    await page.getByRole('menuitemcheckbox', { name: /High/ }).click();
    await page.keyboard.press('Escape');
    await counter().getByText('6 found').waitFor();
  });

  test('a range between rounds shows what a fix changed, and survives a reload', async () => {
    await tab.open('/loop/1');
    await page.getByRole('button', { name: /^Showing/ }).click();
    await page.getByRole('menuitemradio', { name: /Round 2 to round 3/ }).click();
    await page.waitForURL('**/loop/1?range=round-2..round-3');
    const files = page.getByRole('tree', { name: 'Files' });
    await files.getByText('create-charge.ts').waitFor();
    await files.getByText('0042_idempotency.sql').waitFor({ state: 'detached' });
    await page.reload();
    await settled(page);
    await page.getByRole('button', { name: /round 2 to round 3/ }).waitFor();
    await files.getByText('0042_idempotency.sql').waitFor({ state: 'detached' });
  });

  test('another range may be chosen while the first one is still loading', async () => {
    const { promise: go, resolve } = Promise.withResolvers<undefined>();
    await page.route('**/api/changes/*/patch*', async (route) => {
      await go;
      await route.continue();
    });
    await tab.open('/loop/1');
    await page.getByRole('button', { name: /^Showing/ }).click();
    await page.getByRole('menuitemradio', { name: /Round 2 to round 3/ }).click();
    await page.getByRole('tree', { name: 'Files' }).getByText('0042_idempotency.sql').waitFor({ state: 'detached' });
    resolve(undefined);
    await page.getByText('await deps.idempotency.complete').first().waitFor();
    await page.unroute('**/api/changes/*/patch*');
  });

  test('until another range is there it is said that it is on its way, and not of the one before', async () => {
    const { promise: go, resolve } = Promise.withResolvers<undefined>();
    const change = /\/api\/loops\/1\/change\b.*round-1.*round-2/;
    await tab.open('/loop/1');
    await page.route(change, async (route) => {
      await go;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Showing/ }).click();
    await page.getByRole('menuitemradio', { name: /Round 1 to round 2/ }).click();
    await page.getByText('Loading round 1 to round 2…').waitFor();
    assert.equal(await page.getByText('round 1 on the left').count(), 0);
    resolve(undefined);
    await page.getByText('round 1 on the left, round 2 on the right').first().waitFor();
    await page.getByText('Loading round 1 to round 2…').waitFor({ state: 'detached' });
    await page.unroute(change);
  });

  test('a range that the server did not answer is asked for again', async () => {
    const change = /\/api\/loops\/1\/change\b.*round-2/;
    await page.route(
      change,
      async (route) => await route.fulfill({ status: 409, json: { code: 'conflict', message: 'Not now.', remedy: 'Later.' } }),
    );
    await tab.open('/loop/1?range=round-2..round-3');
    await page.getByText('Not now. Later.').waitFor();
    await page.unroute(change);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('tree', { name: 'Files' }).getByText('create-charge.ts').waitFor();
  });

  test('an address leads to a line of a file, also after a reload', async () => {
    await tab.open('/loop/1?file=src%2Fidempotency%2Fstore.ts&line=49&side=new');
    const line = page.getByText('await db.run(COMPLETE_CLAIM').first();
    await comesIntoView(line);
    await page.reload();
    await settled(page);
    await comesIntoView(line);
  });

  test('what was ticked off stays so, in the list too', async () => {
    await tab.open('/loop/1?file=migrations%2F0042_idempotency.sql');
    const box = page.getByRole('checkbox', { name: /Viewed/ });
    await box.first().waitFor();
    await page.keyboard.press('v');
    await page
      .getByText(/^1 of \d+ viewed/)
      .or(page.getByText(/of \d+ viewed/))
      .first()
      .waitFor();
    const counted = async (): Promise<string> =>
      (
        await page
          .getByText(/of \d+ viewed/)
          .first()
          .innerText()
      ).replaceAll(/\s+/g, ' ');
    await eventually('one file is viewed', async () => (await counted()).startsWith('1 of'));
    await page.reload();
    await settled(page);
    await eventually('it is still viewed', async () => (await counted()).startsWith('1 of'));
  });

  test('the search finds lines in files that are not on the screen', async () => {
    await tab.open('/loop/1');
    await page.getByText('Send `Idempotency-Key`').first().waitFor();
    await page.keyboard.press('Control+f');
    const box = page.getByRole('textbox', { name: 'Search in the diff' });
    await box.fill('fulfilled');
    await page.getByText('1 line', { exact: true }).waitFor();
    await box.press('Enter');
    await comesIntoView(page.getByText('assert.deepEqual(both.map').first());
    await page.getByText('1 of 1', { exact: true }).waitFor();
    const whitespace = page.getByRole('button', { name: 'Hide changes of spaces' });
    await whitespace.click();
    await page.getByText('1 line', { exact: true }).waitFor();
    await whitespace.click();
    await page.getByText('1 line', { exact: true }).waitFor();
    await box.press('Escape');
    await box.waitFor({ state: 'detached' });
  });

  test('changes of whitespace can be hidden, sides set beside each other, and lines around a change shown', async () => {
    await tab.open('/loop/1?file=src%2Fcharges%2Fcharge-routes.ts');
    const hidden = page.getByText('row === undefined) throw new HttpError(404');
    assert.equal(await hidden.count(), 0);
    await page.getByRole('button', { name: 'Show more lines below the code above' }).first().click();
    await hidden.first().waitFor();
    await page.getByRole('button', { name: 'Split' }).click();
    await page.locator('[data-diff-type="split"]').first().waitFor();
    await page.getByRole('button', { name: 'Unified' }).click();
    await page.locator('[data-unified]').first().waitFor();
    const whitespace = page.getByRole('button', { name: 'Hide changes of spaces' });
    await whitespace.click();
    assert.equal(await whitespace.getAttribute('aria-pressed'), 'true');
    await page.getByText('Whoever asks again is told so').first().waitFor();
    await whitespace.click();
  });

  test('proof, transcripts and the output of gates are one click away', async () => {
    await tab.open('/loop/1');
    await page.getByRole('button', { name: 'Proof' }).click();
    await page
      .getByRole('complementary', { name: /Proof/ })
      .getByText(/gemini/)
      .first()
      .waitFor();
    await tab.open('/loop/1?drawer=gates');
    await page.getByRole('complementary', { name: 'Output of the gates' }).locator('summary').filter({ hasText: 'types' }).first().click();
    await page
      .getByText(/modules load/)
      .first()
      .waitFor();
    await tab.open('/loop/1?tab=history');
    await page
      .getByRole('list', { name: 'History, newest first' })
      .getByText(/round 3/i)
      .first()
      .waitFor();
    const headers = { authorization: `Bearer ${showcase.token}` };
    const { sessions } = (await (await fetch(`${tab.origin}/api/loops/1/sessions`, { headers })).json()) as ApiReply<'listSessions'>;
    await tab.open(`/loop/1?drawer=session:${sessions[4]?.transcript ?? ''}`);
    await page.getByText('Following a claim from createCharge to complete().').waitFor();
  });

  test('beside a wide drawer the look of the diff is in a menu, and has its keys', async () => {
    await tab.open('/loop/1?drawer=gates');
    await page.setViewportSize({ width: 1280, height: 800 });
    const bar = page.getByRole('toolbar', { name: 'Diff' });
    await bar.getByRole('button', { name: 'How the diff is shown' }).click();
    await page.getByRole('menuitem', { name: 'Wrap long lines' }).click();
    await page.keyboard.press('Shift+W');
    await bar.getByRole('button', { name: 'How the diff is shown' }).click();
    await page.getByRole('menuitem', { name: 'Wrap long lines' }).waitFor();
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('a change without a loop is read the same way', async () => {
    await tab.open('/change?branch=payouts');
    await page.getByText('export async function tonight').first().waitFor();
    await page.getByRole('tree', { name: 'Files' }).getByText('schedule.ts').waitFor();
  });
});
