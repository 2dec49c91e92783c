const INTERPRETERS = /^(node|nodejs|deno|bun|tsx|python[0-9.]*|ruby|perl|php|bash|sh|zsh|dash|ksh)(\.exe)?$/;
const INLINE = /^(-c|-e|-m|-p|--eval|--print|--command|eval)$/;

/**
 * The script that an interpreter is asked to run and that was not found beside the configuration, or null. Left as it is, the
 * interpreter would look for it in its own folder, which is the change under review.
 */
export function missingScript(run: readonly string[]): string | null {
  const [program = '', ...rest] = run;
  if (!INTERPRETERS.test(program.slice(program.lastIndexOf('/') + 1))) return null;
  if (rest.some((element) => element.startsWith('/') || INLINE.test(element))) return null;
  return rest.findLast((element) => !element.startsWith('-')) ?? null;
}
