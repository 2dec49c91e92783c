import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ServerFrame, LiveTopic } from '../../src/api/contract/live.ts';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { framesInJournal, journalFrames, openLive } from '../support/live-listener.ts';
import type { LivePlace } from '../support/live-listener.ts';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';

const JOURNAL = '.volley/volley.db';
const KILLS = 5;
const ENTRIES = 1000;

/** Another process that appends to loops of the journal until it has written so many entries. */
function startWriting(file: string): ChildProcess {
  const from = (path: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, '..', '..', path)).href);
  const script = `
    import { openSqliteStore } from ${from('src/store/sqlite.ts')};
    import { makeCreated } from ${from('test/support/created.ts')};
    const store = await openSqliteStore(${JSON.stringify({ file, backupDir: `${file}.backups` })});
    const now = () => new Date().toISOString();
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await store.transaction((tx) => tx.create(makeCreated, now()))).id);
    for (let count = 0; count < ${ENTRIES}; count += 1) {
      const override = count % 2 === 0 ? 'takeover' : 'handback';
      const event = { type: 'overridden', override, by: 'Test Person', reason: null, verdict: null, review: false };
      await store.transaction((tx) => tx.append(ids[Math.floor(count / 2) % 3], event, now()));
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    await store.close();`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** A client that comes back whenever the server is gone, and goes on behind what it has seen last. */
class Follower {
  readonly #place: LivePlace;
  readonly #asked: { readonly topics: readonly LiveTopic[]; readonly loops?: readonly number[] };
  readonly frames: ServerFrame[] = [];
  readonly #offsets: Record<string, number> = {};
  #isDone = false;
  connections = 0;
  #seq = 0;

  constructor(place: LivePlace, asked: { readonly topics: readonly LiveTopic[]; readonly loops?: readonly number[] }) {
    this.#place = place;
    this.#asked = asked;
  }

  async follow(): Promise<void> {
    while (!this.#isDone) {
      const client = openLive(this.#place);
      const { topics, loops } = this.#asked;
      client.send({
        type: 'subscribe',
        topics: [...topics],
        ...(loops === undefined ? {} : { loops: [...loops] }),
        after: this.#seq,
        ...(topics.includes('output') ? { outputAfter: this.#offsets } : {}),
      });
      const gone = client.closed.then(() => true);
      let kept = 0;
      for (let isGone = false; !isGone;) {
        isGone = await Promise.race([gone, delay(20, false)]);
        this.#keep(client.frames.slice(kept));
        kept = client.frames.length;
        if (this.#isDone) client.close();
      }
      if (kept > 0) this.connections += 1;
    }
  }

  stop(): void {
    this.#isDone = true;
  }

  #keep(frames: readonly ServerFrame[]): void {
    for (const frame of frames) {
      if (frame.type === 'output') this.#offsets[frame.transcript] = frame.next;
      else if (frame.type !== 'hello' && 'seq' in frame) this.#seq = frame.seq;
    }
    this.frames.push(...frames);
  }
}

test(
  'kill -9 of the server, again and again: every client sees each frame once, and nothing is missing',
  { timeout: 120_000 },
  async () => {
    await using scenario = await makeScenario({
      agents: {
        author: turns({ write: { 'a.txt': 'wrong\n' }, print: 'I write é€😀.\n'.repeat(500) }),
        reviewer: answers(rejected(issue('It is wrong.', { file: 'a.txt', line: 1 })), APPROVED),
        fixer: turns({ write: { 'a.txt': 'right\n' }, print: 'I mend it.\n'.repeat(500) }),
      },
    });
    let serving = await startServer(scenario);
    const { url, token } = serving;
    const place = { url, token };
    const port = Number(new URL(place.url).port);
    const followers = [
      new Follower(place, { topics: ['journal', 'review-loop'] }),
      new Follower(place, { topics: ['journal'] }),
      new Follower(place, { topics: ['review-loop'], loops: [1, 3] }),
      new Follower(place, { topics: ['output', 'journal'], loops: [1, 2, 3, 4] }),
    ];
    const following = followers.map(async (follower) => await follower.follow());
    try {
      // Task 1 comes first, so that the other process has a journal to write to.
      const running = scenario.volley(['run', 'Write it']);
      await eventually('a journal', async () => existsSync(join(scenario.root, JOURNAL)));
      const written = once(startWriting(join(scenario.root, JOURNAL)), 'exit');
      for (let kill = 0; kill < KILLS; kill += 1) {
        await delay(300 + kill * 150);
        const ended = once(serving.process, 'exit');
        serving.process.kill('SIGKILL');
        await ended;
        serving = await startServer(scenario, ['--port', String(port)]);
      }
      assert.deepEqual([(await written)[0], (await running).code], [0, 0]);
      await check(scenario, followers);
    } finally {
      for (const follower of followers) follower.stop();
      await Promise.all(following);
    }
  },
);

async function check(scenario: Scenario, [all, journal, few, output]: readonly Follower[]): Promise<void> {
  const file = join(scenario.root, JOURNAL);
  const store = await openSqliteStore({ file, backupDir: `${file}.backups` });
  const expected = [
    [all, { after: 0, topics: ['journal', 'review-loop'] }],
    [journal, { after: 0, topics: ['journal'] }],
    [few, { after: 0, topics: ['review-loop'], loops: [1, 3] }],
    [output, { after: 0, topics: ['journal'], loops: [1, 2, 3, 4] }],
  ] as const;
  assert.ok((await store.position()) > ENTRIES);
  for (const [follower, wanted] of expected) {
    assert.ok(follower);
    const frames = await framesInJournal(store, wanted);
    await eventually('the last frame', async () => journalFrames(follower.frames).length >= frames.length);
    assert.ok(follower.connections > KILLS / 2, 'it was hardly ever there');
    assert.ok(!follower.frames.some(({ type }) => type === 'snapshot' || type === 'error'));
    assert.deepEqual(seqsOf(follower.frames), seqsOf(frames));
    assert.deepEqual(journalFrames(follower.frames), frames);
  }
  await store.close();
  const folder = join(scenario.root, '.volley', 'transcripts');
  const names = await readdir(folder);
  assert.ok(names.length >= 4);
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    const said = (): string =>
      (output?.frames ?? []).flatMap((one) => (one.type === 'output' && one.transcript.endsWith(`/${name}`) ? [one.text] : [])).join('');
    await eventually('the whole transcript', async () => said().length >= text.length);
    assert.equal(said(), text, name);
  }
}

function seqsOf(frames: readonly ServerFrame[]): readonly number[] {
  return journalFrames(frames).flatMap((frame) => ('seq' in frame ? [frame.seq] : []));
}
