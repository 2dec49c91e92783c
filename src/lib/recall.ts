/** The newest answers to questions whose answers never change. */
export type Recall<T> = {
  /** The answer that is known, else what `find` gives, which is known from then on unless it fails. */
  get(question: string, find: () => Promise<T>): Promise<T>;
  /** Makes an answer known that somebody came by without asking. */
  put(question: string, answer: T): void;
};

/** An empty one, which forgets the oldest answer when it has more than `size`. */
export function recall<T>(size: number): Recall<T> {
  const answers = new Map<string, Promise<T>>();
  const keep = (question: string, answer: Promise<T>): Promise<T> => {
    answers.delete(question);
    answers.set(question, answer);
    const [oldest] = answers.keys();
    if (answers.size > size && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
  return {
    get: async (question, find) => {
      const known = answers.get(question);
      if (known !== undefined) return await keep(question, known);
      const found = keep(question, find());
      try {
        return await found;
      } catch (error) {
        if (answers.get(question) === found) answers.delete(question);
        throw error;
      }
    },
    put: (question, answer) => void keep(question, Promise.resolve(answer)),
  };
}
