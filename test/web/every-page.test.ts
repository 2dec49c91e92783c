import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { STORIES } from '../showcase/stories.ts';
import { serveShowcase } from './showcase.ts';
import type { ServedShowcase } from './showcase.ts';
import { openTab } from './tab.ts';
import type { Look, Tab } from './tab.ts';

/** The page of the loop with this title. */
function pageOf(title: string): string {
  const at = STORIES.findIndex((story) => story.title === title);
  assert.ok(at >= 0, title);
  return `/loop/${at + 1}`;
}

const ASKS = pageOf('Make charge creation idempotent');

/** Every page of the app, in every state that a loop can be in. */
const PAGES: Readonly<Record<string, string>> = {
  'the board': '/',
  'the board by run': '/?by=run',
  'a filter that finds nothing': '/?q=there-is-no-such-loop',
  'a new task': '/?new=true',
  'a loop that asks': ASKS,
  'its findings': `${ASKS}?tab=findings`,
  'its task': `${ASKS}?tab=task`,
  'its history': `${ASKS}?tab=history`,
  'one of its findings': `${ASKS}?finding=2`,
  'the step between two rounds': `${ASKS}?range=round-1..round-2`,
  'a disputed finding': pageOf('Encrypt webhook secrets at rest'),
  'a question of the fixer': pageOf('Refund retries with backoff'),
  'a ceiling': pageOf('Stream settlement exports instead of buffering'),
  'red gates': pageOf('Time-box acquirer calls at 8 s'),
  'an approval': pageOf('Strip card data from error reports'),
  'its proof': `${pageOf('Strip card data from error reports')}?drawer=proof`,
  'a loop that landed': pageOf('Typed errors for acquirer declines'),
  'a loop that failed': pageOf('Retry budget shared across workers'),
  'a loop that was cancelled': pageOf('Card numbers in the audit log'),
  'a loop that was not reviewed': pageOf('Expose authorisation expiry in the API'),
  'a review without a fixer': pageOf('Review of payouts before the freeze'),
  'a loop that is built': pageOf('Rotate webhook signing secrets without downtime'),
  'a loop under review': pageOf('Dead-letter queue for failed webhooks'),
  'a loop that is fixed': pageOf('Paginate the disputes list by cursor'),
  'a loop that waits for another': pageOf('Ledger export: cents as integers, never floats'),
  'a loop that does not exist': '/loop/4711',
  'the working tree': '/change',
  'a branch': '/change?branch=payouts',
};

let showcase: ServedShowcase;

before(async () => {
  showcase = await serveShowcase(STORIES);
});
after(async () => await showcase[Symbol.asyncDispose]());

/** A loop that nobody knows is answered by a 404, which browsers put on the console. */
const EXPECTED = /404/;

/** One browser for all pages, in which each is a test of its own. */
function onEveryPage(what: string, look: Look, check: (tab: Tab) => Promise<void>): void {
  describe(what, () => {
    let tab: Tab;
    before(async () => {
      tab = await openTab(await showcase.address(), { ...look, expected: EXPECTED });
    });
    after(async () => await tab[Symbol.asyncDispose]());
    for (const [name, path] of Object.entries(PAGES))
      test(name, async () => {
        await tab.open(path);
        await check(tab);
      });
  });
}

async function hasNoFault(tab: Tab): Promise<void> {
  assert.deepEqual(await tab.violations(), []);
}

onEveryPage('has no serious fault for people who cannot see, hear or point well, light', {}, hasNoFault);

onEveryPage('has no serious fault for people who cannot see, hear or point well, dark', { dark: true }, hasNoFault);

onEveryPage('fits on a phone: nothing has to be pushed sideways', { width: 390, height: 844, touch: true }, async (tab) => {
  assert.equal(await tab.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
  await hasNoFault(tab);
});

onEveryPage('moves nothing for people who asked for that', { still: true }, async ({ page }) => {
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .flatMap((one) =>
        one.playState === 'running' && one.effect instanceof KeyframeEffect ? [one.effect.target?.outerHTML.slice(0, 200)] : [],
      ),
  );
  assert.deepEqual(moving, []);
});
