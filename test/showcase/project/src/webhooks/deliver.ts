import { sign } from './sign.ts';

export type Delivery = { readonly url: string; readonly body: string; readonly attempt: number };

const MAX_ATTEMPTS = 5;

/** Sends a webhook; a failed one is tried again by whoever calls. */
export async function deliver(delivery: Delivery, secret: string, send: typeof fetch = fetch): Promise<'sent' | 'again' | 'lost'> {
  const response = await send(delivery.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-signature': sign(delivery.body, secret) },
    body: delivery.body,
  }).catch(() => null);
  if (response?.ok === true) return 'sent';
  return delivery.attempt < MAX_ATTEMPTS ? 'again' : 'lost';
}
