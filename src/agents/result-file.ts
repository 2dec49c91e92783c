import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** The content of a result file: a text, nothing, or one sentence saying why it cannot be taken. */
export type ResultFile = { readonly text: string | null; readonly problem: string | null };

const LIMIT_BYTES = 16 * 1024 * 1024;

/** Reads what an agent wrote to its result file; only a regular file of bounded size counts. */
export async function readResultFile(path: string): Promise<ResultFile> {
  // An agent may leave a link to somebody's secrets there, or a pipe that never ends.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file;
  try {
    file = await open(path, flags);
  } catch (error) {
    return { text: null, problem: openProblem(error) };
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return { text: null, problem: 'The result file is not a regular file.' };
    if (stat.size > LIMIT_BYTES) return { text: null, problem: `The result file is larger than ${LIMIT_BYTES / 1024 / 1024} MB.` };
    const buffer = Buffer.alloc(stat.size);
    const { bytesRead } = await file.read(buffer, 0, stat.size, 0);
    return { text: buffer.toString('utf8', 0, bytesRead), problem: null };
  } finally {
    await file.close();
  }
}

function openProblem(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return null;
  if (code === 'ELOOP') return 'The result file is a symbolic link.';
  return `The result file cannot be read (${String(code)}).`;
}
