/** Words that a shell itself understands, so that no program of that name is needed. */
const SHELL_WORDS = new Set(
  '. : [ alias break case cd command continue do echo eval exec exit export false for if local printf pwd read return set shift source test time trap true type ulimit umask unset until wait while'.split(
    ' ',
  ),
);

/** The program that a shell line starts with; null where only a shell could tell. */
export function gateProgram(line: string): string | null {
  const command = line.trim().replace(/^(?:[A-Za-z_]\w*=[^\s'"$`\\]*\s+)+/, '');
  const word = /^[\w./+-]+(?=$|[\s;&|])/.exec(command)?.[0];
  return word === undefined || SHELL_WORDS.has(word) ? null : word;
}
