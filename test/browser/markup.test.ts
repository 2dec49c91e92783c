import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from './open-browser.ts';
import { buildWeb } from '../support/built-web.ts';
import { serveScenario } from '../support/served.ts';

// T16 of the threats: what others wrote is shown as text, in a browser that would run it.

const PAYLOADS = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '"><iframe srcdoc="<script>alert(1)</script>">',
  '[a](javascript:alert(1)) <javascript:alert(1)>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '```mermaid\ngraph TD; A-->B; click A "javascript:alert(1)"\n```',
  '{{constructor.constructor("alert(1)")()}}',
  '</title></style></textarea><script>alert(1)</script>',
  'access\u202e\u2066level\u2069',
];

test('titles with markup are shown as they are written, run nothing and load nothing', async () => {
  await buildWeb();
  await using project = await serveScenario({ author: () => [] });
  for (const text of PAYLOADS) assert.equal((await project.ask('POST', '/api/tasks', { body: { text } })).status, 201);
  const browser = await openBrowser();
  // All cards at once: those out of sight are not in the page.
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 4000 } })).newPage();
  const complaints: string[] = [];
  page.on('dialog', (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto((await project.served.addresses())[0] ?? '');
  const titles = PAYLOADS.map((text) => text.split('\n')[0]?.replace(/[\u202a-\u202e\u2066-\u2069]/g, named) ?? '');
  await page
    .locator('h3, h2, a')
    .filter({ hasText: PAYLOADS[0] ?? '' })
    .first()
    .waitFor();
  for (const title of titles) assert.ok((await page.locator('main').textContent())?.includes(title), title);
  assert.equal(await page.locator('main').locator('script, img, iframe, details, style, [onerror], [onload], [ontoggle]').count(), 0);
  assert.equal(await page.locator('a[href^="javascript:"], a[href^="data:"]').count(), 0);
  const key = await page.evaluate(() => localStorage.getItem('volley-page'));
  await page.setExtraHTTPHeaders({ 'x-volley-page': key ?? '' });
  for (const path of ['/api/loops', '/api/loops/1', '/api/docs', '/api/%3Cscript%3Ealert(1)%3C/script%3E']) {
    await page.goto(`${project.served.url}${path}`);
    assert.equal(await page.evaluate(() => document.querySelectorAll('img, iframe, svg, details[ontoggle]').length), 0, path);
  }
  assert.deepEqual(
    complaints.filter((one) => !one.includes('404')),
    [],
  );
  await browser.close();
});

function named(char: string): string {
  return `U+${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
