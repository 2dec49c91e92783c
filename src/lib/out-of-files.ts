/** Whether something failed because too many files are open, which says nothing about the file. */
export function isOutOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
}
