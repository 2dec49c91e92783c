import { VolleyError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { redactAll, secretIn } from '../core/redact-all.ts';
import type { Settings } from '../core/settings.ts';
import { slugOf } from '../core/task.ts';
import type { Task } from '../core/task.ts';
import { failpoint } from '../lib/failpoint.ts';
import { ulid } from '../lib/ids.ts';
import type { Engine } from './engine.ts';

type Created = Extract<Event, { type: 'created' }>;

/** What a loop is started with. */
export type StartRequest = {
  readonly task: Task;
  readonly settings: Settings;
  readonly base: Created['base'];
  readonly start: Created['start'];
  readonly by: string;
  readonly notes: readonly string[];
  /** Branches of the user's repository: an existing one is never written to. */
  readonly takenBranches: ReadonlySet<string>;
};

/** Writes a new loop into the journal; nothing runs yet. */
export async function startLoop(engine: Engine, request: StartRequest): Promise<Loop> {
  const [loop] = await startLoops(engine, [request]);
  if (loop === undefined) throw new Error('no loop was made');
  return loop;
}

/** Writes new loops into the journal, all of them or none. */
export async function startLoops(engine: Engine, requests: readonly StartRequest[]): Promise<readonly Loop[]> {
  if (requests.length === 0) return [];
  for (const { settings } of requests) refuseSecret(settings);
  const at = engine.now();
  const loops = await engine.store.transaction(async (tx) => {
    const made: Loop[] = [];
    for (const request of requests) made.push(await tx.create((id) => createdBy(request, { id, uid: ulid(Date.parse(at)) }), at));
    return made;
  });
  await failpoint('after created');
  for (const loop of loops) {
    const event = (await engine.store.journal(loop.id))[0];
    if (event !== undefined) engine.report({ type: 'journal', loop, before: null, entry: event });
  }
  return loops;
}

/** A command cannot be run without its secret, so it is not taken out of what the journal keeps: it has to stand elsewhere. */
function refuseSecret(settings: Settings): void {
  const kind = secretIn(settings);
  if (kind === null) return;
  throw new VolleyError(
    'bad-config',
    `The settings hold what looks like a secret (${kind}), which the journal would keep.`,
    'Put it into a file that checkout.copy names, such as .env, or into a variable that the env of an agent names.',
  );
}

function createdBy(request: StartRequest, { id, uid }: { readonly id: number; readonly uid: string }): Created {
  const { settings, base, start, by } = request;
  const task = redactAll(request.task);
  const plain = `${settings.branchPrefix}${id}-${slugOf(task.title)}`;
  const branch = request.takenBranches.has(plain) ? `${plain}-${uid.slice(-6).toLowerCase()}` : plain;
  return { type: 'created', id, uid, task, settings, base, start, branch, by, notes: [...request.notes] };
}
