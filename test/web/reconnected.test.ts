import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { buildWeb } from '../support/built-web.ts';
import { answers, APPROVED, makeScenario, turns } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openTab } from './tab.ts';

const FILES = 60;

async function killed(server: ServerProcess): Promise<void> {
  const gone = once(server.process, 'exit');
  server.process.kill('SIGKILL');
  await gone;
}

test('what failed while the server was gone comes by itself once it is back', async () => {
  await buildWeb();
  await using scenario = await makeScenario({ agents: {} });
  const { repository } = scenario;
  const files = (value: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: FILES }, (_, n) => [`f${n + 100}.ts`, `const old = ${n};\n`.repeat(20) + `const a = ${value};\n`]),
    );
  await repository.commit('old', files(1));
  await repository.git('tag', 'there-old');
  await repository.commit('new', files(2));
  await repository.git('tag', 'there-new');
  let server = await startServer(scenario, ['--no-work']);
  const { port } = new URL(server.url);
  const back = async (): Promise<ServerProcess> => await startServer(scenario, ['--no-work', '--port', port]);
  const { stdout } = await scenario.volley(['serve']);
  const address = /http:\S+#code=\S+/.exec(stdout)?.[0] ?? '';
  await using tab = await openTab(address, { expected: /ERR_CONNECTION_REFUSED|WebSocket connection|Failed to load resource/ });
  const { page } = tab;
  const file = (name: string): Locator =>
    page.locator('diffs-container').filter({ has: page.getByRole('button', { name: new RegExp(`(?:Fold|Open) ${name}$`) }) });
  const added = (name: string): Locator => file(name).locator('[data-line]', { hasText: 'const a = 2;' });
  await tab.open('/change?range=there-old..there-new');
  await added('f100.ts').waitFor();

  await killed(server);
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor();
  await page.mouse.move(900, 500);
  await page.mouse.wheel(0, 100_000);
  await file('f159.ts').getByText('The server does not answer.').waitFor();
  server = await back();
  await added('f159.ts').waitFor();

  await killed(server);
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor();
  await page.keyboard.press('w');
  await page.getByText('The server does not answer.').first().waitFor();
  server = await back();
  await page.getByText('The server does not answer.').first().waitFor({ state: 'detached' });
  await added('f159.ts').or(added('f100.ts')).first().waitFor();
  await killed(server);
});

test('a session that was opened while the server was gone comes once it is back, or when it is asked for again', async () => {
  await buildWeb();
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'a.js': 'export const a = 1;\n' }, print: 'It says much.\n'.repeat(8000) }),
      reviewer: answers(APPROVED),
    },
  });
  await scenario.volley(['run', 'Write a']);
  const server = await startServer(scenario, ['--no-work']);
  const { port } = new URL(server.url);
  const { stdout } = await scenario.volley(['serve']);
  const address = /http:\S+#code=\S+/.exec(stdout)?.[0] ?? '';
  // What colours the code may still be on its way when the server goes.
  const expected = /ERR_CONNECTION_REFUSED|WebSocket connection|Failed to load resource|Worker|dynamically imported/;
  await using tab = await openTab(address, { expected });
  const { page } = tab;
  await tab.open('/loop/1?tab=history');
  const session = page.getByRole('button', { name: 'Session' }).last();
  const text = page.getByRole('region', { name: /\.log$/ });
  const more = text.getByRole('button', { name: 'More' });
  const alert = text.getByRole('alert').filter({ hasText: 'The server does not answer.' });
  await session.waitFor();

  await killed(server);
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor();
  await session.click();
  await alert.waitFor();
  await text.getByRole('button', { name: 'Ask again' }).waitFor();
  const next = await startServer(scenario, ['--no-work', '--port', port]);
  await more.waitFor();
  assert.equal(await alert.count(), 0);

  await page.route('**/artefacts/**', async (route) => await route.abort());
  await more.click();
  await alert.waitFor();
  const beside = await alert.evaluate((one) => one.parentElement?.textContent.startsWith('More'));
  assert.equal(beside, true, 'what went wrong stands where it was asked');

  await page.getByRole('button', { name: 'The next session' }).click();
  const again = text.getByRole('button', { name: 'Ask again' });
  await again.waitFor();
  await page.unroute('**/artefacts/**');
  await again.click();
  await text.locator('pre').waitFor();
  await killed(next);
});
