import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openTab } from './tab.ts';
import type { Tab } from './tab.ts';

const FILES = 9;

let project: ServedProject;
let tab: Tab;
let page: Page;

before(async () => {
  await buildWeb();
  project = await serveScenario({ author: () => [fakeEnded('{}')] });
  const { repository } = project.scenario;
  const files = (value: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`f${n}.ts`, `const a = ${value};\nconst b = ${n};\n`]));
  await repository.commit('old', files(1));
  await repository.git('tag', 'walk-old');
  await repository.commit('new', files(2));
  await repository.git('tag', 'walk-new');
  tab = await openTab((await project.served.addresses())[0] ?? '', { height: 600 });
  ({ page } = tab);
});
after(async () => {
  await tab[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function isAt(name: string): Promise<void> {
  await page.locator('[aria-current="true"]', { has: page.getByRole('button', { name: new RegExp(`(?:Fold|Open) ${name}$`) }) }).waitFor();
}

async function viewed(): Promise<number> {
  return await page.getByRole('checkbox', { name: 'Viewed', checked: true }).count();
}

test('one key leads to every file, also to those that never get to the top of the screen, and back', async () => {
  await tab.open('/change?range=walk-old..walk-new&file=f0.ts');
  await isAt('f0.ts');
  for (let n = 1; n < FILES; n += 1) {
    await page.keyboard.press(']');
    await isAt(`f${n}.ts`);
  }
  await page.keyboard.press('[');
  await isAt(`f${FILES - 2}.ts`);
});

test('one key ticks off file after file to the last, and takes no tick back', async () => {
  await tab.open('/change?range=walk-old..walk-new&file=f0.ts');
  await isAt('f0.ts');
  for (let n = 0; n < FILES; n += 1) {
    await page.keyboard.press('v');
    await isAt(`f${Math.min(n + 1, FILES - 1)}.ts`);
  }
  assert.equal(await viewed(), FILES);
  await page.keyboard.press('v');
  await page.keyboard.press('v');
  assert.equal(await viewed(), FILES);
});

test('whoever ticked a file with the mouse goes on with the keys', async () => {
  await tab.open('/change?range=walk-old..walk-new&file=f2.ts');
  await isAt('f2.ts');
  await page.locator('label', { hasText: 'Viewed' }).nth(2).click();
  assert.equal(await viewed(), FILES - 1);
  await page.keyboard.press(']');
  await isAt('f3.ts');
});
