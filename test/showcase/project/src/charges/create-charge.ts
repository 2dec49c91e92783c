import type { Db } from '../db.ts';
import type { Acquirer, AcquirerCharge } from '../acquirer/client.ts';
import type { Request } from '../http/request.ts';

export type ChargeRequest = Request<{ amount: number; currency: string; source: string }>;
export type ChargeResult = AcquirerCharge;
export type Deps = { readonly db: Db; readonly psp: Acquirer };

const SELECT_RESPONSE = 'select response from responses where key = $1';
const INSERT_RESPONSE = 'insert into responses (key, response) values ($1, $2)';

export async function createCharge(req: ChargeRequest, deps: Deps): Promise<ChargeResult> {
  const key = req.headers['idempotency-key'];
  if (key) {
    const seen = await deps.db.get(SELECT_RESPONSE, key);
    if (seen) return JSON.parse(seen.response);
  }

  const charge = await deps.psp.charge({
    amount: req.body.amount,
    currency: req.body.currency,
    source: req.body.source,
  });
  if (key) await deps.db.run(INSERT_RESPONSE, key, JSON.stringify(charge));
  return charge;
}
