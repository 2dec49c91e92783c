import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLine, lastLine } from './live-line.ts';
import type { LiveLine } from './live.ts';
import { openLive } from './open-live.ts';
import { textWidth } from './report/text-width.ts';

const LINE: LiveLine = { id: 29, phase: 'reviewing', round: '2/3', agent: 'codex', startedAtMs: 0, spend: '$0.42 of $2.00' };

function draw(did: string, width: number): string {
  return drawLine(LINE, did, { nowMs: 64_000, width, color: false });
}

test('a live line tells the loop, its phase and round, who, how long, what it cost and what was done last', () => {
  assert.equal(draw('Reading src/a.ts', 200), '→ #29 reviewing 2/3 codex 1 m 04 s $0.42 of $2.00  Reading src/a.ts');
});

test('a live line is cut by the columns that it takes, whatever the agent prints', () => {
  const nasty = '日本語\u001b[2J\u0007の長い行\tand more of it, again and again and again, until no terminal is wide enough for it';
  for (let width = 1; width <= 120; width += 1) {
    const line = draw(nasty, width);
    assert.ok(textWidth(line) <= width, `${width}: ${line}`);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(line, /[\u0000-\u001f]/);
  }
  assert.equal(draw(nasty, 40), '→ #29 reviewing 2/3 codex 1 m 04 s $0.4…');
});

test('the last thing that an agent did is its last line that says something', () => {
  assert.equal(lastLine('one\ntwo\r\n\n  \n'), 'two');
  assert.equal(lastLine(''), '');
});

type FakeTerminal = { columns: number; readonly rows: number; screen: string[]; write(text: string): void; narrow(columns: number): void };

/** A terminal that keeps its screen, as far as live lines need one; a narrower one wraps what is on it. */
function makeTerminal(columns: number): FakeTerminal {
  const terminal = {
    columns,
    rows: 10,
    screen: [''],
    row: 0,
    column: 0,
    write(text: string): void {
      // eslint-disable-next-line no-control-regex
      for (const part of text.split(/(\u001b\[\d*[AJK]|\r|\n)/)) {
        const line = terminal.screen[terminal.row] ?? '';
        if (part === '\r') terminal.column = 0;
        else if (part === '\n') {
          terminal.row += 1;
          terminal.column = 0;
          terminal.screen[terminal.row] ??= '';
        } else if (part.endsWith('A') && part.startsWith('\u001b')) terminal.row -= Number(part.slice(2, -1));
        else if (part === '\u001b[K' || part === '\u001b[J') {
          terminal.screen[terminal.row] = line.slice(0, terminal.column);
          if (part === '\u001b[J') terminal.screen.length = terminal.row + 1;
        } else {
          terminal.screen[terminal.row] = `${line.slice(0, terminal.column)}${part}${line.slice(terminal.column + part.length)}`;
          terminal.column += part.length;
        }
      }
    },
    narrow(width: number): void {
      const wrapped = terminal.screen.map((line) => line.match(new RegExp(`.{1,${width}}`, 'g')) ?? ['']);
      terminal.row = wrapped.slice(0, terminal.row).flat().length;
      terminal.screen = wrapped.flat();
      terminal.columns = width;
    },
  };
  return terminal;
}

test('what is printed scrolls by above the live lines, and nothing of them stays', () => {
  const terminal = makeTerminal(60);
  const live = openLive(terminal, { color: false });
  const print = (line: string): void => live.around(() => terminal.write(`${line}\n`));
  print('before');
  live.frame(['a live line', 'and another']);
  print('one');
  assert.deepEqual(terminal.screen, ['before', 'one', 'a live line', 'and another']);
  live.frame(['a live line, and longer than sixty columns, so that it has to be cut there']);
  print('two');
  assert.deepEqual(terminal.screen.slice(0, 4), ['before', 'one', 'two', 'a live line, and longer than sixty columns, so that it has…']);
  live.close();
  print('three');
  assert.deepEqual(
    terminal.screen.filter((line) => line !== ''),
    ['before', 'one', 'two', 'three'],
  );
});

test('lines that a narrower terminal has wrapped are erased with all their rows, and nothing above them', () => {
  const terminal = makeTerminal(60);
  const live = openLive(terminal, { color: false });
  live.around(() => terminal.write('printed\nand this\n'));
  live.frame(['x'.repeat(50), 'y'.repeat(50)]);
  live.around(() => terminal.write('and that\n'));
  terminal.narrow(20);
  assert.equal(terminal.screen.length, 9);
  live.frame(['short']);
  assert.deepEqual(terminal.screen, ['printed', 'and this', 'and that', 'short']);
  live.frame(null);
  assert.deepEqual(terminal.screen, ['printed', 'and this', 'and that', '']);
});
