import { Listeners } from './listeners.ts';

/**
 * The file that somebody was led to by a link, a key or the cursor. The last files of a change never get to the top of the screen, so
 * where it is scrolled does not tell which one is meant; it is this one until somebody scrolls by hand.
 */
export class LedFile {
  #id: string | null = null;
  #byHand = false;
  readonly #listeners = new Listeners();

  /** Which file that is; null where it is the one at the top of what is seen. */
  readonly id = (): string | null => this.#id;

  /** Calls whoever listens whenever it is another one. Returns how to stop. */
  readonly subscribe = this.#listeners.subscribe;

  /** Takes the file to which somebody is led now. */
  take(id: string): void {
    this.#byHand = false;
    this.#set(id);
  }

  /** Hears that somebody may be about to scroll: a wheel that is turned at the end of all moves nothing. */
  touch(): void {
    this.#byHand = true;
  }

  /** Hears that it was scrolled, by whomever. */
  scrolled(): void {
    if (this.#byHand) this.#set(null);
  }

  #set(id: string | null): void {
    if (this.#id === id) return;
    this.#id = id;
    this.#listeners.tell();
  }
}
