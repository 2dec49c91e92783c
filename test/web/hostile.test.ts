import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AgentEvent, AgentInput } from '../../src/agents/agent.ts';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { playLoop } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { Play } from '../support/served.ts';
import { openTab } from './tab.ts';

// T16 of the threats: whatever an agent, a title or a file name says, it is shown as text, loads nothing and runs nothing.

const OUT = 'http://203.0.113.7';

const PAYLOADS: readonly string[] = [
  '<script>alert(1)</script>',
  `<img src=x onerror=alert(1)><img src=${OUT}/pixel.gif>`,
  '<svg/onload=alert(1)><details open ontoggle=alert(1)>',
  `"><iframe srcdoc="<script>alert(1)</script>" src="${OUT}/">`,
  `![pixel](${OUT}/markdown.png) ![inline](data:image/png;base64,AAAA)`,
  `![ref][r]\n\n[r]: ${OUT}/reference.png`,
  '[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) <javascript:alert(1)>',
  '[vb](vbscript:x) [file](file:///etc/passwd) [ws](ws://203.0.113.7/)',
  `<style>@import url(${OUT}/style.css); * { display: none }</style><link rel=stylesheet href=${OUT}/link.css>`,
  `<div style="background:url(${OUT}/background.png)">styled</div>`,
  '```mermaid\ngraph TD; A-->B; click A "javascript:alert(1)"\n```',
  '{{constructor.constructor("alert(1)")()}} ${alert(1)} #{alert(1)}',
  '</title></style></textarea></script><script>alert(1)</script>',
  'admin\u202E\u2066 // only people \u2069\u2066 and\u200B no\u00ADbody',
  '\u001B]0;title\u0007\u001B[31mred\u001B[0m \u0000 nothing',
];

const NAMES = [
  'src/<img src=x onerror=alert(1)>.ts',
  'src/it\'s "quoted".ts',
  'src/new\nline.ts',
  'src/\u202Egnp.ts',
  'src/%2e%2e%2fetc.ts',
  'src/javascript:alert(1)',
];

const CODE = `${PAYLOADS.join('\n')}\n${'x'.repeat(200_000)}\n`;

const author: Play = async function* ({ cwd }: AgentInput): AsyncGenerator<AgentEvent> {
  for (const name of NAMES) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), CODE.replaceAll('\0', ''));
  }
  yield fakeEnded(JSON.stringify({ summary: PAYLOADS.join(' ') }));
};

const reviewer: Play = async function* (): AsyncGenerator<AgentEvent> {
  yield { type: 'text', stream: 'stdout', text: `${PAYLOADS.join('\n')}\n` };
  const issues = PAYLOADS.map((text, index) => ({
    file: NAMES[index % NAMES.length],
    line: 1 + (index % 5),
    severity: index % 2 === 0 ? 'high' : 'suggestion',
    category: 'logic',
    description: text,
    impact: text,
    suggestion: text,
  }));
  const huge = { file: NAMES[0], line: 2, severity: 'high', category: 'security', description: `${'A word. '.repeat(125_000)}` };
  const evidence = PAYLOADS.map((text) => ({ claim: text, command: text, output: text }));
  yield fakeEnded(
    JSON.stringify({ passed: false, summary: PAYLOADS.join('\n\n'), interpretedIntent: PAYLOADS[1], issues: [...issues, huge], evidence }),
  );
};

const fixer: Play = async function* ({ subject }: AgentInput): AsyncGenerator<AgentEvent> {
  const resolutions = subject.findings.map(({ id }, index) => ({
    findingId: id,
    status: index === 0 ? 'needs_person' : 'disputed',
    note: PAYLOADS[index % PAYLOADS.length],
  }));
  yield fakeEnded(JSON.stringify({ summary: PAYLOADS.join(' '), resolutions }));
};

/** What a page of ours never has: it would be there only if somebody's text had become markup. */
const FOREIGN =
  'script:not([src]), iframe, object, embed, img:not([src^="data:"]), video, audio, form[action], [onerror], [onload], [ontoggle]';

/** What turns the direction of a line, joins or parts words invisibly, or steers a terminal. */
const HIDDEN = /[\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|(?![\t\n\r])\p{Cc}/u;

/** Everything that a page says: its title, every text on it, also within what stands apart from it, and what only hints tell. */
async function saidOn(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const said = [document.title];
    const roots: (Document | ShadowRoot)[] = [document];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot !== null) roots.push(element.shadowRoot);
        if (element.matches('script, style')) continue;
        for (const name of ['title', 'aria-label', 'aria-description', 'placeholder', 'alt']) {
          const value = element.getAttribute(name);
          if (value !== null) said.push(`${name}: ${value}`);
        }
        for (const node of element.childNodes) if (node instanceof Text) said.push(node.data);
      }
    }
    return said;
  });
}

/** The stretch around the first such character, so that a failure tells where to look. */
function hiddenIn(text: string): string[] {
  const at = text.search(HIDDEN);
  return at === -1 ? [] : [JSON.stringify(text.slice(Math.max(0, at - 60), at + 20))];
}

async function hidesNothing(page: Page, path: string): Promise<void> {
  assert.deepEqual((await saidOn(page)).flatMap(hiddenIn), [], path);
}

test('what agents and others wrote is shown as text, loads nothing and runs nothing', async () => {
  await buildWeb();
  await using project = await serveScenario({ author, reviewer, fixer });
  const loop = await playLoop(project, PAYLOADS.join(' '));
  assert.equal(loop.state, 'needs_human');
  await using tab = await openTab((await project.served.addresses())[0] ?? '', { height: 3000, expected: /status of 4(?:00|04|22) / });
  const { page } = tab;
  const first = loop.findings[0]?.id.split('.')[1] ?? '1';
  const pages = [
    '/',
    '/?q=%3Cscript%3Ealert(1)%3C/script%3E',
    `/loop/${loop.id}`,
    `/loop/${loop.id}?tab=findings`,
    `/loop/${loop.id}?tab=task`,
    `/loop/${loop.id}?tab=history`,
    `/loop/${loop.id}?finding=${first}`,
    `/loop/${loop.id}?drawer=proof`,
    `/loop/${loop.id}?drawer=session:2\u202E`,
    `/loop/${loop.id}?drawer=artefacts`,
    `/loop/${loop.id}?file=${encodeURIComponent(NAMES[0] ?? '')}&line=1&side=new`,
    `/loop/${loop.id}?range=%3Cscript%3E..x&file=javascript:alert(1)&tab=%22%3E&drawer=%3Cimg%20src=x%3E`,
    `/change?range=${loop.base.commit}..${loop.head?.commit ?? ''}`,
    '/change?branch=%3Cscript%3Ealert(1)%3C/script%3E',
  ];
  for (const path of pages) {
    await tab.open(path);
    assert.equal(await page.locator(FOREIGN).count(), 0, path);
    await hidesNothing(page, path);
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
    assert.deepEqual(
      links.filter((protocol) => protocol !== 'http:' && protocol !== 'https:'),
      [],
      path,
    );
  }
  for (const { transcript } of loop.sessions) {
    const name = transcript?.split('/').at(-1) ?? '';
    await tab.open(`/loop/${loop.id}?drawer=session:${name}`);
    await page.getByRole('region', { name }).locator('pre').first().waitFor();
    await hidesNothing(page, name);
    await page.getByRole('tab', { name: 'prompt' }).click();
    await page.getByRole('tabpanel', { name: 'prompt' }).getByText('U+202E').first().waitFor();
    await hidesNothing(page, `the prompt of ${name}`);
  }
  await tab.open(`/loop/${loop.id}?tab=findings`);
  await page.getByText('<script>alert(1)</script>').first().waitFor();
  await page.getByText('U+202E').first().waitFor();
});
