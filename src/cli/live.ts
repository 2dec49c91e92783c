/** The lowest lines of a terminal, which change in place while others scroll by above. */
export type Live = {
  /** Shows a loop that runs. */
  set(line: LiveLine): void;
  /** What the agent of a loop printed. */
  did(id: number, text: string): void;
  /** Forgets a loop. */
  drop(id: number): void;
  /** Shows these lines in the place of all loops, cut to the terminal; null goes back to the loops. */
  frame(lines: readonly string[] | null): void;
  /** Writes something that stays, above. */
  around(write: () => void): void;
  /** Takes all of it away for good. */
  close(): void;
};

/** What is shown of a loop while it runs. */
export type LiveLine = {
  readonly id: number;
  readonly phase: string;
  /** As in `2/3`. */
  readonly round: string;
  readonly agent: string | null;
  readonly startedAtMs: number;
  readonly spend: string | null;
};
