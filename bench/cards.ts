import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from '../test/browser/open-browser.ts';
import type { BuiltPackage } from './built-package.ts';
import { fillJournal, OPEN_TASKS, TASKS } from './many-tasks.ts';
import { median } from './median.ts';
import { logIn, lookAt } from './panel-browser.ts';
import type { Look } from './panel-browser.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { makeSampleProject } from './sample-project.ts';
import { serveWeb } from './served-web.ts';

const TIMES = 3;
const BUILDING = "document.querySelector('section[aria-label=Building] article')";

/** What the board costs the main thread of a browser while thousands of tasks are open. */
export async function measureCards(built: BuiltPackage): Promise<Row[]> {
  await using project = await makeSampleProject(1);
  const { root } = project.repository;
  await mkdir(join(root, '.volley'), { recursive: true });
  await fillJournal(join(root, '.volley'));
  await using web = await serveWeb(built, { cwd: root, env: project.env });
  const browser = await openBrowser();
  const state = await logIn(browser, web.address);
  const looks: Look[] = [];
  for (let turn = 0; turn < TIMES; turn += 1)
    looks.push(await lookAt(browser, { address: new URL('/', web.address).href, step: 4000, state, isThere: ALL_THERE, within: BUILDING }));
  await browser.close();
  const words = `${OPEN_TASKS.toLocaleString('en')} cards`;
  const ours = (key: keyof Look, unit: string): Pick<Row, 'ours' | 'baseline'> => ({
    ours: { value: median(looks.map((look) => look[key])), unit },
    baseline: null,
  });
  return [
    judge({
      row: `board, ${words}, all there`,
      ...ours('firstMs', 'ms'),
      budget: { of: 'ours', bound: 'at most', limit: 400 },
      note: `main-thread time from an empty page until all open ones of ${TASKS.toLocaleString('en')} tasks are counted in their column`,
    }),
    judge({
      row: `board, ${words}, longest frame`,
      ...ours('frameMs', 'ms'),
      budget: { of: 'ours', bound: 'at most', limit: 100 },
      note: 'the longest task of the main thread while scrolling the column slowly, fast and back, in time of the processor',
    }),
  ];
}

/** Runs in the page. */
const ALL_THERE = `${BUILDING} !== null && [...document.querySelectorAll('h2')].some((head) => head.innerText.replace(/\\D/g, '') === '${OPEN_TASKS}')`;
