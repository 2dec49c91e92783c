import { DatabaseSync } from 'node:sqlite';
import { databaseExists } from './database.ts';
import { ownerOf } from './loop-row.ts';
import { userVersion } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { brokenStore, explaining, newerStore, type DatabasePlace } from './sqlite-error.ts';
import type { LoopRow } from './store.ts';

const BUSY_MS = 10_000;

/** In the order in which `rowOf` takes them. */
const BOARD = `
SELECT loops.id, loops.number, title, kind, state, waiting, final_verdict, approved_by, approver, rounds, max_rounds, spend_usd,
  spend_estimated, ceiling_usd, escalation, branch, created_at, updated_at, wanted, owner_pid, owner_started_at, owner_host
FROM loops LEFT JOIN jobs ON jobs.loop_id = loops.id
WHERE loops.number > (SELECT max(number) FROM loops) - ? OR jobs.wanted = 1 OR jobs.owner_pid IS NOT NULL
  OR loops.state IN ('needs_human', 'blocked')
ORDER BY loops.number DESC`;

/**
 * The rows of the overview, newest loop first, without the libraries that the store needs, because `status` has to be quick.
 * All of them, or the `newest` ones and those before that somebody drives or waits for. Empty where there is no database;
 * null where it has an older version, which opening the store brings up to date.
 */
export function readBoard(place: DatabasePlace, newest = Number.MAX_SAFE_INTEGER): readonly LoopRow[] | null {
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
      return (statement.all(newest) as unknown as BoardColumns[]).map(rowOf);
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
  branch: string,
  createdAt: string,
  updatedAt: string,
  wanted: number | null,
  ownerPid: number | null,
  ownerStartedAt: string | null,
  ownerHost: string | null,
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
    branch: columns[15],
    createdAt: columns[16],
    updatedAt: columns[17],
    wantsWork: columns[18] === 1,
    owner: columns[19] === null ? null : ownerOf({ owner_pid: columns[19], owner_started_at: columns[20], owner_host: columns[21] }),
  };
}
