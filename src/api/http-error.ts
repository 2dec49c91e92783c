import type { ErrorCode } from '../core/errors.ts';
import { errorOutput, VolleyError } from '../core/errors.ts';
import type { ErrorOutput } from '../core/output.ts';
import { redact } from '../core/secrets.ts';
import { prose } from '../core/words.ts';

/** With which status each mistake is answered. */
export const STATUS: Record<ErrorCode, number> = {
  'not-a-repository': 409,
  'no-commits': 409,
  'unknown-ref': 422,
  'unsupported-repository': 409,
  'bad-config': 422,
  'bad-usage': 422,
  'unknown-agent': 422,
  'agent-not-executable': 422,
  'no-sandbox': 409,
  'unknown-loop': 404,
  refused: 409,
  busy: 409,
  conflict: 409,
  'dirty-tree': 409,
  'store-newer': 503,
  'store-broken': 503,
  'git-failed': 502,
  'checkout-missing': 409,
  'disk-full': 507,
  'not-accessible': 503,
  'not-found': 404,
  'bad-request': 400,
  'wrong-method': 405,
  'wrong-content-type': 415,
  'too-large': 413,
  'not-logged-in': 401,
  'wrong-host': 421,
  'wrong-origin': 403,
  'needs-token': 403,
  'too-many-tries': 429,
  stopping: 503,
};

/** An error with the status that it is answered with. */
export type HttpError = { readonly status: number; readonly output: ErrorOutput };

/** Every error in the one shape of the API. What is no mistake of whoever asks says nothing of the inside. */
export function httpError(error: unknown): HttpError {
  const mistake = error instanceof VolleyError ? error : fromFramework(error);
  if (mistake === null)
    return {
      status: 500,
      output: errorOutput({
        code: 'bug',
        message: 'The server failed at this.',
        remedy: 'This is a bug of Volley; the terminal in which it runs says more.',
      }),
    };
  // A mistake is told with the words that were wrong, of which one may be a secret in the wrong place.
  const [message, remedy] = [redact(prose(mistake.message)), redact(advice(mistake.remedy))];
  return { status: STATUS[mistake.code], output: errorOutput({ code: mistake.code, message, remedy }) };
}

/** What to do about it, as sentences; an example, which is indented, is copied by people and keeps its lines. */
function advice(remedy: string): string {
  const example = /\n {2}.*$/s.exec(remedy);
  return example === null ? prose(remedy) : `${prose(remedy.slice(0, example.index))}${example[0]}`;
}

/** What the HTTP library refuses by itself. */
function fromFramework(error: unknown): VolleyError | null {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : null;
  if (status === 413) return new VolleyError('too-large', 'The request is too large.', 'Send less at once: a body may have one megabyte.');
  if (status === 415) return new VolleyError('wrong-content-type', 'The body is not JSON.', 'Send it with Content-Type: application/json.');
  if (typeof status !== 'number' || status < 400 || status >= 500) return null;
  return new VolleyError('bad-request', 'The request cannot be read.', 'Send valid HTTP with a JSON body.');
}
