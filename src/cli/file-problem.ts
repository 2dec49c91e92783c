import { VolleyError } from '../core/errors.ts';

const WHY: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'it is a link, which is not followed',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
};

/** What a failed access to a file means to the user; null where the error is none of these, but a bug. */
export function fileProblem(error: unknown): VolleyError | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  const why = WHY[error.code];
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  if (why === undefined || path === null) return null;
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  const remedy = isFull ? 'Free some space, then try again.' : 'See that it, and the folder it lies in, are yours to read and write.';
  return new VolleyError(isFull ? 'disk-full' : 'not-accessible', `${path} cannot be read or written: ${why}.`, remedy).from(error);
}
