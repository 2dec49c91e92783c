import { wantsWork } from '../core/decide.ts';
import type { Loop } from '../core/loop.ts';
import { nextCommand } from '../core/next-command.ts';
import { counted } from '../core/words.ts';
import type { Io } from './command.ts';
import { isOpenQuestion } from './ending.ts';
import { cutLine } from './cut.ts';
import { columns, oneLine, paint } from './print.ts';

const SHOWN_COMMANDS = 12;
const WHY_WIDTH = 60;

/** What came of several tasks: how many of each kind, then the commands to type, one for all that can be landed or go on. */
export function workSummary(given: readonly Loop[], broken: number, io: Pick<Io, 'color' | 'width'>): string[] {
  const loops = given.toSorted((a, b) => a.id - b.id);
  const kinds = Map.groupBy(loops, kindOf);
  const counts = ORDER.flatMap((kind) => (kinds.has(kind) ? [countWords(kinds.get(kind)?.length ?? 0, kind)] : []));
  const errors = broken === 0 ? [] : [`${broken} with an error`];
  const together = TOGETHER.flatMap((verb) => {
    const ids = loops.filter((loop) => nextCommand(loop) === `${verb} ${loop.id}`).map(({ id }) => id);
    return ids.length === 0 ? [] : [[`  ${verb} ${ids.join(' ')}`]];
  });
  const asking = loops.flatMap(commandCells);
  const shown = asking.slice(0, SHOWN_COMMANDS);
  return [
    paint(io, 'bold', `${counted(loops.length + broken, 'task')}: ${[...counts, ...errors].join(', ')}`),
    ...together.flat(),
    ...columns(shown).map((line, index) => cutLine(line, Math.max(io.width, shown[index]?.[0]?.length ?? 0))),
    ...(asking.length > shown.length ? [`  and ${asking.length - shown.length} more: volley status`] : []),
  ];
}

/** What tasks do is said of one in another word than of several. */
const OF_SEVERAL: Partial<Record<(typeof ORDER)[number], string>> = { 'needs you': 'need you', waits: 'wait' };

function countWords(number: number, kind: (typeof ORDER)[number]): string {
  return counted(number, kind, OF_SEVERAL[kind] ?? kind);
}

/** Commands that take several tasks. */
const TOGETHER = ['volley land', 'volley work'] as const;

const ORDER = [
  'approved',
  'not reviewed',
  'changes requested',
  'needs you',
  'taken over',
  'waits',
  'stopped',
  'failed',
  'cancelled',
] as const;

function kindOf(loop: Loop): (typeof ORDER)[number] {
  if (isOpenQuestion(loop)) return 'needs you';
  switch (loop.ending?.state) {
    case 'approved':
      return 'approved';
    case 'self_review_failed':
      return 'changes requested';
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
    case 'pending_self_review':
    case 'ready_for_human_review':
      return 'not reviewed';
    case undefined:
      return loop.takenOver !== null ? 'taken over' : wantsWork(loop) ? 'stopped' : 'waits';
  }
}

function commandCells(loop: Loop): string[][] {
  const command = nextCommand(loop);
  const why = loop.escalation?.why ?? loop.ending?.why ?? loop.waiting?.why ?? '';
  if (command === null || TOGETHER.some((verb) => command === `${verb} ${loop.id}`)) return [];
  return [[`  ${command}`, oneLine(why, WHY_WIDTH)]];
}
