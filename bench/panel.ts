import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../test/browser/open-browser.ts';
import { makeRepository } from '../test/support/repository.ts';
import type { Files, TestRepository } from '../test/support/repository.ts';
import { startBareViewer } from './bare-viewer.ts';
import type { BuiltPackage } from './built-package.ts';
import { median } from './median.ts';
import { logIn, lookAt } from './panel-browser.ts';
import type { Look, Looked } from './panel-browser.ts';
import { longFile, wideFiles } from './panel-changes.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { serveWeb, WEB } from './served-web.ts';
import { shellBytes } from './shell-size.ts';

const TIMES = 3;

/** The changes that are looked at, and by how much a frame of a fling moves them. */
const CHANGES = [
  { name: 'wide', words: '1,500 files, 150,000 lines', filesOf: wideFiles, step: 4000 },
  { name: 'long', words: 'one file of 30,000 lines', filesOf: longFile, step: 1500 },
] as const;

/** What the panel costs the main thread of a browser, beside the diff library alone with the same change. */
export async function measurePanel(built: BuiltPackage): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, words, filesOf, step } of CHANGES) {
    await using repository = await makeChange(filesOf);
    const patch = await repository.git('diff', '--no-color', '--src-prefix=a/', '--dst-prefix=b/', 'HEAD~1', 'HEAD');
    await using bare = await startBareViewer({ [name]: `${patch}\n` });
    await using panel = await serveWeb(built, { cwd: repository.root, env: envOf(repository) });
    const browser = await openBrowser();
    const state = await logIn(browser, panel.address);
    const [ours, theirs] = await lookInTurn(browser, [
      { address: new URL('/change?range=HEAD~1..HEAD', panel.address).href, step, state },
      { address: bare.addressOf(name), step },
    ]);
    await browser.close();
    rows.push(...rowsOf(words, ours, theirs));
  }
  return [...rows, shellRow(await shellBytes(WEB))];
}

async function makeChange(filesOf: (side: 'old' | 'new') => Files): Promise<TestRepository> {
  const repository = await makeRepository({ files: filesOf('old') });
  await repository.commit('edit', filesOf('new'));
  return repository;
}

function envOf({ beside }: TestRepository): Readonly<Record<string, string | undefined>> {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], XDG_STATE_HOME: join(beside, 'state') };
}

/** Looks at both by turns, so that whatever else the machine does meets both; the medians. */
async function lookInTurn(browser: Browser, places: readonly Looked[]): Promise<readonly Look[]> {
  const looks = places.map((): Look[] => []);
  for (let turn = 0; turn < TIMES; turn += 1)
    for (const [index, place] of places.entries()) looks[index]?.push(await lookAt(browser, place));
  return looks.map((all) => ({
    firstMs: median(all.map(({ firstMs }) => firstMs)),
    frameMs: median(all.map(({ frameMs }) => frameMs)),
    heapMb: median(all.map(({ heapMb }) => heapMb)),
  }));
}

function rowsOf(words: string, ours: Look | undefined, theirs: Look | undefined): Row[] {
  if (ours === undefined || theirs === undefined) return [];
  const pair = (key: keyof Look, unit: string): Pick<Row, 'ours' | 'baseline'> => ({
    ours: { value: ours[key], unit },
    baseline: { value: theirs[key], unit },
  });
  return [
    judge({
      row: `panel, first paint, ${words}`,
      ...pair('firstMs', 'ms'),
      budget: { of: 'ours', bound: 'at most', limit: 400 },
      note: 'main-thread time until the first lines of code are there, from an empty page; against a page of @pierre/diffs alone with the whole patch',
    }),
    judge({
      row: `panel, longest frame, ${words}`,
      ...pair('frameMs', 'ms'),
      budget: { of: 'ours', bound: 'at most', limit: 100 },
      note: 'the longest task of the main thread while scrolling slowly, fast and back, in time of the processor',
    }),
    judge({
      row: `panel, heap, ${words}`,
      ...pair('heapMb', 'MB'),
      budget: { of: 'ours', bound: 'at most', limit: 64 },
      note: 'what the page holds after that, of JavaScript; ours has the app in it',
    }),
  ];
}

function shellRow(bytes: number): Row {
  return judge({
    row: 'web app, shell',
    ours: { value: bytes / 1024, unit: 'KB' },
    baseline: null,
    budget: { of: 'ours', bound: 'at most', limit: 230 },
    note: 'the page, its style and all that its program and the board import, gzipped; what comes later is not counted',
  });
}
