import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, wantsWork } from '../core/decide.ts';
import type { Event } from '../core/event.ts';
import type { Loop } from '../core/loop.ts';
import { testPositions } from './position-conformance.ts';
import type { Appended, Created, LoopFilter, LoopRow, Owner, RowFilter, Store } from './store.ts';
import { testCards } from './conformance-cards.ts';
import { testDrafts } from './conformance-drafts.ts';
import { testWaits } from './wait-conformance.ts';

/** What a store needs to be put through its paces: fresh ones, and events for its loops. */
export type StoreUnderTest = {
  readonly open: () => Promise<Store>;
  /** The first event of a loop of that number. */
  readonly created: (id: number) => Created;
  /** The result of the action under way: of an author a commit, of a reviewer one blocking finding about code with this hash. */
  readonly result: (loop: Loop, codeHash: string | null) => Event;
};

const AT = '2026-01-29T10:00:00.000Z';
const LATER = '2026-01-29T11:00:00.000Z';
const MUCH_LATER = '2026-01-30T00:00:00.000Z';
const OWNER: Owner = { pid: 4711, startedAt: 'then', host: 'here' };
const CANCEL: Event = { type: 'overridden', override: 'cancel', by: 'Test Person', reason: null, verdict: null, review: false };

/** The promises of a store; the test of every implementation calls it. */
export function storeConformance(name: string, under: StoreUnderTest): void {
  testJournal(name, under);
  testPositions(name, under);
  testRefusals(name, under);
  testTransactions(name, under);
  testJobs(name, under);
  testRows(name, under);
  testFilters(name, under);
  testMemories(name, under);
  testTallies(name, under);
  testAdoption(name, under);
  testDrafts(name, under);
  testCards(name, under);
  testWaits(name, under);
}

function testJournal(name: string, { open, created }: StoreUnderTest): void {
  test(`${name}: loops are numbered from 1 and begin with their created entry`, async () => {
    const store = await open();
    const ids = [await makeLoop(store, created), await makeLoop(store, created)];
    assert.deepEqual(ids, [1, 2]);
    assert.deepEqual(await store.journal(2), [{ seq: 1, at: AT, event: created(2) }]);
    assert.equal((await store.load(2))?.task.title, created(2).task.title);
    await store.close();
  });

  test(`${name}: events stay in the order in which they came, with their time`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    await append(store, id, warned('one'));
    await append(store, id, warned('two'));
    const entries = await store.journal(id);
    assert.deepEqual(
      entries.map((entry) => [entry.seq, entry.event.type === 'warned' ? entry.event.text : entry.event.type, entry.at]),
      [
        [1, 'created', AT],
        [2, 'one', LATER],
        [3, 'two', LATER],
      ],
    );
    await store.close();
  });

  test(`${name}: an append gives the loop as it was and as it is read again`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    const { before, loop, seq, refused } = await append(store, id, await started(store, id));
    assert.deepEqual([before.seq, before.state], [1, 'queued']);
    assert.deepEqual([seq, refused, loop.state], [2, null, 'implementing']);
    assert.deepEqual(await store.load(id), loop);
    await store.close();
  });
}

function testRefusals(name: string, { open, created }: StoreUnderTest): void {
  test(`${name}: an event that is not admitted stands in the journal as refused, and its session is booked`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    const { loop, seq, refused } = await append(store, id, lateResult());
    assert.match(refused ?? '', /superseded/);
    assert.equal(loop.spend.usd, 0.25);
    const entry = (await store.journal(id))[seq - 1]?.event;
    assert.ok(entry?.type === 'refused' && entry.event === 'authored' && entry.why === refused && entry.session?.agent === 'alpha');
    await store.close();
  });

  test(`${name}: an event that could not be read again is not written`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    await assert.rejects(append(store, id, lateResult(Number.NaN)), /could not be read again/);
    assert.equal((await store.journal(id)).length, 1);
    await store.close();
  });

  test(`${name}: a loop that does not exist is absent when read and an error when written`, async () => {
    const store = await open();
    assert.equal(await store.load(7), null);
    await assert.rejects(append(store, 7, warned('x')), { code: 'unknown-loop' });
    await assert.rejects(store.journal(7), { code: 'unknown-loop' });
    await assert.rejects(
      store.transaction((tx) => tx.putJob(7)),
      { code: 'unknown-loop' },
    );
    await store.close();
  });
}

function testTransactions(name: string, { open, created }: StoreUnderTest): void {
  test(`${name}: what a failed transaction wrote is undone wholly`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    const before = await store.load(id);
    const failing = store.transaction(async (tx) => {
      await tx.append(id, warned('lost'), LATER);
      await tx.setOwner(id, OWNER);
      await tx.create(created, LATER);
      assert.deepEqual((await tx.load(id))?.notes, ['lost']);
      throw new Error('stop');
    });
    await assert.rejects(failing, /stop/);
    assert.deepEqual(await store.load(id), before);
    assert.deepEqual(
      (await store.rows()).map((row) => [row.id, row.owner]),
      [[id, null]],
    );
    const { seq, loop } = await append(store, id, warned('kept'));
    assert.deepEqual([seq, loop.notes], [2, ['kept']]);
    await store.close();
  });

  test(`${name}: of many transactions at once only the one that fails is undone`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    const ended = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) =>
        store.transaction(async (tx) => {
          await tx.append(id, warned(String(index)), LATER);
          if (index % 3 === 1) throw new Error('stop');
        }),
      ),
    );
    assert.deepEqual(
      ended.map((one) => one.status === 'fulfilled'),
      [true, false, true, true, false, true, true, false, true],
    );
    assert.deepEqual((await store.load(id))?.notes, ['0', '2', '3', '5', '6', '8']);
    assert.equal((await store.journal(id)).length, 7);
    await store.close();
  });

  test(`${name}: a reader outside of a transaction does not see what is not committed`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    await store.transaction(async (tx) => {
      await tx.append(id, warned('soon'), LATER);
      assert.equal((await store.load(id))?.seq, 1);
      assert.equal((await store.journal(id)).length, 1);
    });
    assert.equal((await store.load(id))?.seq, 2);
    await store.close();
  });

  test(`${name}: transactions of one process take turns`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    const appended = await Promise.all(Array.from({ length: 40 }, (_, index) => append(store, id, warned(String(index)))));
    assert.deepEqual(
      appended.map((one) => one.seq),
      Array.from({ length: 40 }, (_, index) => index + 2),
    );
    assert.equal((await store.journal(id)).length, 41);
    await store.close();
  });
}

function testJobs(name: string, { open, created }: StoreUnderTest): void {
  test(`${name}: a loop has a job exactly while it wants work`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    assert.deepEqual(await jobs(store), [{ loopId: id, owner: null }]);
    const { loop } = await append(store, id, CANCEL);
    const ended = wantsWork(loop) ? await append(store, id, ending(loop)) : { loop };
    assert.equal(wantsWork(ended.loop), false);
    assert.deepEqual(await jobs(store), []);
    await store.close();
  });

  test(`${name}: jobs come in the order of their loops, with whoever drives them`, async () => {
    const store = await open();
    for (let count = 0; count < 11; count += 1) await makeLoop(store, created);
    await store.transaction((tx) => tx.setOwner(2, OWNER));
    const found = await jobs(store);
    assert.deepEqual(
      found.map((job) => job.loopId),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    );
    assert.deepEqual(await store.transaction((tx) => tx.job(2)), { loopId: 2, owner: OWNER });
    assert.deepEqual((await store.rows()).find((row) => row.id === 2)?.owner, OWNER);
    await store.close();
  });

  test(`${name}: a driver keeps its loop when the job is dropped and put again`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    await store.transaction(async (tx) => {
      await tx.setOwner(id, OWNER);
      await tx.dropJob(id);
    });
    assert.deepEqual(await jobs(store), []);
    assert.equal(await store.transaction((tx) => tx.job(id)), null);
    assert.deepEqual((await store.rows())[0]?.owner, OWNER);
    await store.transaction((tx) => tx.putJob(id));
    assert.deepEqual(await jobs(store), [{ loopId: id, owner: OWNER }]);
    await store.transaction((tx) => tx.setOwner(id, null));
    assert.deepEqual(await jobs(store), [{ loopId: id, owner: null }]);
    await store.close();
  });

  test(`${name}: dropping and letting go in either order leaves nothing`, async () => {
    const store = await open();
    const id = await makeLoop(store, created);
    await store.transaction(async (tx) => {
      await tx.setOwner(id, OWNER);
      await tx.dropJob(id);
      await tx.setOwner(id, null);
    });
    const [row] = await store.rows();
    assert.deepEqual([row?.owner, row?.wantsWork], [null, false]);
    await store.close();
  });
}

function testRows(name: string, { open, created }: StoreUnderTest): void {
  test(`${name}: the rows show every loop, newest first, as its journal says`, async () => {
    const store = await open();
    await makeLoop(store, created);
    const id = await makeLoop(store, created);
    await append(store, id, lateResult());
    const rows = await store.rows();
    assert.deepEqual(
      rows.map((row) => row.id),
      [2, 1],
    );
    const { settings, task, uid, branch } = created(2);
    assert.deepEqual(rows[0], {
      id: 2,
      uid,
      title: task.title,
      kind: task.kind,
      state: (await store.load(2))?.state,
      waiting: null,
      finalVerdict: null,
      approvedBy: null,
      approver: null,
      rounds: 0,
      maxRounds: settings.policy.maxRounds,
      spendUsd: 0.25,
      spendEstimated: false,
      ceilingUsd: settings.policy.ceilingUsd.loop,
      escalation: null,
      choices: [],
      why: null,
      next: 'volley work 2',
      waitingUntil: null,
      phase: null,
      agent: null,
      phaseStartedAt: null,
      blocking: 0,
      trend: null,
      landed: false,
      group: null,
      branch,
      createdAt: AT,
      updatedAt: LATER,
      owner: null,
      wantsWork: true,
      needsYou: false,
    });
    await store.close();
  });

  test(`${name}: rows can be asked for by state, by whether they wait, by their numbers, and up to a number`, async () => {
    const store = await open();
    for (let count = 0; count < 3; count += 1) await makeLoop(store, created);
    await append(store, 2, await started(store, 2));
    await makeLoop(store, (id) => ({ ...created(id), task: { ...created(id).task, dependsOn: [1] } }));
    const ids = async (filter: RowFilter): Promise<number[]> => (await store.rows(filter)).map((row) => row.id);
    assert.deepEqual(await ids({ state: 'implementing' }), [2]);
    assert.deepEqual(await ids({ waiting: true }), [4]);
    assert.deepEqual(await ids({ limit: 2 }), [4, 3]);
    assert.deepEqual([await ids({ among: [1, 3, 9] }), await ids({ among: [] })], [[3, 1], []]);
    await store.close();
  });
}

/** Five loops: 2 is asked about nothing yet, 3 was cancelled, 4 waits for 1, 5 belongs to a group; 2 changed last. */
async function makeBoard(store: Store, created: (id: number) => Created): Promise<void> {
  for (let count = 0; count < 3; count += 1) await makeLoop(store, created);
  await append(store, 3, CANCEL);
  await makeLoop(store, (id) => ({ ...created(id), task: { ...created(id).task, title: 'Prüfe 100%_ davon', dependsOn: [1] } }));
  await makeLoop(store, (id) => ({ ...created(id), task: { ...created(id).task, kind: 'review', group: 'first' } }));
  await store.transaction(async (tx) => void (await tx.append(2, { type: 'failed', message: 'gone', stack: null }, MUCH_LATER)));
  await store.transaction((tx) => tx.setOwner(1, OWNER));
}

function testFilters(name: string, { open, created }: StoreUnderTest): void {
  const meant: readonly (readonly [LoopFilter, readonly number[]])[] = [
    [{}, [5, 4, 3, 2, 1]],
    [{ uid: created(3).uid }, [3]],
    [{ state: ['failed', 'cancelled'] }, [3, 2]],
    [{ kind: 'review' }, [5]],
    [{ group: 'first' }, [5]],
    [{ group: 'second' }, []],
    [{ waiting: true }, [4]],
    [{ waiting: false }, [5, 3, 2, 1]],
    [{ needsYou: true }, [2]],
    [{ needsYou: false, kind: 'implement' }, [4, 3, 1]],
    [{ approvedBy: 'review' }, []],
    [{ owned: true }, [1]],
    [{ owned: false, state: 'queued' }, [5, 4]],
    [{ among: [1, 4, 99] }, [4, 1]],
    [{ among: [] }, []],
    [{ except: [1, 4] }, [5, 3, 2]],
    [{ except: [] }, [5, 4, 3, 2, 1]],
    [{ since: MUCH_LATER }, [2]],
    [{ words: 'PRÜFE davon' }, [4]],
    [{ words: '100%_' }, [4]],
    [{ words: '%' }, [4]],
    [{ words: 'prüfe greeting' }, []],
    [{ words: '#3' }, [3]],
    [{ words: '' }, [5, 4, 3, 2, 1]],
    [{ words: "'; DROP TABLE loops --" }, []],
  ];
  for (const [filter, ids] of meant) {
    test(`${name}: the loops of ${JSON.stringify(filter)} are listed and counted`, async () => {
      const store = await open();
      await makeBoard(store, created);
      const rows = await store.rows(filter);
      assert.deepEqual(
        rows.map(({ id }) => id),
        ids,
      );
      const { total, states, needsYou } = await store.count(filter);
      assert.equal(total, ids.length);
      assert.equal(needsYou, rows.filter((row) => row.needsYou).length);
      assert.deepEqual(
        states,
        Object.fromEntries([...Map.groupBy(rows, ({ state }) => state)].map(([state, some]) => [state, some.length])),
      );
      await store.close();
    });
  }

  for (const sort of ['newest', 'updated'] as const) {
    test(`${name}: pages by ${sort} hold every loop once`, async () => {
      const store = await open();
      await makeBoard(store, created);
      const whole = await store.rows({ sort });
      if (sort === 'updated') assert.deepEqual([whole[0]?.id, whole[1]?.id], [2, 3]);
      const paged: LoopRow[] = [];
      for (let after: LoopRow | undefined; paged.length < whole.length; after = paged.at(-1)) {
        const page = await store.rows({ sort, limit: 2, ...(after === undefined ? {} : { after }) });
        assert.ok(page.length > 0);
        paged.push(...page);
      }
      assert.deepEqual(paged, whole);
      await store.close();
    });
  }
}

function testMemories(name: string, under: StoreUnderTest): void {
  const { open } = under;
  test(`${name}: what is refuted is remembered with the hash of its code, newest first`, async () => {
    const store = await open();
    for (const hash of ['h1', 'h2']) await refutedLoop(store, under, hash);
    const [newest, oldest, ...others] = await store.memories();
    assert.deepEqual([oldest?.codeHash, others], ['h1', []]);
    assert.deepEqual(newest, {
      findingId: '2.1',
      codeHash: 'h2',
      file: 'a.ts',
      line: 3,
      severity: 'high',
      category: 'logic',
      tag: 'dead-code',
      description: 'It is never called.',
      by: 'Test Person',
      person: true,
      note: 'it is called',
      at: LATER,
    });
    await store.close();
  });

  test(`${name}: memories can be asked for by the hash of the code`, async () => {
    const store = await open();
    for (const hash of ['h1', 'h2', 'h3']) await refutedLoop(store, under, hash);
    const ids = async (codeHashes: readonly string[]): Promise<string[]> =>
      (await store.memories({ codeHashes })).map(({ findingId }) => findingId);
    assert.deepEqual(await ids(['h1', 'h3', 'h4']), ['3.1', '1.1']);
    assert.deepEqual(await ids([]), []);
    await store.close();
  });

  test(`${name}: what is upheld after all, or cites no code, is not remembered`, async () => {
    const store = await open();
    const id = await refutedLoop(store, under, 'h1');
    await append(store, id, ruled(id, 'uphold'));
    await refutedLoop(store, under, null);
    assert.deepEqual(await store.memories(), []);
    await store.close();
  });

  test(`${name}: a memory can be forgotten once, and its finding stays refuted`, async () => {
    const store = await open();
    const id = await refutedLoop(store, under, 'h1');
    const forget: Event = { type: 'forgotten', findingId: `${id}.1`, by: 'Test Person', reason: null };
    const { loop, refused } = await append(store, id, forget);
    assert.deepEqual([refused, loop.findings[0]?.status, await store.memories()], [null, 'refuted', []]);
    assert.match((await append(store, id, forget)).refused ?? '', /nothing is remembered/);
    await store.close();
  });

  test(`${name}: what a failed transaction refuted is not remembered`, async () => {
    const store = await open();
    const id = await reviewedLoop(store, under, 'h1');
    const failing = store.transaction(async (tx) => {
      await tx.append(id, ruled(id, 'refute'), LATER);
      throw new Error('stop');
    });
    await assert.rejects(failing, /stop/);
    assert.deepEqual(await store.memories(), []);
    await store.close();
  });
}

function testTallies(name: string, { open, created }: StoreUnderTest): void {
  const spent = async (store: Store, since: string, id = 9): Promise<readonly number[]> => {
    const { spentUsd, reservedUsd, estimated } = await store.transaction((tx) => tx.tally(since, id));
    return [spentUsd, reservedUsd, Number(estimated)];
  };
  const limited = (id: number): Created => limitedLoop(created(id));

  test(`${name}: what sessions of all loops were booked with is summed from a moment on, refused ones too`, async () => {
    const store = await open();
    const ids = [await makeLoop(store, created), await makeLoop(store, created)];
    assert.deepEqual(await spent(store, AT), [0, 0, 0]);
    for (const id of ids) assert.notEqual((await append(store, id, lateResult(0.5))).refused, null);
    await store.transaction((tx) => tx.append(1, lateResult(0.25), MUCH_LATER));
    assert.deepEqual(await spent(store, LATER, 1), [1.25, 0, 0], 'the own loop counts too');
    assert.deepEqual(await spent(store, MUCH_LATER), [0.25, 0, 0]);
    assert.deepEqual([(await store.tally(MUCH_LATER)).spentUsd, (await store.tally(LATER)).spentUsd], [0.25, 1.25]);
    await append(store, 2, lateResult(1e308));
    await append(store, 2, lateResult(1e308));
    assert.deepEqual(await spent(store, LATER), [Number.MAX_VALUE, 0, 0], 'what no journal could hold');
    await store.close();
  });

  test(`${name}: what the sessions of each agent were booked with is told, with when the last was`, async () => {
    const store = await open();
    const ids = [await makeLoop(store, created), await makeLoop(store, created)];
    assert.deepEqual(await store.spendByAgent(), []);
    const late = lateResult(1);
    for (const id of ids) await append(store, id, lateResult());
    const by = (agent: string): Event => ({ ...late, session: late.session === null ? null : { ...late.session, agent } });
    await store.transaction((tx) => tx.append(2, by('zeta'), MUCH_LATER));
    assert.deepEqual(await store.spendByAgent(), [
      { agent: 'alpha', sessions: 2, usd: 0.5, estimated: false, lastAt: LATER },
      { agent: 'zeta', sessions: 1, usd: 1, estimated: false, lastAt: MUCH_LATER },
    ]);
    await store.close();
  });

  test(`${name}: what a session may spend is reserved while it works, for other loops`, async () => {
    const store = await open();
    const id = await makeLoop(store, limited);
    const { loop } = await append(store, id, await started(store, id));
    assert.deepEqual(
      [await spent(store, AT, 2), await spent(store, AT, id)],
      [
        [0, 1.5, 0],
        [0, 0, 0],
      ],
    );
    const failed = store.transaction(async (tx) => {
      await tx.append(id, { ...lateResult(0.5), token: loop.seq }, LATER);
      assert.deepEqual((await tx.tally(AT, 2)).reservedUsd, 0);
      throw new Error('stop');
    });
    await assert.rejects(failed, /stop/);
    assert.deepEqual(await spent(store, AT, 2), [0, 1.5, 0], 'what a failed transaction booked is undone');
    assert.equal((await append(store, id, { ...lateResult(0.5), token: loop.seq })).refused, null);
    assert.deepEqual(await spent(store, AT, 2), [0.5, 0, 0]);
    await store.close();
  });

  test(`${name}: a session that died with its driver is booked with what was reserved for it`, async () => {
    const store = await open();
    const id = await makeLoop(store, limited);
    const { loop } = await append(store, id, await started(store, id));
    await append(store, id, { type: 'interrupted', token: loop.seq, why: 'gone', session: null });
    assert.deepEqual(await spent(store, AT), [1.5, 0, 1]);
    assert.equal((await store.load(id))?.spend.usd, 1.5);
    await store.close();
  });

  test(`${name}: a loop that waits for money has a time and no job until it is woken`, async () => {
    const store = await open();
    const id = await makeLoop(store, (number) => limitedLoop(created(number), 2));
    const until = MUCH_LATER;
    await append(store, id, { type: 'tallied', day: '2026-01-29', spentUsd: 0.5, reservedUsd: 1.5, estimated: false });
    assert.equal((await append(store, id, { type: 'postponed', until, why: "the day's ceiling" })).refused, null);
    const [row] = await store.rows({ waiting: true });
    assert.deepEqual([row?.id, row?.waiting, row?.waitingUntil, row?.next], [id, 'slot', until, `volley work ${id}`]);
    assert.equal(row?.why, "other sessions have reserved what is left of the day's ceiling");
    assert.deepEqual(await jobs(store), []);
    await append(store, id, { type: 'woken' });
    assert.deepEqual(await jobs(store), [{ loopId: id, owner: null }]);
    await store.close();
  });
}

/** The same loop with a ceiling, and an author whose sessions may spend less. */
function limitedLoop(event: Created, day: number | null = null): Created {
  const { policy, agents, roles } = event.settings;
  const author = agents[roles.author ?? ''];
  if (author === undefined) throw new Error('the loop has no author');
  return {
    ...event,
    settings: {
      ...event.settings,
      policy: { ...policy, ceilingUsd: { loop: 5, run: null, day } },
      agents: { ...agents, [author.name]: { ...author, sessionUsd: 1.5 } },
    },
  };
}

function testAdoption(name: string, under: StoreUnderTest): void {
  test(`${name}: a loop of another journal is adopted as it is there, without its memories; its job only on request`, async () => {
    const [from, to] = [await under.open(), await under.open()];
    await refutedLoop(from, under, 'h1');
    const waiting = await makeLoop(from, under.created);
    for (const [id, job] of [[1, true] as const, [waiting, false] as const]) {
      const journal = await from.journal(id);
      const adopted = await to.transaction((tx) => tx.adopt(journal, { job }));
      assert.deepEqual(adopted, await from.load(id));
      assert.deepEqual([await to.load(id), await to.journal(id)], [adopted, journal]);
    }
    const plain = (rows: readonly LoopRow[]): readonly object[] => rows.map(({ wantsWork: _wanted, ...row }) => row);
    assert.deepEqual(plain(await to.rows()), plain(await from.rows()));
    assert.deepEqual([(await from.memories()).length, await to.memories()], [1, []]);
    const wanting = (await jobs(from)).filter(({ loopId }) => loopId !== waiting);
    assert.deepEqual(await jobs(to), wanting);
    assert.deepEqual(
      (await to.rows({ id: waiting })).map(({ id }) => id),
      [waiting],
    );
    await Promise.all([from.close(), to.close()]);
  });
}

function ruled(id: number, ruling: 'refute' | 'uphold'): Event {
  return { type: 'ruled', findingId: `${id}.1`, ruling, by: 'Test Person', reason: 'it is called' };
}

/** A loop whose one finding, about code with this hash, a person refuted. */
async function refutedLoop(store: Store, under: StoreUnderTest, codeHash: string | null): Promise<number> {
  const id = await reviewedLoop(store, under, codeHash);
  assert.equal((await append(store, id, ruled(id, 'refute'))).refused, null);
  return id;
}

async function reviewedLoop(store: Store, { created, result }: StoreUnderTest, codeHash: string | null): Promise<number> {
  const id = await makeLoop(store, created);
  for (let count = 0; count < 2; count += 1) {
    const { loop } = await append(store, id, await started(store, id));
    assert.equal((await append(store, id, result(loop, codeHash))).refused, null);
  }
  return id;
}

async function makeLoop(store: Store, created: (id: number) => Created): Promise<number> {
  return (await store.transaction((tx) => tx.create(created, AT))).id;
}

async function append(store: Store, id: number, event: Event): Promise<Appended> {
  return await store.transaction((tx) => tx.append(id, event, LATER));
}

async function jobs(store: Store): Promise<readonly { readonly loopId: number; readonly owner: Owner | null }[]> {
  return await store.transaction((tx) => tx.jobs());
}

async function started(store: Store, id: number): Promise<Event> {
  const loop = await store.load(id);
  if (loop === null) throw new Error(`no loop ${id}`);
  return { type: 'started', action: decide(loop) };
}

function ending(loop: Loop): Event {
  const action = decide(loop);
  if (action.do !== 'finish') throw new Error(`the loop goes on with ${action.do}`);
  return { type: 'finished', state: action.state, why: action.why };
}

function warned(text: string): Event {
  return { type: 'warned', about: 'branch', text };
}

/** The result of an author whose action is not, or no longer, under way. */
function lateResult(costUsd = 0.25): Extract<Event, { type: 'authored' }> {
  const usage = { inputTokens: 10, outputTokens: 5, costUsd, cachedTokens: null, cacheWriteTokens: null, reasoningTokens: null };
  const session = {
    agent: 'alpha',
    role: 'author',
    startedAt: AT,
    endedAt: LATER,
    exit: 'completed',
    exitCode: 0,
    usage,
    reservedUsd: null,
    costBasis: null,
    transcript: null,
    model: null,
    billing: null,
    resumeId: null,
    confinement: null,
    network: null,
  } as const;
  return { type: 'authored', token: 99, outcome: { kind: 'unchanged' }, summary: null, taskComplete: true, session };
}
