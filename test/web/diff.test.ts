import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { fakeEnded } from '../../src/agents/fake.ts';
import { buildWeb } from '../support/built-web.ts';
import { eventually } from '../support/scenario.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';
import { openTab } from './tab.ts';
import type { Tab } from './tab.ts';

let project: ServedProject;
let tab: Tab;
let page: Page;

before(async () => {
  await buildWeb();
  project = await serveScenario({ author: () => [fakeEnded('{}')] });
  tab = await openTab((await project.served.addresses())[0] ?? '');
  ({ page } = tab);
});
after(async () => {
  await tab[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const lines = (count: number, word: string, end = '\n'): string[] =>
  Array.from({ length: count }, (_, n) => `const ${word}${n} = ${n};${end}`);
const edited = (all: readonly string[], at: number): string => all.with(at, `const edited = ${at};\n`).join('');

/** A file of the diff: its head is in the page, its lines are inside of it. */
function file(path: string): Locator {
  return page.locator('diffs-container').filter({ has: page.getByRole('button', { name: new RegExp(`(?:Fold|Open) ${path}$`) }) });
}

function row(path: string, text: string): Locator {
  return file(path).locator('[data-line]', { hasText: text }).first();
}

describe('odd files', () => {
  before(async () => {
    const { repository } = project.scenario;
    await repository.commit('old', {
      'binary.bin': Uint8Array.from({ length: 300 }, (_, n) => n % 256),
      'crlf.ts': lines(80, 'c', '\r\n').join(''),
      'open-end.ts': lines(80, 'n').join('').slice(0, -1),
      'moved.ts': lines(30, 'm').join(''),
      'script.sh': 'echo hi\n',
      'typed.txt': 'one\ntwo\n',
      'spaces.ts': 'if (a) {\n  b();\n}\n',
      'ends.ts': lines(5, 'e').join(''),
      'latin.txt': Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a),
    });
    await repository.git('tag', 'odd-old');
    await repository.remove('moved.ts');
    await rm(join(repository.root, 'typed.txt'));
    await symlink('script.sh', join(repository.root, 'typed.txt'));
    await repository.write('script.sh', 'echo hi\n', { executable: true });
    await repository.commit('new', {
      'binary.bin': Uint8Array.from({ length: 300 }, (_, n) => (n * 7) % 256),
      'crlf.ts': lines(80, 'c', '\r\n').with(40, 'const edited = 40;\r\n').join(''),
      'open-end.ts': edited(lines(80, 'n'), 20).slice(0, -1),
      'there/moved.ts': lines(30, 'm').join(''),
      'empty.txt': '',
      'spaces.ts': 'if (a) {\n    b();\n}\n',
      'ends.ts': lines(5, 'e', '\r\n').join(''),
      'latin.txt': Uint8Array.of(0x63, 0x61, 0x66, 0xe8, 0x0a),
      'hidden.ts': 'const user = "a\u202e\u2066// b\u2069";\n',
    });
    await repository.git('tag', 'odd-new');
    await tab.open('/change?range=odd-old..odd-new');
  });

  test('without lines say why, in words', async () => {
    for (const [path, words] of [
      ['binary.bin', 'binary, not shown as text'],
      ['empty.txt', 'new · empty'],
      ['script.sh', 'made executable · no line changed'],
      ['there/moved.ts', 'renamed from moved.ts · no line changed'],
    ] as const) {
      await tab.open(`/change?range=odd-old..odd-new&file=${encodeURIComponent(path)}`);
      await file(path).getByText(words).waitFor();
    }
  });

  test('that became a link show what they were and where they lead', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=typed.txt');
    await row('typed.txt', 'two').waitFor();
    await row('typed.txt', 'script.sh').waitFor();
  });

  test('show what hides in them', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=hidden.ts');
    await row('hidden.ts', '⟦U+202E⟧⟦U+2066⟧// b⟦U+2069⟧').waitFor();
  });

  test('whose lines end otherwise say so, and where; a row stays as high as it was', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=ends.ts');
    await file('ends.ts').getByText('line endings LF → CRLF').waitFor();
    const marked = file('ends.ts').locator('[data-return]');
    assert.equal(await marked.count(), 5);
    assert.equal(await marked.first().evaluate((one) => one.getBoundingClientRect().height), 20);
  });

  test('that are no UTF-8 say so', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=latin.txt');
    await file('latin.txt').getByText('not UTF-8').waitFor();
  });

  test('in which only whitespace differs say so when that is hidden', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=spaces.ts');
    await file('spaces.ts').getByText('+1').waitFor();
    await page.keyboard.press('w');
    await file('spaces.ts').getByText('only whitespace differs, hidden').waitFor();
    assert.equal(await file('spaces.ts').getByText('+1').count(), 0);
    await page.keyboard.press('w');
    await file('spaces.ts').getByText('+1').waitFor();
  });

  test('are opened further by keys, whatever ends their lines', async () => {
    for (const path of ['crlf.ts', 'open-end.ts']) {
      await tab.open(`/change?range=odd-old..odd-new&file=${path}`);
      await row(path, 'edited').waitFor();
      const more = file(path).getByRole('button', { name: 'Show more lines above the code below' }).first();
      const shown = await file(path).locator('[data-line]').count();
      await more.focus();
      await page.keyboard.press('Enter');
      await eventually('more lines are there', async () => (await file(path).locator('[data-line]').count()) > shown);
    }
  });

  test('show a line far from every change when the address names it', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=crlf.ts&line=72');
    await row('crlf.ts', 'const c71 = 71;').waitFor();
    assert.equal(await row('crlf.ts', 'const c71 = 71;').getAttribute('data-cursor'), '');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.waitForURL(/line=71/);
  });
});

test('on a phone the bar says what is shown, nothing sticks out of it, and a menu has the rest', async () => {
  await using phone = await openTab((await project.served.addresses())[0] ?? '', { width: 390, height: 844, touch: true });
  await phone.open('/change?range=odd-old..odd-new');
  const bar = phone.page.getByRole('toolbar', { name: 'Diff' });
  const told = bar.getByText('odd-old..odd-new');
  assert.equal(
    await told.evaluate((one) => (one.parentElement?.getBoundingClientRect().width ?? 0) >= one.getBoundingClientRect().width),
    true,
    'it is not cut',
  );
  const outer = await bar.boundingBox();
  for (const button of await bar.getByRole('button').filter({ visible: true }).all()) {
    const inner = await button.boundingBox();
    assert.ok(inner !== null && outer !== null && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height);
  }
  await bar.getByRole('button', { name: 'How the diff is shown' }).click();
  await phone.page.getByRole('menuitem', { name: 'Wrap long lines' }).click();
  await bar.getByRole('button', { name: 'How the diff is shown' }).click();
  await phone.page.getByRole('menuitem', { name: 'Do not wrap long lines' }).waitFor();
});

test('a working tree that moves is offered, and nothing moves by itself', async () => {
  const { repository } = project.scenario;
  await repository.write('live.ts', 'const first = 1;\n');
  await tab.open('/change');
  await row('live.ts', 'first').waitFor();
  const offer = page.getByRole('button', { name: 'It changed: show' });
  assert.equal(await offer.count(), 0);
  await repository.write('live.ts', 'const first = 1;\nconst second = 2;\n');
  await offer.waitFor();
  assert.equal(await row('live.ts', 'second').count(), 0);
  await offer.click();
  await row('live.ts', 'second').waitFor();
  await offer.waitFor({ state: 'detached' });
  await rm(join(repository.root, 'live.ts'));
});

describe('an address that names what is not there', () => {
  test('of a change is told, and can be taken back', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=nope.ts');
    await page.getByText('nope.ts is no file of the change that is shown.').waitFor();
    await tab.open('/change?range=odd-old..odd-new&file=crlf.ts&line=9999');
    await page.getByText('crlf.ts has no line 9999 to show.').waitFor();
    await page.getByRole('button', { name: 'All right' }).click();
    await page.waitForURL((url) => !url.searchParams.has('line') && url.searchParams.get('file') === 'crlf.ts');
    assert.equal(await page.getByText('has no line').count(), 0);
  });

  test('nothing is told of a line that comes late', async () => {
    await tab.open('/change?range=odd-old..odd-new&file=crlf.ts&line=72');
    await row('crlf.ts', 'const c71 = 71;').waitFor();
    assert.equal(await page.getByText('has no line').count(), 0);
  });

  test('a range that is written the wrong way round offers the other direction', async () => {
    await tab.open('/change?range=odd-new..odd-old');
    await page.getByText('odd-old has nothing that odd-new lacks.').waitFor();
    await page.getByRole('button', { name: 'Show odd-old..odd-new' }).click();
    await page.getByText('renamed from moved.ts').first().waitFor();
  });
});

describe('a change of many files', () => {
  const FILES = 120;

  before(async () => {
    const many = (at: number): Record<string, string> =>
      Object.fromEntries(
        Array.from({ length: FILES }, (_, n) => [`many/file-${n}.ts`, edited(edited(lines(60, 'v'), 5).split(/(?<=\n)/), at)]),
      );
    await project.scenario.repository.commit('many', many(30));
    await project.scenario.repository.git('tag', 'many-old');
    await project.scenario.repository.commit('more', many(40));
    await project.scenario.repository.git('tag', 'many-new');
    await tab.open('/change?range=many-old..many-new');
  });

  /** The first row below the head of its file, and how far down it is. */
  async function firstRow(): Promise<{ readonly text: string; readonly y: number; readonly top: number }> {
    return await page.evaluate(() => {
      let scroller = document.querySelector('diffs-container')?.parentElement ?? null;
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
      const edge = (scroller?.getBoundingClientRect().top ?? 0) + 40;
      for (const container of document.querySelectorAll('diffs-container:not([data-waiting])')) {
        for (const line of container.shadowRoot?.querySelectorAll('[data-line]') ?? []) {
          const { top } = line.getBoundingClientRect();
          if (top >= edge)
            return { text: `${container.textContent} ${line.textContent}`, y: Math.round(top), top: scroller?.scrollTop ?? 0 };
        }
      }
      return { text: '', y: -1, top: scroller?.scrollTop ?? 0 };
    });
  }

  /** How far down a row is by now. */
  async function placeOf(text: string): Promise<number> {
    return await page.evaluate((wanted) => {
      for (const container of document.querySelectorAll('diffs-container:not([data-waiting])')) {
        for (const line of container.shadowRoot?.querySelectorAll('[data-line]') ?? [])
          if (`${container.textContent} ${line.textContent}` === wanted) return Math.round(line.getBoundingClientRect().top);
      }
      return -1;
    }, text);
  }

  async function scrollBy(pixels: number): Promise<void> {
    await page.evaluate((by) => {
      let scroller = document.querySelector('diffs-container')?.parentElement ?? null;
      while (scroller !== null && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement;
      scroller?.scrollBy(0, by);
    }, pixels);
  }

  test('what is read stays in its place while the patches around it arrive', async () => {
    await row('many/file-0.ts', 'edited').waitFor();
    await scrollBy(20_000);
    await eventually('lines are there', async () => (await firstRow()).y > 0);
    for (let turn = 0; turn < 6; turn += 1) {
      await scrollBy(-900);
      await eventually('lines are there', async () => (await firstRow()).y > 0);
      await page.waitForTimeout(150);
      const was = await firstRow();
      await page.waitForTimeout(400);
      assert.equal(await placeOf(was.text), was.y);
    }
  });

  test('what is read stays in its place when it is shown in another way', async () => {
    const was = await firstRow();
    for (const key of ['Shift+U', 'Shift+U', 'w', 'w']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(500);
      const { text, y } = await firstRow();
      assert.equal(text.split(' ')[0], was.text.split(' ')[0]);
      assert.ok(Math.abs(y - was.y) <= 20, `${key} moves it by ${y - was.y}`);
    }
  });

  test('a line of the last file is found though nobody has been there', async () => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('edited = 40');
    await page.keyboard.press('Enter');
    await page.getByText(/^1 of \d+\+?$/).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('button', { name: 'Next match' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText(/^1 of \d+\+?$/).waitFor();
    await page.getByRole('button', { name: 'Match case' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('button', { name: 'Match case' }).getAttribute('aria-pressed'), 'true');
    await page.keyboard.press('Control+f');
    assert.ok(
      await page
        .getByRole('search')
        .getByRole('textbox')
        .evaluate((box) => box === document.activeElement),
      'it leads back into the box',
    );
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('search').count(), 0);
  });
});
