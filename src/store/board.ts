import { DatabaseSync } from 'node:sqlite';
import { columnList } from './column-list.ts';
import { databaseExists } from './database.ts';
import { ownerOf } from './owner-record.ts';
import { userVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { brokenStore, explaining, newerStore, type DatabasePlace } from './sqlite-error.ts';
import type { LoopRow } from './store.ts';

const BUSY_MS = 10_000;

/** In the order in which `rowOf` takes them. */
const BOARD = `
SELECT loops.id, loops.number, title, kind, state, waiting, final_verdict, approved_by, approver, rounds, max_rounds, spend_usd,
  spend_estimated, ceiling_usd, escalation, why, next, waiting_until, phase, agent, phase_started_at, blocking, landed, group_name,
  branch, created_at, updated_at, wanted, owner_pid, owner_started_at, owner_host, choices, trend, needs_you
FROM loops LEFT JOIN jobs ON jobs.loop_id = loops.id
WHERE loops.number > (SELECT max(number) FROM loops) - ? OR loops.updated_at > ? OR jobs.wanted = 1 OR jobs.owner_pid IS NOT NULL
  OR loops.needs_you = 1 OR loops.waiting IS NOT NULL
  OR loops.number IN (SELECT number FROM loops WHERE state = 'approved' AND next GLOB 'volley land *' ORDER BY number DESC LIMIT ?)
ORDER BY loops.number DESC`;

/** Of the loops before the newest ones that could be landed, so many are read; nobody goes through more of them by hand. */
export const MOST_TO_LAND = 500;

/** What is read of a project with many loops: the `newest` ones, those that changed after `since`, and all that are not over. */
export type BoardLimit = { readonly newest: number; readonly since?: Date };

/** Later than anything that a loop was changed at. */
const NEVER = '9999';

/**
 * The rows of the overview, newest loop first, without the libraries that the store needs, because `status` has to be quick.
 * All of them, or as many as the limit says. Empty where there is no database; null where it has an older version, which
 * opening the store brings up to date.
 */
export function readBoard(place: DatabasePlace, limit: BoardLimit = { newest: Number.MAX_SAFE_INTEGER }): readonly LoopRow[] | null {
  return explaining(place, () => {
    if (!databaseExists(place)) return [];
    const db = new DatabaseSync(place.file, { readOnly: true, timeout: BUSY_MS });
    try {
      const version = userVersion(db);
      if (version > MIGRATIONS.length) throw newerStore(place.file, version, MIGRATIONS.length);
      if (version === 0) throw brokenStore(place, 'it is not a database of Volley');
      if (version < MIGRATIONS.length) return null;
      const statement = db.prepare(BOARD);
      // Three times as quick as rows with names.
      statement.setReturnArrays(true);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The tables are STRICT, so the columns hold what was declared.
      return (statement.all(limit.newest, limit.since?.toISOString() ?? NEVER, MOST_TO_LAND) as unknown as BoardColumns[]).map(rowOf);
    } finally {
      db.close();
    }
  });
}

type BoardColumns = readonly [
  id: string,
  number: number,
  title: string,
  kind: string,
  state: string,
  waiting: string | null,
  finalVerdict: string | null,
  approvedBy: LoopRow['approvedBy'],
  approver: string | null,
  rounds: number,
  maxRounds: number,
  spendUsd: number,
  spendEstimated: number,
  ceilingUsd: number | null,
  escalation: string | null,
  why: string | null,
  next: string | null,
  waitingUntil: string | null,
  phase: string | null,
  agent: string | null,
  phaseStartedAt: string | null,
  blocking: number,
  landed: number,
  group: string | null,
  branch: string,
  createdAt: string,
  updatedAt: string,
  wanted: number | null,
  ownerPid: number | null,
  ownerStartedAt: string | null,
  ownerHost: string | null,
  choices: string,
  trend: string | null,
  needsYou: number,
];

function rowOf(columns: BoardColumns): LoopRow {
  return {
    id: columns[1],
    uid: columns[0],
    title: columns[2],
    kind: columns[3],
    state: columns[4],
    waiting: columns[5],
    finalVerdict: columns[6],
    approvedBy: columns[7],
    approver: columns[8],
    rounds: columns[9],
    maxRounds: columns[10],
    spendUsd: columns[11],
    spendEstimated: columns[12] === 1,
    ceilingUsd: columns[13],
    escalation: columns[14],
    choices: columnList(columns[31]),
    why: columns[15],
    next: columns[16],
    waitingUntil: columns[17],
    phase: columns[18],
    agent: columns[19],
    phaseStartedAt: columns[20],
    blocking: columns[21],
    trend: columns[32],
    landed: columns[22] === 1,
    group: columns[23],
    branch: columns[24],
    createdAt: columns[25],
    updatedAt: columns[26],
    wantsWork: columns[27] === 1,
    needsYou: columns[33] === 1,
    owner: columns[28] === null ? null : ownerOf({ owner_pid: columns[28], owner_started_at: columns[29], owner_host: columns[30] }),
  };
}
