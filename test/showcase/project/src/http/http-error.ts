/** An answer that is no success, with a code that clients can act on. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, headers: Readonly<Record<string, string>> = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}
