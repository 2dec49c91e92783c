/** A socket that can be told why it is closed. */
export type Leaving = { close(code: number, reason: string): void; terminate(): void };

const GOODBYE_MS = 500;

/** Closes a socket with the reason; whoever does not answer that soon is cut off. */
export function sayGoodbye(socket: Leaving, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
}
