import { readLoop } from '../../app-reader.ts';
import { isBlocking } from '../../core/judge.ts';
import type { Loop, Round } from '../../core/loop.ts';
import { loopOutput } from '../../core/project-output.ts';
import type { Command, Io } from '../command.ts';
import { printEnding } from '../ending.ts';
import { loopId } from '../loop-id.ts';
import { clean, columns, oneLine, paint } from '../print.ts';

const USAGE = 'show ID';

/** `volley show ID`. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const { loop, document, driven } = await readLoop(io.cwd, loopId(typed, USAGE));
    // What another process does already is not for anybody to type.
    io.object({ ...loopOutput(loop), ...(driven ? { next: null } : {}) });
    io.out(paint(io, 'bold', `Task ${loop.id}: ${clean(loop.task.title)}`));
    io.out(
      `  ${paint(io, 'dim', 'state')}   ${loop.state}   ${paint(io, 'dim', 'base')} ${clean(loop.base.ref)} ${loop.base.mergeBase.slice(0, 8)}   ${paint(io, 'dim', 'head')} ${loop.head?.commit.slice(0, 8) ?? 'none yet'}`,
    );
    for (const note of loop.notes) io.out(`  ${clean(note)}`);
    for (const line of columns(loop.rounds.map((round) => roundCells(loop, round)))) io.out(line);
    printOpen(loop, io);
    io.out('');
    printEnding(loop, { document, driven }, io);
    return 0;
  },
};

function roundCells(loop: Loop, round: Round): string[] {
  const { proof } = round;
  const fixed = round.fix === null ? '' : `fix ${round.fix.commits.map((commit) => commit.slice(0, 8)).join(' ') || 'without a commit'}`;
  return [
    `  round ${round.round}/${loop.maxRounds}`,
    round.verdict.toUpperCase(),
    `${round.findingIds.length} finding(s), ${round.blockingIds.length} blocking`,
    `${clean(proof.agent)} via ${proof.channel}, ${proof.confinement}`,
    fixed,
  ];
}

function printOpen(loop: Loop, io: Io): void {
  const open = loop.findings.filter((finding) => isBlocking(finding, loop.settings.policy));
  for (const finding of open.slice(0, 10)) {
    const place = finding.file === null ? '' : ` ${clean(finding.file)}${finding.line === null ? '' : `:${finding.line}`}`;
    io.out(`  ${paint(io, 'yellow', finding.id)} ${finding.severity}${place}  ${oneLine(finding.description, 100)}`);
  }
  if (open.length > 10) io.out(`  and ${open.length - 10} more: volley findings ${loop.id}`);
}
