import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCreated } from '../test/support/created.ts';
import type { Queue } from './app-queue.ts';
import { workThrough } from './app-work.ts';
import type { Worked, Working } from './app-work.ts';
import { unknownTask } from './core/errors.ts';
import { localDispatcher } from './dispatch/local.ts';
import { memoryStore } from './store/memory.ts';

const AT = '2026-01-29T10:00:00.000Z';

type Task = { untilMs?: number; for?: string; looks?: number; driver?: number; error?: Error };

type Stage = {
  readonly told: string[];
  most: number;
  onDrive: (id: number) => Promise<void> | void;
  /** The next task, with the next number. */
  add(task: Task): Promise<number>;
  work(changes?: Partial<Working>): Promise<Worked>;
};

/** Tasks that are done when they are driven; one with a time waits for it first, and again after so many looks, one with an error breaks. */
async function makeStage(given: readonly Task[]): Promise<Stage> {
  const store = memoryStore();
  const dispatcher = localDispatcher(store);
  const tasks = new Map<number, Task>();
  const waiting = (): [number, Task][] => [...tasks].filter(([, { untilMs }]) => untilMs !== undefined);
  const queue: Queue = {
    selected: async () => await Promise.resolve(null),
    release: async () => await Promise.resolve({ asking: [], broken: [], isMore: false }),
    wake: async () => await Promise.resolve(),
    wakeDue: async (ids) => {
      for (const [id, task] of waiting().filter(([one]) => ids.includes(one))) {
        if (task.looks === undefined || task.looks === 0) {
          delete task.untilMs;
          await store.transaction(async (tx) => await dispatcher.enqueue(tx, { loopId: id }));
        } else Object.assign(task, { looks: task.looks - 1, untilMs: Date.now() + 10 });
      }
    },
    waits: async () =>
      await Promise.resolve(waiting().map(([id, { untilMs = 0, for: what = 'rate-limit' }]) => ({ id, untilMs, for: what }))),
  };
  let running = 0;
  const stage: Stage = {
    told: [],
    most: 0,
    onDrive: () => undefined,
    add: async (task) => {
      const { id } = await store.transaction(async (tx) => {
        const loop = await tx.create(makeCreated, AT);
        if (task.untilMs !== undefined) await tx.dropJob(loop.id);
        if (task.driver !== undefined) await tx.setOwner(loop.id, { pid: task.driver, startedAt: '', host: 'another-machine.invalid' });
        return loop;
      });
      tasks.set(id, task);
      return id;
    },
    work: async (changes = {}) => {
      const app = {
        load: async (id: number) => (await store.load(id)) ?? Promise.reject(unknownTask(id)),
        work: async ({ slots, signal }: Pick<Working, 'slots' | 'signal'>, watch: Parameters<typeof dispatcher.work>[0]['watch']) =>
          await dispatcher.work({ slots, signal, ...(watch === undefined ? {} : { watch }) }, drive),
      };
      return await workThrough(app, queue, {
        slots: 1,
        watch: false,
        signal: new AbortController().signal,
        ended: ({ id }) => stage.told.push(`ended ${id}`),
        broke: (id, error) => stage.told.push(`broke ${id}: ${String(error)}`),
        faltered: (error) => stage.told.push(`faltered: ${String(error)}`),
        waiting: ({ id }) => stage.told.push(`waits for ${id}`),
        ...changes,
      });
    },
  };
  const drive = async ({ loopId: id }: { readonly loopId: number }): Promise<void> => {
    running += 1;
    stage.most = Math.max(stage.most, running);
    await stage.onDrive(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    const error = tasks.get(id)?.error;
    if (error !== undefined) throw error;
    await store.transaction(async (tx) => await tx.dropJob(id));
  };
  for (const task of given) await stage.add(task);
  return stage;
}

test('tasks are driven in order, one at a time, those included that are added meanwhile', async () => {
  const stage = await makeStage([{}, {}]);
  stage.onDrive = async (id) => void (id === 2 && (await stage.add({})));
  const { driven } = await stage.work();
  assert.deepEqual([stage.told, [...driven], stage.most], [['ended 1', 'ended 2', 'ended 3'], [1, 2, 3], 1]);
});

test('as many run at once as there are slots', async () => {
  const stage = await makeStage([{}, {}, {}, {}]);
  await stage.work({ slots: 3 });
  assert.equal(stage.most, 3);
});

test('a task that cannot be driven is told, tried once, and stops no other one', async () => {
  const stage = await makeStage([{ error: new Error('no disk') }, {}]);
  const { driven } = await stage.work();
  assert.deepEqual([stage.told, [...driven]], [['broke 1: Error: no disk', 'ended 2'], [2]]);
});

test('what another process drives is left to it', async () => {
  const { driven, busy } = await (await makeStage([{ driver: 4711 }, {}])).work();
  assert.deepEqual([[...driven], [...busy]], [[2], [[1, 4711]]]);
});

test('a known time is waited for and said once, and other tasks do not wait for it', async () => {
  const stage = await makeStage([{ untilMs: Date.now() + 1500 }, {}]);
  await stage.work();
  assert.deepEqual(stage.told, ['ended 2', 'waits for 1', 'ended 1']);
});

test('a wait for money is said once, however often somebody looks again', async () => {
  const stage = await makeStage([{ untilMs: Date.now() + 10, for: 'slot', looks: 2 }, {}]);
  await stage.work();
  assert.deepEqual(stage.told, ['ended 2', 'waits for 1', 'ended 1']);
});

test('whoever watches goes on looking for work until somebody stops it', async () => {
  const stage = await makeStage([]);
  const controller = new AbortController();
  setTimeout(() => void stage.add({}), 20);
  stage.onDrive = () => controller.abort();
  const { driven } = await stage.work({ watch: true, signal: controller.signal });
  assert.deepEqual([...driven], [1]);
});

test('only whoever watches waits until there is room on a full disk', async () => {
  const stage = await makeStage([{ untilMs: Date.now() + 10, for: 'disk' }, {}]);
  await stage.work();
  assert.deepEqual(stage.told, ['ended 2']);
  const controller = new AbortController();
  stage.onDrive = () => controller.abort();
  await stage.work({ watch: true, signal: controller.signal });
  assert.equal(stage.told.at(-1), 'ended 1');
});
