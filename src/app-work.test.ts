import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoop } from '../test/support/loops.ts';
import type { Queue } from './app-queue.ts';
import type { Loop } from './core/loop.ts';
import { workThrough } from './app-work.ts';
import type { Worked, Working } from './app-work.ts';

type Task = { readonly id: number; untilMs?: number; isForMoney?: boolean; looks?: number; driver?: number; error?: Error };

/** A queue of tasks that are done when they are driven; one with a time waits for it first, and again after so many looks, one with an error breaks. */
function makeStage(tasks: Task[]): {
  readonly told: string[];
  most: number;
  onDrive: (id: number) => void;
  work(changes?: Partial<Working>): Promise<Worked>;
} {
  const isWaiting = (task: Task): boolean => task.untilMs !== undefined;
  const queue: Queue = {
    release: async () => await Promise.resolve([]),
    wake: async (ids) => {
      for (const task of tasks.filter(({ id }) => ids?.includes(id) === true)) {
        if (task.looks === undefined || task.looks === 0) delete task.untilMs;
        else Object.assign(task, { looks: task.looks - 1, untilMs: Date.now() + 10 });
      }
      await Promise.resolve();
    },
    pending: async () => {
      const owner = (pid: number): { pid: number; startedAt: string; host: string } => ({ pid, startedAt: '', host: '' });
      const free = tasks.filter((task) => !isWaiting(task));
      return await Promise.resolve(free.map(({ id, driver }) => ({ id, driver: driver === undefined ? null : owner(driver) })));
    },
    waits: async () =>
      await Promise.resolve(
        tasks.flatMap(({ id, untilMs, isForMoney = false }) => (untilMs === undefined ? [] : [{ id, untilMs, isForMoney }])),
      ),
  };
  let running = 0;
  const stage: ReturnType<typeof makeStage> = {
    told: [],
    most: 0,
    onDrive: () => undefined,
    work: async (changes: Partial<Working> = {}): Promise<Worked> =>
      await workThrough({ drive, load: async (id: number): Promise<Loop> => await Promise.resolve(makeLoop({ id })) }, queue, {
        slots: 1,
        watch: false,
        signal: new AbortController().signal,
        ended: ({ id }) => stage.told.push(`ended ${id}`),
        broke: (id, error) => stage.told.push(`broke ${id}: ${String(error)}`),
        waiting: ({ id }) => stage.told.push(`waits for ${id}`),
        ...changes,
      }),
  };
  const drive = async (ids: readonly number[] | null): Promise<{ driven: number[]; busy: [] }> => {
    const id = ids?.[0] ?? 0;
    const task = tasks.find((one) => one.id === id);
    running += 1;
    stage.most = Math.max(stage.most, running);
    stage.onDrive(id);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (task?.error !== undefined) throw task.error;
    if (task !== undefined) tasks.splice(tasks.indexOf(task), 1);
    return { driven: [id], busy: [] };
  };
  return stage;
}

test('tasks are driven in order, one at a time, those included that are added meanwhile', async () => {
  const tasks: Task[] = [{ id: 1 }, { id: 2 }];
  const stage = makeStage(tasks);
  stage.onDrive = (id) => (id === 2 ? tasks.push({ id: 3 }) : undefined);
  const { driven } = await stage.work();
  assert.deepEqual([stage.told, [...driven], stage.most], [['ended 1', 'ended 2', 'ended 3'], [1, 2, 3], 1]);
});

test('as many run at once as there are slots', async () => {
  const stage = makeStage([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
  await stage.work({ slots: 3 });
  assert.equal(stage.most, 3);
});

test('a task that cannot be driven is told, tried once, and stops no other one', async () => {
  const stage = makeStage([{ id: 1, error: new Error('no disk') }, { id: 2 }]);
  const { driven } = await stage.work();
  assert.deepEqual([stage.told, [...driven]], [['broke 1: Error: no disk', 'ended 2'], [2]]);
});

test('what another process drives is left to it', async () => {
  const { driven, busy } = await makeStage([{ id: 1, driver: 4711 }, { id: 2 }]).work();
  assert.deepEqual([[...driven], [...busy]], [[2], [[1, 4711]]]);
});

test('a known time is waited for and said once, and other tasks do not wait for it', async () => {
  const stage = makeStage([{ id: 1, untilMs: Date.now() + 1500 }, { id: 2 }]);
  await stage.work();
  assert.deepEqual(stage.told, ['ended 2', 'waits for 1', 'ended 1']);
});

test('a wait for money is said once, however often somebody looks again', async () => {
  const stage = makeStage([{ id: 1, untilMs: Date.now() + 10, isForMoney: true, looks: 2 }, { id: 2 }]);
  await stage.work();
  assert.deepEqual(stage.told, ['ended 2', 'waits for 1', 'ended 1']);
});

test('whoever watches goes on looking for work until somebody stops it', async () => {
  const tasks: Task[] = [];
  const stage = makeStage(tasks);
  const controller = new AbortController();
  setTimeout(() => tasks.push({ id: 7 }), 20);
  stage.onDrive = () => controller.abort();
  const { driven } = await stage.work({ watch: true, signal: controller.signal });
  assert.deepEqual([...driven], [7]);
});
