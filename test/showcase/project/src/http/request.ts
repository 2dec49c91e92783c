/** A request after authentication. */
export type Request<Body> = {
  readonly account: { readonly id: string; readonly currency: string };
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Body;
};
