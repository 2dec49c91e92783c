import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from '../test/browser/open-browser.ts';
import { HUGE } from '../test/showcase/stories/huge.ts';
import { STORIES } from '../test/showcase/stories.ts';
import { serveShowcase } from '../test/web/showcase.ts';
import { settled } from '../test/web/tab.ts';
import { shrinkPng } from './shrink-png.mjs';

// The pictures of the README and of docs/web.md, from real loops that scripts play. `npm run pictures` makes all of them, `npm run
// pictures -- board panel` those.

const FOLDER = join(import.meta.dirname, '..', 'docs', 'pictures');
const MOST_BYTES = 250_000;
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** Of the stories that were left in the middle so many rest there: one was cancelled, and one waits for another. */
const RESTING = 2;

const LONGEST_MS = 120_000;

const loop = (title) => `/loop/${STORIES.findIndex((story) => story.title === title) + 1}`;
const ASKS = loop('Make charge creation idempotent');

/** What is pictured: the stories that were played, the page, the screen, and what is done on it before. */
const PICTURES = {
  board: { stories: STORIES, path: '/' },
  'board-dark': { stories: STORIES, path: '/', dark: true },
  panel: { stories: STORIES, path: `${ASKS}?finding=2` },
  'panel-split': {
    stories: STORIES,
    path: `${ASKS}?file=src%2Fcharges%2Fcreate-charge.ts`,
    act: async (page) => await page.getByRole('button', { name: 'Split' }).click(),
  },
  'panel-dark': { stories: STORIES, path: `${ASKS}?finding=8`, dark: true },
  'panel-narrow': { stories: STORIES, path: `${ASKS}?tab=findings`, screen: PHONE },
  escalation: { stories: STORIES, path: loop('Encrypt webhook secrets at rest') },
  proof: { stories: STORIES, path: `${loop('Strip card data from error reports')}?drawer=proof` },
  error: { stories: STORIES, path: loop('Retry budget shared across workers') },
  huge: { stories: HUGE, path: '/loop/1' },
  empty: { stories: [], path: '/' },
};

const wanted = process.argv.slice(2);
const chosen = Object.entries(PICTURES).filter(([name]) => wanted.length === 0 || wanted.includes(name));
await mkdir(FOLDER, { recursive: true });
for (const stories of new Set(chosen.map(([, picture]) => picture.stories))) {
  await using showcase = await serveShowcase(stories, { held: true });
  await whenAtWork(showcase, stories);
  for (const [name, picture] of chosen) if (picture.stories === stories) await take(name, picture, showcase);
}

/** What a server goes on with should be at work when it is pictured. */
async function whenAtWork({ served, token }, stories) {
  const begun = stories.filter(({ until }) => until !== undefined).length;
  const end = Date.now() + LONGEST_MS;
  for (let working = 0; working < begun - RESTING;) {
    if (Date.now() > end) throw new Error(`only ${working} of ${begun - RESTING} loops are at work`);
    const answer = await fetch(`${served.url}/api/loops?limit=100`, { headers: { authorization: `Bearer ${token}` } });
    working = (await answer.json()).loops.filter(({ driven, phase }) => driven === true || (phase ?? null) !== null).length;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function take(name, { path, dark = false, screen = DESK, act }, showcase) {
  const browser = await openBrowser();
  const file = join(FOLDER, `${name}.png`);
  let picture;
  try {
    // Sharp on good screens, and as small as a page of documentation should be.
    for (const deviceScaleFactor of [2, 1.5, 1]) {
      const context = await browser.newContext({
        viewport: screen,
        deviceScaleFactor,
        colorScheme: dark ? 'dark' : 'light',
        hasTouch: screen === PHONE,
      });
      const page = await context.newPage();
      const address = await showcase.address();
      await page.goto(address);
      await settled(page);
      await page.goto(new URL(path, address).href);
      await settled(page);
      if (act !== undefined) await act(page);
      await page.evaluate(async () => await document.fonts.ready);
      // Colours of code come from a worker, and the last step of a scroll when they are there.
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await page.waitForTimeout(1500);
      picture = shrinkPng(await page.screenshot({ animations: 'disabled' }));
      await context.close();
      if (picture.length <= MOST_BYTES) break;
    }
  } finally {
    await browser.close();
  }
  await writeFile(file, picture);
  process.stdout.write(`${file} ${Math.round(picture.length / 1000)} KB\n`);
}
