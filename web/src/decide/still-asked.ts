/** What is still asked once something was done: whatever is asked about anything else. */
export function stillAsked<A extends { readonly proposals: readonly unknown[] }>(asked: A | null, done: unknown): A | null {
  return asked?.proposals.includes(done) === true ? null : asked;
}
