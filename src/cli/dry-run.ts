import { previewTask } from '../app-start.ts';
import type { TaskRequest } from '../app-start.ts';
import { dryRun, dryRunLines } from '../core/dry-run.ts';
import { HOOKS_GATE } from '../core/settings.ts';
import type { Io } from './command.ts';

const UNKNOWN = { commit: 'unknown', tree: 'unknown' };

/** Tells every step of the longest path; nothing is started or written. */
export async function printDryRun(request: TaskRequest, io: Io): Promise<number> {
  const preview = await previewTask(io.cwd, request);
  if (preview === null) {
    io.out('Nothing to review.');
    io.object({ type: 'nothing', v: 1, message: 'nothing to review' });
    return 0;
  }
  const { task, settings, notes } = preview;
  for (const note of notes) io.out(note);
  const actions = dryRun({
    type: 'created',
    id: 1,
    uid: 'NEW',
    task,
    settings,
    base: { ref: 'base', commit: 'base', mergeBase: 'base', mergeBaseTree: 'base' },
    start: UNKNOWN,
    branch: 'NEW',
    by: 'nobody',
    notes: [],
  });
  const gates = [...settings.gates.map((gate) => gate.name), ...(settings.commitHooks === null ? [] : [HOOKS_GATE])];
  const lines = dryRunLines(actions, gates);
  for (const line of lines) io.out(line);
  actions.forEach((action, index) => io.object({ type: 'dry-run', v: 1, action, text: lines[index] }));
  return 0;
}
