import type { ErrorOutput } from './output.ts';

/** Every mistake of a user has one of these codes; the doors map them to exit codes and HTTP statuses. */
export type ErrorCode =
  | 'not-a-repository'
  | 'no-commits'
  | 'unknown-ref'
  | 'unsupported-repository'
  | 'bad-config'
  | 'bad-usage'
  | 'unknown-agent'
  | 'agent-not-executable'
  | 'no-sandbox'
  | 'unknown-loop'
  | 'refused'
  | 'busy'
  | 'conflict'
  | 'dirty-tree'
  | 'store-newer'
  | 'store-broken'
  | 'git-failed'
  | 'checkout-missing'
  | 'disk-full'
  | 'not-accessible'
  | 'not-found'
  | 'bad-request'
  | 'wrong-method'
  | 'wrong-content-type'
  | 'too-large'
  | 'not-logged-in'
  | 'wrong-host'
  | 'wrong-origin'
  | 'needs-token'
  | 'too-many-tries'
  | 'stopping';

/** A mistake that the user can mend: what is wrong, and what to do about it, one sentence each. */
export class VolleyError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string;

  constructor(code: ErrorCode, message: string, remedy: string) {
    super(message);
    this.name = 'VolleyError';
    this.code = code;
    this.remedy = remedy;
  }

  /** The same error with what led to it. */
  from(cause: unknown): this {
    this.cause = cause;
    return this;
  }
}

/** An error as programs see it; what is no mistake of the user is a bug. */
export function errorOutput({
  code,
  message,
  remedy,
}: Pick<VolleyError, 'message' | 'remedy'> & { readonly code: ErrorCode | 'bug' }): ErrorOutput {
  return { type: 'error', v: 1, code, message, remedy };
}

/** Whether what went wrong passes by itself, mostly, so that the same may be tried again later. */
export function isPassing(error: unknown): boolean {
  return error instanceof VolleyError && (error.code === 'disk-full' || error.code === 'busy');
}

/** There is no loop with this number. */
export function unknownTask(id: number): VolleyError {
  return new VolleyError('unknown-loop', `There is no task ${id}.`, 'See volley status for the tasks of this project.');
}

/** Marks a branch of a union that cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
