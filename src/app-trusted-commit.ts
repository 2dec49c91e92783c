import type { Project } from './git/project.ts';
import { localDefault, remoteDefault } from './git/refs.ts';
import type { NamedCommit } from './git/refs.ts';

/** Tells the commit whose configuration counts in a review that an agent asks for. */
export type TrustedCommit = () => Promise<NamedCommit>;

/**
 * The default branch as the remote has it. Without a remote an agent can commit to every branch there is, so that the default branch
 * counts as it is now, when nobody has asked for anything yet, for as long as this process lives.
 */
export function trustFromNow(project: Project): TrustedCommit {
  const now = localDefault(project);
  // It fails where it is awaited.
  now.catch(() => undefined);
  return async () => (await remoteDefault(project)) ?? (await now);
}
