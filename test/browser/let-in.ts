import type { Page } from 'playwright-core';

/** Waits until the app shows the project, as it does to whoever is let in. */
export async function waitUntilIn(page: Page): Promise<void> {
  await page.locator('header').waitFor();
}

/** Waits until the app says that it does not know this browser, and returns all that it says. */
export async function waitUntilOut(page: Page): Promise<string> {
  await page.getByRole('heading', { name: 'This browser is not let in yet' }).waitFor();
  return await page.locator('main').innerText();
}
