/** The table of claims. */
export const MIGRATION = `create table idempotency_claims (
  account text not null,
  key text not null,
  fingerprint text not null,
  token text not null,
  response text,
  claimed_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (account, key)
);

create index idempotency_claims_open
  on idempotency_claims (claimed_at)
  where completed_at is null;

-- The old table is kept for a day, then dropped by 0043.
comment on table responses is 'replaced by idempotency_claims';

comment on column idempotency_claims.token is 'what the acquirer knows the charge by';
`;

/** How keys are read. */
export const KEY = `import { createHash, randomUUID } from 'node:crypto';
import type { Request } from '../http/request.ts';

const MAX_LENGTH = 255;

/** The key that the client chose; whoever sends none gets one of its own, and so no protection. */
export function readIdempotencyKey(req: Request<unknown>): string {
  const key = req.headers['idempotency-key'];
  return key === undefined || key.length > MAX_LENGTH ? randomUUID() : key;
}

/** What tells two bodies apart. */
export function fingerprintOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
`;

/** Claims, as the author wrote them. */
export const STORE = `import { randomUUID } from 'node:crypto';
import type { AcquirerCharge } from '../acquirer/client.ts';
import type { Db } from '../db.ts';
import { HttpError } from '../http/http-error.ts';

/** Who asks, by which key, and for what. */
export type ClaimInput = { readonly account: string; readonly key: string; readonly fingerprint: string };

/** What a key stands for at this moment. */
export type Claim = ClaimInput & {
  readonly state: 'new' | 'in_flight' | 'done';
  /** What the acquirer knows the charge by. */
  readonly token: string;
  readonly response?: AcquirerCharge;
};

/** Claims of keys, in one database. */
export type ClaimStore = {
  claim(input: ClaimInput): Promise<Claim>;
  complete(claim: Claim, charge: AcquirerCharge): Promise<void>;
};

const SELECT_CLAIM = 'select * from idempotency_claims where key = $1';
const INSERT_CLAIM = 'insert into idempotency_claims (account, key, fingerprint, token) values ($1, $2, $3, $4)';
const COMPLETE_CLAIM = 'update idempotency_claims set response = $1, completed_at = now() where account = $2 and key = $3';

/** The claims of a database. */
export function claimStore(db: Db): ClaimStore {
  return { claim: (input) => claim(db, input), complete: (one, charge) => complete(db, one, charge) };
}

export async function claim(db: Db, input: ClaimInput): Promise<Claim> {
  const row = await db.get(SELECT_CLAIM, input.key);
  if (row !== undefined) return { ...input, ...stateOf(row) };
  const token = randomUUID();
  await db.run(INSERT_CLAIM, input.account, input.key, input.fingerprint, token);
  return { ...input, state: 'new', token };
}

function stateOf(row: Record<string, any>): Pick<Claim, 'state' | 'token' | 'response'> {
  if (row['completed_at'] === null) return { state: 'in_flight', token: row['token'] };
  return { state: 'done', token: row['token'], response: JSON.parse(row['response']) };
}

/** The answer is kept as it is, so that whoever asks again gets the same one. */
export async function complete(db: Db, claim: Claim, charge: AcquirerCharge): Promise<void> {
  await db.run(COMPLETE_CLAIM, JSON.stringify(charge), claim.account, claim.key);
}

/** Refuses to go on with a claim that somebody else holds. */
export function requireOwn(claim: Claim): void {
  if (claim.state !== 'new') throw new HttpError(409, 'claim_held');
}
`;

/** Who forgets old claims. */
export const SWEEPER = `import type { Db } from '../db.ts';

const HOURS = 24;

/** Deletes claims that are older than a day; the answer of a later request is then a new charge. */
export async function sweep(db: Db): Promise<void> {
  await db.run("delete from idempotency_claims where claimed_at < now() - make_interval(hours => $1)", HOURS);
}

/** Sweeps now and every hour, until it is stopped. */
export function startSweeper(db: Db): { stop(): void } {
  const timer = setInterval(() => void sweep(db), 60 * 60 * 1000);
  return { stop: () => clearInterval(timer) };
}
`;

/** What clients are told. */
export const DOCS = `# Idempotency

Send \`Idempotency-Key\` with every request that moves money.

A request that is sent again with the same key gets the answer of the first one, also while the first one is under way.
A key belongs to one account.

## Errors

| status | code | meaning |
| --- | --- | --- |
| 409 | \`request_in_progress\` | the first request is under way |

## Keys

Keys are kept for a while. Any text of up to 255 characters will do.
`;

/** The tests of the author. */
export const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCharge } from '../../src/charges/create-charge.ts';
import { claimStore } from '../../src/idempotency/store.ts';
import { chargeRequest, memoryDb, testAcquirer } from './memory.ts';

test('the same key charges once', async () => {
  const [db, psp] = [memoryDb(), testAcquirer()];
  const deps = { db, psp, idempotency: claimStore(db) };
  const first = await createCharge(chargeRequest('key-1'), deps);
  const second = await createCharge(chargeRequest('key-1'), deps);
  assert.deepEqual(second, first);
  assert.equal(psp.charges.length, 1);
});

test('another key charges again', async () => {
  const [db, psp] = [memoryDb(), testAcquirer()];
  const deps = { db, psp, idempotency: claimStore(db) };
  await createCharge(chargeRequest('key-1'), deps);
  await createCharge(chargeRequest('key-2'), deps);
  assert.equal(psp.charges.length, 2);
});
`;

/** What the tests run against. */
export const MEMORY = `import type { ChargeRequest } from '../../src/charges/create-charge.ts';
import type { AcquirerCharge } from '../../src/acquirer/client.ts';

/** A database that knows the statements of the claims, and no others. */
export function memoryDb() {
  const rows = new Map<string, Record<string, any>>();
  return {
    rows,
    get: async (_sql: string, ...values: readonly any[]) => rows.get(values.at(-1)),
    all: async () => [...rows.values()],
    run: async (sql: string, ...values: readonly any[]) => {
      if (sql.startsWith('insert') && !rows.has(values[1]))
        rows.set(values[1], { fingerprint: values[2], token: values[3], response: null, completed_at: null });
      if (sql.startsWith('update')) Object.assign(rows.get(values.at(-1)) ?? {}, { response: values[0], completed_at: new Date() });
    },
  };
}

export function testAcquirer() {
  const charges: AcquirerCharge[] = [];
  return {
    charges,
    charge: async ({ amount, currency }: { amount: number; currency: string }) => {
      const charge = { id: 'ch_' + (charges.length + 1), amount, currency, source: { name: 'C. Holder', last4: '4242' } };
      charges.push(charge);
      return charge;
    },
    refund: async () => undefined,
    findByToken: async () => null,
  };
}

export function chargeRequest(key: string): ChargeRequest {
  return { account: { id: 'acct_1', currency: 'EUR' }, headers: { 'idempotency-key': key }, body: { amount: 500, currency: 'EUR', source: 'tok_1' } };
}
`;
