import type { verifyTask } from '../app-verify.ts';
import type { Loop, Round } from '../core/loop.ts';
import { reviewersOf } from '../core/round.ts';
import type { Check } from '../core/verify-facts.ts';
import { counted } from '../core/words.ts';
import type { Io } from './command.ts';
import { clean, columns, paint } from './print.ts';

/** Tells what was checked: a line for each round, then what does not hold or could not be told, then what it comes to. */
export function printVerification({ loop, checks, verification }: Awaited<ReturnType<typeof verifyTask>>, io: Io): void {
  for (const check of checks) io.object({ type: 'check', v: 1, loop: loop.id, ...check });
  for (const line of columns(loop.rounds.map((round) => roundCells(round, checks)))) io.out(line);
  for (const line of problemLines(checks, io)) io.out(line);
  const { holds, why, failed, unchecked } = verification;
  io.out(paint(io, holds ? 'green' : 'red', `${holds ? '✓' : '✗'} Task ${loop.id}: ${clean(why)}`));
  io.object({
    type: 'verification',
    v: 1,
    loop: loop.id,
    holds,
    approval: approvalOf(loop),
    head: loop.head?.commit ?? null,
    failed,
    unchecked,
    why,
  });
}

function roundCells(round: Round, checks: readonly Check[]): string[] {
  const own = checks.filter((check) => check.round === round.round);
  const held = own.filter(({ ok }) => ok === true).length;
  const count = held === own.length ? counted(held, 'check') : `${held} of ${counted(own.length, 'check')}`;
  const who = reviewersOf(round).map(clean).join(' and ');
  const hold = held === 1 ? 'holds' : 'hold';
  return [`round ${round.round}`, round.verdict.toUpperCase(), `${who}, ${round.head.commit.slice(0, 8)}: ${count} ${hold}`];
}

/** What is the same in several rounds is said once. */
function problemLines(checks: readonly Check[], io: Io): readonly string[] {
  const groups = new Map<string, Check[]>();
  for (const check of checks.filter(({ ok }) => ok !== true)) {
    const key = JSON.stringify([check.what, check.ok, check.detail]);
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  return [...groups.values()].map((same) => problemLine(same, io));
}

function problemLine(same: readonly Check[], io: Io): string {
  const [first] = same;
  if (first === undefined) return '';
  const rounds = same.flatMap(({ round }) => round ?? []);
  const where = rounds.length === 0 ? '' : `${rounds.length === 1 ? 'round' : 'rounds'} ${rounds.join(', ')}, `;
  const said = `${where}${first.what}`;
  return first.ok === false
    ? `  ${paint(io, 'red', '✗')} ${said}: ${clean(first.detail)}`
    : `  ${paint(io, 'yellow', '?')} ${said} cannot be checked: ${clean(first.detail)}`;
}

function approvalOf({ approval }: Loop): object | null {
  if (approval === null) return null;
  return approval.by === 'person'
    ? approval
    : { by: 'review', round: approval.round, reviewers: approval.proofs.map(({ agent }) => agent) };
}
