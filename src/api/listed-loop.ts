import { toldUsd } from '../core/ceilings.ts';
import type { ListedRow } from '../engine/list-loops.ts';
import { ListedLoop } from './contract/loops.ts';

/** A row of the overview as it travels. */
export function listedLoop({ driven, next, ...row }: ListedRow): ListedLoop {
  // What a process does already is not for anybody to type; one that has just come to rest is still held for a moment.
  return ListedLoop.parse({ ...row, spendUsd: toldUsd(row.spendUsd), driven, next: driven && row.wantsWork ? null : next });
}
