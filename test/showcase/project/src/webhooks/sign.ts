import { createHmac, timingSafeEqual } from 'node:crypto';

/** The signature of a webhook's body. */
export function sign(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Whether a signature is that of the body. */
export function isSigned(body: string, signature: string, secret: string): boolean {
  const expected = Buffer.from(sign(body, secret));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
