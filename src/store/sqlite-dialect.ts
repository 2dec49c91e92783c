import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import { isBusy } from './sqlite-error.ts';

const MAX_WAIT_MS = 5;

/** How Kysely speaks to an open `node:sqlite` database; a transaction waits up to `busyMs` for another process's. */
export function sqliteDialect(db: DatabaseSync, busyMs: number): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(db, busyMs),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely's adapter for SQLite lets one caller at a time have the connection, so there is only one. */
class SqliteDriver implements Driver {
  readonly #db: DatabaseSync;
  readonly #busyMs: number;
  readonly #connection: SqliteConnection;

  constructor(db: DatabaseSync, busyMs: number) {
    this.#db = db;
    this.#busyMs = busyMs;
    this.#connection = new SqliteConnection(db);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /**
   * A transaction that reads first and writes later could fail although it waited, so each takes the write lock at once.
   * SQLite's own waiting would stop the event loop, and with it whoever holds the lock in this process.
   */
  async beginTransaction(): Promise<void> {
    const until = performance.now() + this.#busyMs;
    for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      try {
        this.#connection.run('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
      }
      await delay(waitMs * (0.5 + Math.random()));
    }
  }

  async commitTransaction(): Promise<void> {
    this.#connection.run('COMMIT');
  }

  async rollbackTransaction(): Promise<void> {
    // On some errors, a full disk among them, SQLite has rolled back already.
    if (this.#db.isTransaction) this.#connection.run('ROLLBACK');
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#db.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, { readonly statement: StatementSync; readonly reads: boolean }>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  run(sql: string): void {
    this.#prepare(sql).statement.run();
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, reads } = this.#prepare(query.sql);
    const { parameters } = query;
    if (!parameters.every(isInput)) throw new Error(`a parameter that SQLite cannot hold in ${query.sql}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Kysely knows what a query gives, and the tables are STRICT.
    if (reads) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('queries are not streamed');
  }

  #prepare(sql: string): { readonly statement: StatementSync; readonly reads: boolean } {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    const prepared = { statement, reads: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function isInput(value: unknown): value is SQLInputValue {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value instanceof Uint8Array
  );
}
