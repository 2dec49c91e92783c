import { readLoop } from '../../app-reader.ts';
import { bySeverity } from '../../core/finding.ts';
import type { Finding } from '../../core/finding.ts';
import { isBlocking } from '../../core/convergence.ts';
import { shownPlace } from '../../core/prompts/sections.ts';
import { findingOutput } from '../../core/project-output.ts';
import type { Command, Io } from '../command.ts';
import { loopId } from '../loop-id.ts';
import { clean, paint } from '../print.ts';

const USAGE = 'findings ID';

/** `volley findings ID`. */
export const command: Command = {
  usage: USAGE,
  options: {},
  run: async (typed, io) => {
    const { loop } = await readLoop(io.cwd, loopId(typed, USAGE));
    const findings = loop.findings.toSorted(bySeverity);
    for (const finding of findings) {
      io.object(findingOutput(loop, finding));
      printFinding(finding, { io, blocks: isBlocking(finding, loop.settings.policy) });
    }
    io.object({ type: 'findings', v: 1, loop: loop.id, count: findings.length });
    if (findings.length === 0) io.out(loop.rounds.length === 0 ? 'No review yet.' : 'No findings.');
    return 0;
  },
};

function printFinding(finding: Finding, { io, blocks }: { readonly io: Io; readonly blocks: boolean }): void {
  const { file, line } = finding;
  const place = shownPlace({ file, line }) ?? '(no place)';
  const rounds =
    finding.firstRound === finding.lastRound ? `round ${finding.firstRound}` : `rounds ${finding.firstRound}-${finding.lastRound}`;
  const id = paint(io, blocks ? 'yellow' : 'dim', finding.id);
  io.out(
    `${id}  ${finding.severity} ${finding.category}  ${clean(place)}  ${finding.status}${blocks ? ', blocks' : ''}, ${rounds}, ${finding.provenance}${anchorWords(finding)}`,
  );
  indent(io, finding.description);
  if (finding.impact !== null) indent(io, `Impact: ${finding.impact}`);
  if (finding.suggestion !== null) indent(io, `Fix: ${finding.suggestion}`);
  for (const flag of finding.flags) indent(io, `Note: ${flag}`);
  if (finding.raisedBy.length > 1) indent(io, `Raised by: ${finding.raisedBy.join(', ')}`);
  for (const words of finding.also) indent(io, `Also put as: ${words}`);
  // What its lines were is worth a look only where they are so no more.
  if (finding.anchor === 'outdated' && finding.snippet !== null) indent(io, `When it was raised, the code was:\n${finding.snippet}`);
  if (finding.ruling !== null) indent(io, rulingWords(finding.ruling));
  if (finding.resolution !== null) indent(io, `Fixer: ${finding.resolution.status} ${finding.resolution.note}`);
}

function indent(io: Io, text: string): void {
  for (const line of clean(text).split('\n')) io.out(`    ${line}`);
}

function anchorWords({ anchor }: Finding): string {
  return anchor === 'moved' || anchor === 'outdated' ? `, lines ${anchor}` : '';
}

function rulingWords({ ruling, by, note, from }: NonNullable<Finding['ruling']>): string {
  return `${ruling.charAt(0).toUpperCase()}${ruling.slice(1)} by ${by}${from === null ? '' : ` as ${from}`}${note === '' ? '' : `: ${note}`}`;
}
