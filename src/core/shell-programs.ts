const SEPARATOR = /&&|\|\||[;|&\n]/;
const INTERPRETER = /(?:^|\/)(?:(?:ba|da|k|z)?sh|node|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php)$/;
const ASSIGNMENT = /^\w+=/;

/** The words of a shell line that name what is run: the first of each command, and the script after an interpreter. */
export function shellPrograms(line: string): readonly string[] {
  return line.split(SEPARATOR).flatMap((command) => {
    const words = command
      .trim()
      .split(/\s+/)
      .map(unquoted)
      .filter((word) => word !== '' && !ASSIGNMENT.test(word));
    const [program] = words;
    if (program === undefined) return [];
    const script = INTERPRETER.test(program) ? words.slice(1).find((word) => !word.startsWith('-')) : undefined;
    return script === undefined ? [program] : [program, script];
  });
}

function unquoted(word: string): string {
  return word.replace(/^['"]|['"]$/g, '');
}
