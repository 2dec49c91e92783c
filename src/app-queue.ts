import type { App } from './app.ts';
import { openReleases } from './engine/release.ts';
import type { Released } from './engine/release.ts';
import { wakeDue, wakeLoops, wakeMaybeOver } from './engine/wake.ts';

/** Which tasks somebody works on: those that are named, those of a group, or all. */
export type Selection = { readonly ids: readonly number[] | null; readonly group: string | null };

/** A task that waits for a time, and what it waits for until then. */
export type Wait = { readonly id: number; readonly untilMs: number; readonly for: string };

/** What is pending in a project, as it is each time that it is asked; where nothing happened since, that costs next to nothing. */
export type Queue = {
  /** Lets all tasks go on that are selected and whose wait may be over, for somebody who begins to work, and may stay. */
  wake(how: { readonly isPatient: boolean }): Promise<void>;
  /** Lets these go on, as far as their time has come. */
  wakeDue(ids: readonly number[]): Promise<void>;
  /** Lets some tasks start that waited for others, also such as are not selected; of those that ask a person, the selected ones are given. */
  release(): Promise<Released>;
  /** The tasks that are selected; null for all. */
  selected(): Promise<readonly number[] | null>;
  /** The first tasks that wait for a time that is known, soonest first. */
  waits(): Promise<readonly Wait[]>;
};

/** So many waits are looked at together; the others come when these are over. */
const WAITS_AT_ONCE = 100;

/** So many are released before the slots are filled: each may take git a while. */
const RELEASES_AT_ONCE = 4;

/** Looks at what is pending among the tasks that are selected. */
export function openQueue({ engine }: Pick<App, 'engine'>, { ids, group }: Selection): Queue {
  const { store } = engine;
  const releases = openReleases(engine);
  const filter = { ...(ids === null ? {} : { among: ids }), ...(group === null ? {} : { group }) };
  /** Reads anew only where something was written since the last time, or more tasks were named. */
  const untilNews = <T>(read: () => Promise<T>): (() => Promise<T>) => {
    let known: { readonly at: string; readonly value: T } | null = null;
    return async () => {
      const at = `${await store.position()} ${ids?.length ?? ''}`;
      if (known?.at !== at) known = { at, value: await read() };
      return known.value;
    };
  };
  const members = untilNews(async () => (await store.rows(filter)).map(({ id }) => id));
  const selected: Queue['selected'] = async () => (group === null ? ids : await members());
  return {
    selected,
    wake: async (how) => await (group === null && ids !== null ? wakeLoops(engine, ids) : wakeMaybeOver(engine, { ...filter, ...how })),
    wakeDue: async (these) => await wakeDue(engine, these),
    release: async () => {
      const released = await releases.next(RELEASES_AT_ONCE);
      const these = await selected();
      return these === null ? released : { ...released, asking: released.asking.filter(({ id }) => these.includes(id)) };
    },
    waits: untilNews(async () => {
      const waits = await store.timedWaits({ ...filter, limit: WAITS_AT_ONCE });
      return waits.map(({ until, ...wait }) => ({ ...wait, untilMs: Date.parse(until) }));
    }),
  };
}
