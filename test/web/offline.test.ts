import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { buildWeb } from '../support/built-web.ts';
import { answers, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import { openTab } from './tab.ts';

test('a server that is killed and comes back is told quietly; nothing is decided meanwhile, and nothing is missed', async () => {
  await buildWeb();
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'a.js': 'export const a = 1;\n' } }),
      reviewer: answers(rejected(issue('It is wrong.', { file: 'a.js', line: 1 }))),
      fixer: turns({ write: { 'a.js': 'export const a = 2;\n' } }),
    },
  });
  await scenario.volley(['run', 'Write a', '--max-rounds', '1']);
  const server = await startServer(scenario, ['--no-work']);
  const { port } = new URL(server.url);
  const again = await scenario.volley(['serve']);
  const address = /http:\S+#code=\S+/.exec(again.stdout)?.[0] ?? '';
  await using tab = await openTab(address, { expected: /ERR_CONNECTION_REFUSED|WebSocket connection|Failed to load resource/ });
  const { page } = tab;
  const decision = page.getByRole('article', { name: 'Loop 1 needs you' }).getByRole('button', { name: 'One more round' });
  await decision.waitFor();
  assert.equal(await decision.isEnabled(), true);

  const gone = once(server.process, 'exit');
  server.process.kill('SIGKILL');
  await gone;
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor();
  assert.equal(await decision.isDisabled(), true);
  await page.getByText('Write a').first().waitFor();
  assert.deepEqual(await tab.violations(), []);
  await scenario.volley(['add', 'Write b']);

  const next = await startServer(scenario, ['--no-work', '--port', port]);
  await page.getByRole('status').filter({ hasText: 'Not connected.' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Write b' }).waitFor();
  await page.waitForFunction(
    () => ![...document.querySelectorAll('article button')].some((button) => (button as HTMLButtonElement).disabled),
  );
  next.process.kill();
  await next.ended;
});
