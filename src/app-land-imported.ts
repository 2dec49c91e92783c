import { verifyTask } from './app-verify.ts';
import { isApprovedElsewhere } from './core/approved-elsewhere.ts';
import { VolleyError } from './core/errors.ts';
import { replayJournal } from './core/replay.ts';
import type { Project } from './git/project.ts';
import type { Store } from './store/store.ts';

/** Refuses an imported loop whose journal does not bear its approval out: whoever wrote the file could claim anything. */
export async function requireBorneOut({ project, store }: { readonly project: Project; readonly store: Store }, id: number): Promise<void> {
  const { loop, verification } = await verifyTask(project.root, id);
  if (verification.failed > 0)
    throw new VolleyError(
      'refused',
      `Task ${id} was imported, and ${verification.why}.`,
      `See volley verify ${id}; merge ${loop.branch} by hand if you know better.`,
    );
  const replay = replayJournal(await store.journal(id));
  if (loop.approval?.by !== 'person' || replay === null || !isApprovedElsewhere(replay)) return;
  throw new VolleyError(
    'refused',
    `Task ${id} was imported, and its approval is by ${loop.approval.name}, which a file cannot prove.`,
    `Have it reviewed here: volley review ${id}.`,
  );
}
