import { previewTask } from '../app-start.ts';
import type { TaskRequest } from '../app-start.ts';
import { dryRunSteps } from '../core/dry-run.ts';
import type { Io } from './command.ts';

/** Tells every step of the longest path; nothing is started or written. */
export async function printDryRun(request: TaskRequest, io: Io): Promise<number> {
  const preview = await previewTask(io.cwd, request);
  if (preview === null) {
    io.out('Nothing to review.');
    io.object({ type: 'nothing', v: 1, message: 'nothing to review' });
    return 0;
  }
  for (const note of preview.notes) io.out(note);
  const steps = dryRunSteps(preview.task, preview.settings);
  for (const { text } of steps) io.out(text);
  for (const { action, text } of steps) io.object({ type: 'dry-run', v: 1, action, text });
  return 0;
}
