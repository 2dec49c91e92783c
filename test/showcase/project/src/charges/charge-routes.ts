import { HttpError } from '../http/http-error.ts';
import { createCharge } from './create-charge.ts';
import type { ChargeRequest, ChargeResult, Deps } from './create-charge.ts';

const CURRENCIES = new Set(['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'JPY']);

/** POST /v1/charges */
export async function postCharge(req: ChargeRequest, deps: Deps): Promise<{ status: number; body: ChargeResult }> {
  const { amount, currency } = req.body;
  if (!Number.isInteger(amount) || amount <= 0) throw new HttpError(400, 'amount_invalid');
  if (!CURRENCIES.has(currency)) throw new HttpError(400, 'currency_invalid');
  const charge = await createCharge(req, deps);
  return { status: 201, body: charge };
}

/** GET /v1/charges/:id */
export async function getCharge(id: string, deps: Deps): Promise<{ status: number; body: unknown }> {
  const row = await deps.db.get('select * from charges where id = $1', id);
  if (row === undefined) throw new HttpError(404, 'charge_unknown');
  return { status: 200, body: row };
}
