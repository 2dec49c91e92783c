/** Answers that hold for a while. */
export type Fresh<T> = {
  /** The answer that still holds, else what `find` gives; a question is never asked twice at once. */
  get(question: string, find: () => Promise<T>): Promise<T>;
};

/** An empty one, whose answers hold for so long after they were found. */
export function freshFor<T>(holdsMs: number, nowMs: () => number): Fresh<T> {
  const answers = new Map<string, { readonly answer: Promise<T>; until: number }>();
  return {
    get: async (question, find) => {
      for (const [one, { until }] of answers) if (until <= nowMs()) answers.delete(one);
      const known = answers.get(question);
      if (known !== undefined) return await known.answer;
      const asked = { answer: find(), until: Infinity };
      answers.set(question, asked);
      try {
        const answer = await asked.answer;
        asked.until = nowMs() + holdsMs;
        return answer;
      } catch (error) {
        answers.delete(question);
        throw error;
      }
    },
  };
}
