import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ApiReply } from '../../src/api/contract.ts';
import { framesInJournal, journalFrames, openLive } from '../support/live-listener.ts';
import { playLoop, SWINGING } from '../support/played-loop.ts';
import { serveScenario } from '../support/served.ts';
import type { ServedProject } from '../support/served.ts';

type Page = ApiReply<'readProjectJournal'>;

describe('the journal of the project', () => {
  let project: ServedProject;
  before(async () => {
    project = await serveScenario(SWINGING);
    await playLoop(project, 'Add numbers');
    await playLoop(project, 'Add more', { drive: false });
  });
  after(async () => await project[Symbol.asyncDispose]());

  async function read(query = ''): Promise<Page> {
    const { status, body } = await project.ask('GET', `/api/journal${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as Page;
  }

  async function readOn(seen: number, limit: number): Promise<Page['events']> {
    const events: Page['events'] = [];
    for (let from: number | null = seen; from !== null;) {
      const page: Page = await read(`?after=${from}&limit=${limit}`);
      assert.ok(page.next === null || page.events.length === limit);
      events.push(...page.events);
      from = page.next;
    }
    return events;
  }

  test('is that of the live channel, entry by entry and under the same numbers', async () => {
    const frames = await framesInJournal(project.app.engine.store, { after: 0, topics: ['journal'] });
    for (const limit of [1, 7, 500]) assert.deepEqual(await readOn(0, limit), frames);
    assert.deepEqual(
      new Set(frames.map((frame) => ('payload' in frame && 'loop' in frame.payload ? frame.payload.loop : null))),
      new Set([1, 2]),
    );
    const { seq, events, next } = await read('?limit=500');
    assert.ok(next === null && (events.at(-1)?.seq ?? 0) <= seq);
    assert.deepEqual((await read(`?after=${seq}`)).events, []);
  });

  test('goes on behind any frame that a client has seen, of whichever kind', async () => {
    const all = await framesInJournal(project.app.engine.store, { after: 0, topics: ['journal', 'review-loop'] });
    for (const frame of all) {
      const seen = 'seq' in frame ? frame.seq : 0;
      const left = all.filter((one) => one.type === 'event' && one.seq > seen);
      assert.deepEqual(await readOn(seen, 500), left);
    }
  });

  test('leads into the live channel without a gap or a repeat', async () => {
    const events = await readOn(0, 100);
    await playLoop(project, 'Comes later', { drive: false });
    const live = openLive({ url: project.served.url, token: project.token });
    live.send({ type: 'subscribe', topics: ['journal'], after: events.at(-1)?.seq ?? 0 });
    await live.until('the new task', (frame) => frame.type === 'event' && frame.payload.loop === 3);
    live.close();
    const whole = await framesInJournal(project.app.engine.store, { after: 0, topics: ['journal'] });
    assert.deepEqual([...events, ...journalFrames(live.frames)], whole);
  });

  for (const query of ['?after=-1', '?after=1e3', '?after=x', '?limit=0', '?limit=501', '?cursor=1'])
    test(`refuses ${query}`, async () => {
      assert.equal((await project.ask('GET', `/api/journal${query}`)).status, 400);
    });
});
