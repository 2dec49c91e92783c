/** The paths at which two values differ; none if they are the same. */
export function differences(one: unknown, other: unknown, path = ''): readonly string[] {
  if (one === other) return [];
  if (!isRecord(one) || !isRecord(other) || Array.isArray(one) !== Array.isArray(other)) return [path || 'all of it'];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(one[key], other[key], path === '' ? key : `${path}.${key}`));
}

/** Whether two values say the same, whatever the order of their keys. */
export function isSame(one: unknown, other: unknown): boolean {
  return differences(one, other).length === 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
