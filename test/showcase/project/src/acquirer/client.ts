export type AcquirerCharge = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly source: { readonly name: string; readonly last4: string };
};

/** What the acquirer can do for us. */
export type Acquirer = {
  charge(input: { amount: number; currency: string; source: string; idempotencyKey?: string }): Promise<AcquirerCharge>;
  refund(charge: string, amount: number): Promise<void>;
  findByToken(token: string): Promise<AcquirerCharge | null>;
};

const TRIES = 3;

/** Calls the acquirer, and again where it did not answer. */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  let last: unknown;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      return await call();
    } catch (error) {
      last = error;
    }
  }
  throw last;
}
