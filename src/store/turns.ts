/** Whether the work of a turn was kept, or undone because it threw. */
export type TurnOutcome = { readonly error: unknown } | null;

/** Runs all turns, each wholly or not at all, and commits them together; a rejection means that nothing was committed. */
export type CommitTurns<C> = (turns: readonly ((context: C) => Promise<void>)[]) => Promise<readonly TurnOutcome[]>;

const MOST_AT_ONCE = 64;

/**
 * Lets the transactions of one process take turns. Those that came while another one was written are committed together,
 * because making a commit durable costs more than what they write. Each is told of its end only after the commit.
 */
export function takingTurns<C>(commit: CommitTurns<C>): <T>(work: (context: C) => Promise<T>) => Promise<T> {
  const waiting: Turn<C>[] = [];
  let isDraining = false;
  const drain = async (): Promise<void> => {
    isDraining = true;
    while (waiting.length > 0) await settle(commit, waiting.splice(0, MOST_AT_ONCE));
    isDraining = false;
  };
  return <T>(work: (context: C) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push(turnOf(work, resolve, reject));
      if (!isDraining) void drain();
    });
}

type Turn<C> = { readonly run: (context: C) => Promise<void>; readonly end: (outcome: TurnOutcome) => void };

function turnOf<C, T>(work: (context: C) => Promise<T>, resolve: (result: T) => void, reject: (error: unknown) => void): Turn<C> {
  let keep = (): void => reject(new Error('the transaction never ran'));
  return {
    run: async (context) => {
      const result = await work(context);
      keep = () => resolve(result);
    },
    end: (outcome) => (outcome === null ? keep() : reject(outcome.error)),
  };
}

/** Never rejects: an error goes to those whose work it undid. */
async function settle<C>(commit: CommitTurns<C>, turns: readonly Turn<C>[]): Promise<void> {
  try {
    const outcomes = await commit(turns.map((turn) => turn.run));
    turns.forEach((turn, index) => turn.end(outcomes[index] ?? null));
  } catch (error) {
    for (const turn of turns) turn.end({ error });
  }
}
