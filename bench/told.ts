import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEvent, AgentInput } from '../src/agents/agent.ts';
import { fakeEnded } from '../src/agents/fake.ts';
import { openBrowser } from '../test/browser/open-browser.ts';
import { playLoop } from '../test/support/played-loop.ts';
import { serveScenario } from '../test/support/served.ts';
import { logIn } from './panel-browser.ts';
import { median } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';

const TIMES = 5;
const ISSUE = { file: 'code.js', line: 3, severity: 'high', category: 'logic', description: 'Three is not the third.' };

/** How long it takes from a reviewer's answer until the panel of whoever reads the change tells of its finding. */
export async function measureTold(): Promise<Row[]> {
  let mayAnswer = Promise.withResolvers<undefined>();
  let answeredAt = 0;
  await using project = await serveScenario({
    author: async function* ({ cwd, task }: AgentInput): AsyncGenerator<AgentEvent> {
      await writeFile(join(cwd, 'code.js'), `// ${task}\n${'export {};\n'.repeat(60)}`);
      yield fakeEnded('{}');
    },
    reviewer: async function* (): AsyncGenerator<AgentEvent> {
      await mayAnswer.promise;
      answeredAt = Date.now();
      yield fakeEnded(JSON.stringify({ passed: false, summary: 'Not yet.', issues: [ISSUE] }));
    },
  });
  const browser = await openBrowser();
  const state = await logIn(browser, (await project.served.addresses())[0] ?? '');
  const taken: number[] = [];
  for (let turn = 0; turn < TIMES; turn += 1) {
    mayAnswer = Promise.withResolvers<undefined>();
    const { id } = await playLoop(project, `Write some code ${turn}`, { drive: false, flags: { maxRounds: '1' } });
    const driven = project.app.drive([id], new AbortController().signal);
    const context = await browser.newContext({ storageState: state, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${project.served.url}/loop/${id}`);
    await page.getByText('export {};').first().waitFor();
    const told = page.waitForFunction(IS_TOLD, null, { polling: 'raf' });
    mayAnswer.resolve(undefined);
    taken.push(Number(await (await told).jsonValue()) - answeredAt);
    await driven;
    await context.close();
  }
  await browser.close();
  return [
    judge({
      row: "a reviewer's answer until the panel tells of it",
      ours: { value: median(taken), unit: 'ms' },
      baseline: null,
      budget: { of: 'ours', bound: 'at most', limit: 1000 },
      note: 'from the end of the answer until somebody who reads the change is offered the finding, which does not push itself into what is read',
    }),
  ];
}

/** Runs in the page: when the offer was there. */
const IS_TOLD = "[...document.querySelectorAll('button')].some((one) => /^Show 1 new finding/.test(one.innerText)) ? Date.now() : false";
