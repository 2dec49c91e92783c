/** Those who want to hear that something is not as it was. */
export class Listeners {
  readonly #all = new Set<() => void>();

  /** Takes one more. Returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  /** Tells all of them. */
  tell(): void {
    for (const listener of this.#all) listener();
  }
}
