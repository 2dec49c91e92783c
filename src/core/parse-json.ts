/** What a JSON text says; undefined, which no JSON can mean, where it is none. */
export function jsonValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
