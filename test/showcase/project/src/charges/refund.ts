import type { Db } from '../db.ts';
import type { Acquirer } from '../acquirer/client.ts';
import { HttpError } from '../http/http-error.ts';

export type Refund = { readonly charge: string; readonly amount: number };

/** Pays a charge back, wholly or in part. */
export async function refundCharge(refund: Refund, deps: { db: Db; psp: Acquirer }): Promise<void> {
  const charge = await deps.db.get('select * from charges where id = $1', refund.charge);
  if (charge === undefined) throw new HttpError(404, 'charge_unknown');
  if (refund.amount > charge['amount']) throw new HttpError(422, 'refund_exceeds_charge');
  await deps.psp.refund(refund.charge, refund.amount);
  await deps.db.run('update charges set state = $1 where id = $2', 'refunded', refund.charge);
}
