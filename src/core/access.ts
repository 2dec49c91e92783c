/** What a program may touch beside the folder that it works in. Paths are absolute; one that does not exist is passed over. */
export type Access = {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** What stays read-only inside of what may be written. */
  readonly protect: readonly string[];
  /** Files and folders that look empty, wherever they lie. */
  readonly hide: readonly string[];
};

/** Nothing at all. */
export const NO_ACCESS: Access = { read: [], write: [], protect: [], hide: [] };

/** All that several grants allow together; what one protects or hides stays so. */
export function joinAccess(...grants: readonly Partial<Access>[]): Access {
  const all = (key: keyof Access): string[] => [...new Set(grants.flatMap((grant) => grant[key] ?? []))];
  return { read: all('read'), write: all('write'), protect: all('protect'), hide: all('hide') };
}
