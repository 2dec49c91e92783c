/** What the live channel holds at most, and how long it waits. */
export type LiveLimits = {
  readonly clients: number;
  /** A client that has not taken so many bytes yet is sent no more, and if it takes none for a while it gets a snapshot instead. */
  readonly pendingBytes: number;
  readonly patienceMs: number;
  /** So does one that is so many entries behind, at once. */
  readonly entriesBehind: number;
  /** The rows of so many loops go into a snapshot. */
  readonly snapshotLoops: number;
  /** So many frames that cannot be read are answered; then the socket is closed. */
  readonly badFrames: number;
  /** So many frames of a client may wait for their answer; then the socket is closed. */
  readonly waitingFrames: number;
  readonly pingMs: number;
  /** A client that gave no sign of life for so long is gone. */
  readonly deadMs: number;
};

/** What holds unless a test says otherwise. */
export const LIVE_LIMITS: LiveLimits = {
  clients: 1000,
  pendingBytes: 1024 * 1024,
  patienceMs: 1000,
  entriesBehind: 5000,
  snapshotLoops: 200,
  badFrames: 5,
  waitingFrames: 100,
  pingMs: 20_000,
  deadMs: 60_000,
};
