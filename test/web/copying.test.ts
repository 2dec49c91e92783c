import { test } from 'node:test';
import { buildWeb } from '../support/built-web.ts';
import { playLoop, SMOOTH } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import { openTab } from './tab.ts';

test('where the browser does not let a page copy, it is said, with what was to be copied', async () => {
  await buildWeb();
  await using project = await serveScenario(SMOOTH);
  await playLoop(project, 'Add numbers', { drive: false });
  await using tab = await openTab((await project.served.addresses())[0] ?? '');
  const { page, origin } = tab;
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => await Promise.reject(new Error('no')) } }),
  );
  await page.getByRole('button', { name: 'Move or change #1' }).click();
  await page.getByRole('menuitem', { name: /^Copy the link/ }).click();
  await page.getByRole('alert').getByText(`This browser does not let the page copy. It is: ${origin}/loop/1`).waitFor();
});
