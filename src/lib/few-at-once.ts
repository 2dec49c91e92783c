const AT_ONCE = 64;

/** Does the same with each of many things, a few at once, and gives the results in their order: a process may not open files without end. */
export async function fewAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let hasFailed = false;
  const left = items.entries();
  const goOn = async (): Promise<void> => {
    try {
      for (const [index, item] of left) {
        if (hasFailed) return;
        results[index] = await work(item);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, goOn));
  return results;
}
