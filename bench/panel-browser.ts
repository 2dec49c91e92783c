import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';

/** What one look at a change cost the main thread of a browser. */
export type Look = {
  /** Until the first lines of code are there; colours follow. */
  readonly firstMs: number;
  /** The longest task while somebody scrolls: a frame cannot be shorter. */
  readonly frameMs: number;
  /** What is held after all of it, without what could be thrown away. */
  readonly heapMb: number;
};

/** Where to look, by how much a frame of a fling moves it, and as whom. */
export type Looked = {
  readonly address: string;
  readonly step: number;
  readonly state?: Cookies;
  /** Runs in the page: whether what is waited for is there; the lines of a diff where nothing is said. */
  readonly isThere?: string;
  /** Runs in the page: something within what is scrolled. */
  readonly within?: string;
};

/** What a browser keeps of somebody who is logged in. */
export type Cookies = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Uses an address that lets somebody in once. */
export async function logIn(browser: Browser, address: string): Promise<Cookies> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const letIn = page.waitForResponse((response) => response.url().includes('/api/health') && response.ok());
  await page.goto(address);
  await page.waitForURL((url) => url.hash === '');
  await letIn;
  const state = await context.storageState();
  await context.close();
  return state;
}

const WHEEL = { frames: 120, step: 120 };
const FLING_FRAMES = 60;

/** Opens a page in a new browser profile, waits for what it is about, and scrolls it: slowly, then fast, then back. */
export async function lookAt(browser: Browser, looked: Looked): Promise<Look> {
  const { address, step, state, isThere = HAS_LINES, within = A_FILE } = looked;
  // The page lets nobody evaluate text, not even us.
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    bypassCSP: true,
    ...(state === undefined ? {} : { storageState: state }),
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const metric = async (name: string): Promise<number> =>
    (await cdp.send('Performance.getMetrics')).metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(isThere, null, { polling: 100 });
  const firstMs = (await metric('TaskDuration')) * 1000;
  await page.waitForTimeout(1500);
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await scroll(page, within, WHEEL);
  await scroll(page, within, { frames: FLING_FRAMES, step });
  await scroll(page, within, { frames: FLING_FRAMES, step: -step });
  const frameMs = longestTask(await browser.stopTracing());
  await cdp.send('HeapProfiler.collectGarbage');
  const heapMb = (await metric('JSHeapUsedSize')) / 1e6;
  await context.close();
  return { firstMs, frameMs, heapMb };
}

/** Runs in the page: what stands in the place of lines until they come has no text. */
const HAS_LINES = `[...document.querySelectorAll('diffs-container')].some((file) =>
  [...(file.shadowRoot?.querySelectorAll('[data-line]') ?? [])].some((line) => line.textContent.trim() !== ''))`;

const A_FILE = "document.querySelector('diffs-container')";

async function scroll(page: Page, within: string, by: { readonly frames: number; readonly step: number }): Promise<void> {
  await page.evaluate(`(async ({ frames, step }) => {
    let root = ${within};
    while (root !== null && root.scrollHeight <= root.clientHeight + 1) root = root.parentElement;
    for (let n = 0; n < frames; n += 1) {
      root.scrollTop += step;
      await new Promise(requestAnimationFrame);
    }
  })(${JSON.stringify(by)})`);
}

const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.object({ name: z.string().optional() }).optional(),
    }),
  ),
});

/** In time of the processor, so that other programs do not count. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = Trace.parse(JSON.parse(trace.toString('utf8')));
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = traceEvents.filter(({ pid, tid, tdur }) => tdur !== undefined && mains.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('the trace has no task of the main thread');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}
