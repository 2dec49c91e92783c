import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../browser/open-browser.ts';

/** How a browser looks at the app. */
export type Look = {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  readonly still?: boolean;
  readonly touch?: boolean;
};

/** A tab of a browser that was let in. When it is closed, nothing may have gone wrong in it. */
export type Tab = AsyncDisposable & {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly origin: string;
  /** What a user would find in the console, what was loaded from elsewhere, and what the rules of the page refused. */
  readonly complaints: string[];
  /** Goes to a page of the app, and waits until it shows something. */
  open(path: string): Promise<void>;
  /** What axe has to say about the page as it is now, the serious and the critical of it. */
  violations(): Promise<readonly string[]>;
};

/** What a test expects to go wrong, such as a server that is gone. */
export type Expected = { readonly expected?: RegExp };

/** Opens an address of `volley serve` in a browser of its own. A server shows the app as it was built when the server was started. */
export async function openTab(address: string, look: Look & Expected = {}): Promise<Tab> {
  const browser = await openBrowser();
  try {
    return await letIn(browser, address, look);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function letIn(browser: Browser, address: string, look: Look & Expected): Promise<Tab> {
  const { width = 1440, height = 900, dark = false, still = false, touch = false, expected } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: still ? 'reduce' : 'no-preference',
    hasTouch: touch,
  });
  const { origin } = new URL(address);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  listen(page, origin, complaints);
  await page.goto(address);
  await settled(page);
  return {
    page,
    context,
    origin,
    complaints,
    open: async (path) => {
      await page.goto(`${origin}${path}`);
      await settled(page);
    },
    violations: async () => await violations(page),
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      assert.deepEqual(
        complaints.filter((one) => expected === undefined || !expected.test(one)),
        [],
      );
    },
  };
}

/** Far more than anything takes here; only what never happens takes so long. */
const PATIENCE_MS = 20_000;

/** A page shows something once nothing on it is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main:not([aria-busy="true"])').first().waitFor();
  await page.locator('[aria-label^="Loading"]').first().waitFor({ state: 'detached' });
}

function listen(page: Page, origin: string, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin: from } = new URL(request.url());
    if (from !== origin && protocol !== 'data:' && protocol !== 'blob:') complaints.push(`loads ${request.url()}`);
  });
  page.on('popup', (popup) => complaints.push(`opens ${popup.url()}`));
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  const found = await page.evaluate(async () => {
    // What slides in is judged where it ends.
    await Promise.all(
      document
        .getAnimations()
        .map(async (one) => (one.effect?.getTiming().iterations === Infinity ? null : await one.finished.catch(() => null))),
    );
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const { violations: all } = await axe.run(document, { resultTypes: ['violations'], preload: false });
    return all.map(({ id, impact, nodes }) => ({
      id,
      impact: impact ?? '',
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 240)} ${failureSummary ?? ''}`),
    }));
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 4).map((node) => `${id}: ${node}`));
}
