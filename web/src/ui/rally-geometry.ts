import { counted } from '../../../src/core/words.ts';

/** What a turn did: a review asks, a fix answers, and the start does neither. `count` is how many blocking findings it was about. */
export type RallyTurn = { readonly kind: 'start' | 'review' | 'fix'; readonly count: number };

/** What the line runs into: somebody at work, a person, a check, a cross, or the forge. */
export type RallyEnd = 'live-review' | 'live-fix' | 'live-author' | 'you' | 'ok' | 'failed' | 'wait';

/** A place in the drawing. */
export type RallyPoint = { readonly x: number; readonly y: number };

/** What is drawn: how large, what happened, how it ends, and for how many turns there is room. */
export type RallyPlan = {
  readonly turns: readonly RallyTurn[];
  readonly end: RallyEnd | null;
  readonly slots: number;
  readonly width: number;
  readonly height: number;
  /** How far the first and the last turn are from the edges; 8 on a card. */
  readonly inset?: number;
};

/** The drawing of a rally: places and paths. */
export type RallyDrawing = {
  /** Where the net is. */
  readonly mid: number;
  readonly net: string;
  /** Where the turns that are still left would be. */
  readonly ticks: readonly number[];
  /** A place for each turn, in order. */
  readonly points: readonly RallyPoint[];
  readonly line: string;
  /** What was asked, as an area above the net, and what was answered, below it; null where there is none. */
  readonly asked: string | null;
  readonly answered: string | null;
  /** Where the line ends beyond the last turn, and how it gets there; a failed one ends where it is. */
  readonly head: RallyPoint | null;
  readonly tail: string | null;
};

/** So many findings reach the edge of the court; more do not go beyond it. */
const FULL = 6.5;

/** How far from the net a number of findings is, between 0 and 1. */
export function amplitude(count: number): number {
  return count <= 0 ? 0 : Math.min(1, Math.sqrt(count / FULL));
}

/** Room for the start, for each review and each fix between two of them, and for the end; never less than what happened needs. */
export function rallySlots(maxRounds: number, turns: number): number {
  return Math.max(maxRounds * 2 + 1, turns + 1, 3);
}

/** The newest turns that fit; where some are left out the line begins with the one before. */
export function newestTurns(turns: readonly RallyTurn[], most: number): readonly RallyTurn[] {
  return turns.length <= most ? turns : turns.slice(-most);
}

const EDGE = 4;
/** How far from the net somebody at work is: nobody knows yet what comes of it. */
const OPEN_SHARE = 0.55;

/** Where everything of a rally is. */
export function rallyDrawing({ turns, end, slots, width, height, inset = 8 }: RallyPlan): RallyDrawing {
  const mid = height / 2;
  const reach = mid - EDGE;
  const step = slots < 2 ? 0 : (width - inset * 2) / (slots - 1);
  const at = (slot: number): number => round(inset + slot * step);
  const points = turns.map(({ kind, count }, index) => ({ x: at(index), y: round(mid + sideOf(kind) * reach * amplitude(count)) }));
  const head = headOf(end, { x: at(turns.length), mid, reach });
  const last = points.at(-1);
  const taken = turns.length + (head === null ? 0 : 1);
  const ticks = Array.from({ length: Math.max(0, slots - taken) }, (_none, index) => at(taken + index));
  return {
    mid,
    net: `M${EDGE} ${mid}H${width - EDGE}`,
    ticks,
    points,
    line: pathOf(points),
    asked: area(points, { mid, head, side: -1 }),
    answered: end === 'failed' ? null : area(points, { mid, head, side: 1 }),
    head,
    tail: head === null || last === undefined ? null : pathOf([last, head]),
  };
}

/** Which side of the net a turn is on: up is less in a drawing. */
function sideOf(kind: RallyTurn['kind']): -1 | 0 | 1 {
  return kind === 'review' ? -1 : kind === 'fix' ? 1 : 0;
}

function headOf(end: RallyEnd | null, { x, mid, reach }: { x: number; mid: number; reach: number }): RallyPoint | null {
  if (end === null || end === 'failed') return null;
  const share = end === 'live-review' ? -OPEN_SHARE : end === 'live-fix' ? OPEN_SHARE : 0;
  return { x, y: round(mid + share * reach) };
}

function area(
  points: readonly RallyPoint[],
  { mid, head, side }: { readonly mid: number; readonly head: RallyPoint | null; readonly side: -1 | 1 },
): string | null {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || !points.some(({ y }) => (y - mid) * side > 0)) return null;
  const corners: RallyPoint[] = [{ x: first.x, y: mid }];
  for (const [index, point] of points.entries()) {
    const before = points[index - 1];
    if (before !== undefined && (before.y - mid) * (point.y - mid) < 0) corners.push({ x: crossing(before, point, mid), y: mid });
    corners.push({ x: point.x, y: side === -1 ? Math.min(point.y, mid) : Math.max(point.y, mid) });
  }
  corners.push({ x: closing(last, head, mid), y: mid });
  return `${pathOf(corners)}Z`;
}

/** Where the area comes back to the net: where the end is, or where the way there crosses it. */
function closing(last: RallyPoint, head: RallyPoint | null, mid: number): number {
  if (head === null) return last.x;
  if (head.y === mid) return head.x;
  return (last.y - mid) * (head.y - mid) < 0 ? crossing(last, head, mid) : last.x;
}

function crossing(from: RallyPoint, to: RallyPoint, mid: number): number {
  return round(from.x + ((to.x - from.x) * (mid - from.y)) / (to.y - from.y));
}

function pathOf(points: readonly RallyPoint[]): string {
  return `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const ENDS: Readonly<Record<RallyEnd, string>> = {
  'live-review': 'it is being reviewed',
  'live-fix': 'they are being answered',
  'live-author': 'the author is at work',
  you: 'it waits for you',
  ok: 'settled',
  failed: 'it failed',
  wait: 'it waits',
};

/** A rally as a sentence, for those who do not see it. */
export function rallyWords({ turns, end, maxRounds }: Pick<RallyPlan, 'turns' | 'end'> & { readonly maxRounds: number }): string {
  const asked = turns.filter(({ kind }) => kind === 'review').map(({ count }) => count);
  const now = end === null ? '' : `; ${ENDS[end]}`;
  if (asked.length === 0) return `No review yet of ${maxRounds}${now}.`;
  const rounds = `${counted(asked.length, 'review')} of ${maxRounds}`;
  const single = asked[0] ?? 0;
  if (asked.length === 1) return `${rounds}: ${single === 0 ? 'nothing blocked' : `${counted(single, 'finding')} blocked`}${now}.`;
  const numbers = `${asked.slice(0, -1).join(', ')}, then ${asked.at(-1) ?? 0}`;
  return `${rounds}: ${numbers} findings blocked${now}.`;
}
