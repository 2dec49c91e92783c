import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeEnded } from '../../src/agents/fake.ts';
import { decideLoop } from '../../src/app.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import { openTab, settled } from './tab.ts';

const WRONG = { file: 'seen.js', line: 1, severity: 'high', category: 'logic', description: 'It is one too few.' };

test('whoever comes back is shown what is new since the last look, and nothing that was there then', async () => {
  await buildWeb();
  await using project = await serveScenario({
    author: async function* ({ cwd }) {
      await writeFile(join(cwd, 'seen.js'), 'export const seen = 1;\n');
      yield fakeEnded('{}');
    },
    reviewer: () => [fakeEnded(JSON.stringify({ passed: false, summary: 'Not yet.', issues: [WRONG] }))],
    fixer: async function* ({ cwd, subject }) {
      await writeFile(join(cwd, 'new.js'), 'export const fresh = 2;\n');
      const resolutions = subject.findings.map(({ id }) => ({ findingId: id, status: 'fixed', note: 'Mended.' }));
      yield fakeEnded(JSON.stringify({ resolutions }));
    },
  });
  const loop = await playLoop(project, 'Write files', { flags: { maxRounds: '1' } });
  // Who turns the clock forward does so for the workers that colour code too.
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { expected: /worker initialization timed out/ });
  const { page } = tab;
  await page.clock.install();
  await tab.open(`/loop/${loop.id}`);
  const files = page.getByRole('tree', { name: 'Files' });
  await files.getByText('seen.js').waitFor();
  const showing = page.getByRole('button', { name: /^Showing/ });
  await showing.click();
  await page
    .getByRole('menuitem', { name: /^Since I last looked/, disabled: true })
    .getByText('This browser sees it')
    .waitFor();
  await page.keyboard.press('Escape');
  // As long as it takes until a look counts.
  await page.clock.fastForward(11_000);

  await decideLoop(project.app.engine, loop.id, { choice: 'one-more-round', by: 'Ada', reason: null, agent: null, ceilingUsd: null });
  await project.app.drive([loop.id], new AbortController().signal);
  await page.reload();
  await settled(page);
  await files.getByText('new.js').waitFor();
  await files.getByText('seen.js').waitFor();
  await showing.click();
  await page.getByRole('menuitemradio', { name: /^Since I last looked/ }).click();
  await page.getByRole('button', { name: 'Showing what is new since I last looked' }).waitFor();
  await files.getByText('seen.js').waitFor({ state: 'detached' });
  await files.getByText('new.js').waitFor();
  await page.getByText('export const fresh = 2;').first().waitFor();
});
