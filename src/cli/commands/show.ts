import { readLoop } from '../../app-reader.ts';
import type { Loop } from '../../core/loop.ts';
import { loopOutput } from '../../core/project-output.ts';
import { counted } from '../../core/words.ts';
import type { Command, Io } from '../command.ts';
import { printEnding } from '../ending.ts';
import { loopId } from '../loop-id.ts';
import { clean, paint } from '../print.ts';
import { storyLines } from '../story.ts';

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
    io.out(`  ${paint(io, 'dim', 'agents')}  ${agentWords(loop)}`);
    for (const line of taskLine(loop, io)) io.out(line);
    if (loop.imported !== null) io.out(`  ${paint(io, 'yellow', importWords(loop.imported))}`);
    for (const note of loop.notes) io.out(`  ${clean(note)}`);
    for (const line of storyLines(loop, io)) io.out(line);
    for (const line of proofLines(loop, io)) io.out(line);
    io.out('');
    printEnding(loop, { document, driven }, io);
    return 0;
  },
};

/** What the task is known by beside its words. */
function taskLine({ task: { ref, group, dependsOn, follows } }: Loop, io: Io): string[] {
  const parts = [
    ...(ref === null ? [] : [`ref ${ref}`]),
    ...(group === null ? [] : [`group ${group}`]),
    ...(dependsOn.length === 0 ? [] : [`depends on ${dependsOn.join(', ')}`]),
    ...(follows === null ? [] : [`follows ${follows}`]),
  ];
  return parts.length === 0 ? [] : [`  ${paint(io, 'dim', 'task')}    ${clean(parts.join('   '))}`];
}

/** What came with a file may say anything. */
function importWords({ by, at }: NonNullable<Loop['imported']>): string {
  return `imported by ${clean(by)} on ${clean(at.slice(0, 10))}; what came before that was written elsewhere`;
}

/** Who plays which role. */
function agentWords({ roles }: Loop): string {
  const parts = [
    ...(roles.author === null ? [] : [`author ${roles.author}`]),
    `reviewer ${roles.reviewer.join(', ')}`,
    ...(roles.fixer === null ? [] : [`fixer ${roles.fixer}`]),
    ...(roles.arbiter === null ? [] : [`arbiter ${roles.arbiter}`]),
  ];
  return clean(parts.join('   '));
}

/** What the approval rests on. */
function proofLines({ id, approval }: Loop, io: Io): string[] {
  if (approval?.by !== 'review') return [];
  return approval.proofs.map((proof, index) => {
    const agent = [proof.agent, proof.agentVersion, proof.model].filter((part) => part !== null).join(' ');
    const files = counted(proof.filesDelivered.length + proof.filesNamed.length, 'file');
    const gates = proof.gates === null ? 'no gates' : `${proof.gates.filter(({ passed }) => passed).length}/${proof.gates.length} gates`;
    const parts = [`commit ${proof.head.slice(0, 8)}`, files, `${proof.channel} channel`, `confinement ${proof.confinement}`, gates];
    const hint = index === approval.proofs.length - 1 ? paint(io, 'dim', ` (volley verify ${id})`) : '';
    return `  ${paint(io, 'dim', index === 0 ? 'proof' : '     ')} ${clean(agent)}: ${parts.join(', ')}${hint}`;
  });
}
