import { unknownTask, VolleyError } from '../core/errors.ts';
import type { Loop } from '../core/loop.ts';
import { redact } from '../core/secrets.ts';
import { reviewStart } from '../core/start-review.ts';
import type { ReviewStart } from '../core/start-review.ts';
import { appendTogether } from './append.ts';
import { followBranch } from './branch.ts';
import { requireLoop } from './commands.ts';
import type { Engine } from './engine.ts';

/** Has a loop reviewed that rests unreviewed, or would; one that goes there by itself is left alone. Asked twice at once, it orders one review. */
export async function startReview(
  engine: Engine,
  id: number,
  asked: { readonly by: string; readonly reason: string | null },
): Promise<Loop> {
  await followBranch(engine, await requireLoop(engine, id));
  const reason = asked.reason === null ? null : redact(asked.reason);
  const { loop, start } = await appendTogether(engine, async (tx, append): Promise<{ loop: Loop; start: ReviewStart }> => {
    const found = await tx.load(id);
    if (found === null) throw unknownTask(id);
    const how = reviewStart(found);
    if (how.kind === 'under-way' || how.kind === 'refused') return { loop: found, start: how };
    const taken = await append(
      id,
      how.kind === 'edit'
        ? { type: 'edited', ...asked, reason, edit: how.edit }
        : { type: 'overridden', override: 'review', ...asked, reason, verdict: null, review: how.fix },
    );
    if (taken.refused === null) return { loop: taken.loop, start: how };
    return { loop: taken.loop, start: { kind: 'refused', why: taken.refused, remedy: `See volley show ${id} for where it stands.` } };
  });
  if (start.kind !== 'refused') return loop;
  throw new VolleyError('refused', `The review of task ${id} cannot start: ${start.why.replace(/\.$/, '')}.`, start.remedy);
}
