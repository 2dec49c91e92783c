import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Those of them that matter: no sandbox as root, no network beside what a test asks for. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real Chromium with an empty profile. */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const program = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  if (program === undefined) throw new Error('There is no chromium here; node scripts/setup.mjs --browser installs it.');
  return await chromium.launch({ executablePath: program, headless: true, args: [...FLAGS, ...flags] });
}
