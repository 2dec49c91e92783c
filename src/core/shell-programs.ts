const SEPARATOR = /&&|\|\||[;|&\n()]/;
const INTERPRETER = /(?:^|\/)(?:(?:ba|da|k|z)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php)$/;
/** What only starts another program, with the number of words of its own that are no options. */
const WRAPPERS: Readonly<Record<string, number>> = { env: 0, exec: 0, command: 0, nice: 0, nohup: 0, time: 0, sudo: 0, timeout: 1 };
const ASSIGNMENT = /^\w+=/;

/** A word of a shell line that names what is run, and the path that it means from where the line starts. */
export type ShellProgram = { readonly word: string; readonly path: string };

/** The words of a shell line that name what is run: the program of each command, behind wrappers, and the script of an interpreter. */
export function shellPrograms(line: string): readonly ShellProgram[] {
  let folder = '';
  return line.split(SEPARATOR).flatMap((command) => {
    const [program, ...rest] = withoutWrappers(
      command
        .trim()
        .split(/\s+/)
        .map(unquoted)
        .filter((word) => word !== ''),
    );
    if (program === undefined) return [];
    if (program === 'cd') folder = `${folder}${(rest[0] ?? '').replace(/\/*$/, '/')}`;
    // The value of an option has neither a folder nor an ending.
    const script = INTERPRETER.test(program) ? rest.find((word) => !word.startsWith('-') && /[./]/.test(word)) : undefined;
    const words = script === undefined ? [program] : [program, script];
    return words.map((word) => ({ word, path: word.startsWith('/') ? word : `${folder}${word.replace(/^\.\//, '')}` }));
  });
}

function withoutWrappers(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined) return [];
  if (ASSIGNMENT.test(first)) return withoutWrappers(rest);
  const own = Object.hasOwn(WRAPPERS, first) ? WRAPPERS[first] : undefined;
  if (own === undefined) return words;
  const from = rest.findIndex((word) => !word.startsWith('-'));
  return from < 0 ? [] : withoutWrappers(rest.slice(from + own));
}

function unquoted(word: string): string {
  return word.replace(/^['"]|['"]$/g, '');
}
