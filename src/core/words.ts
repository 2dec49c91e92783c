/** A number with its noun: "1 file", "2 files". */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${nounFor(number, noun, plural)}`;
}

/** A noun as it stands behind a number. */
export function nounFor(number: number, noun: string, plural = `${noun}s`): string {
  return number === 1 ? noun : plural;
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** A number as it is read out: a word up to twelve, digits beyond. */
export function numberWord(number: number): string {
  return NUMBERS[number] ?? String(number);
}

/** A number in a word with its noun: "one finding", "two findings". */
export function countedWords(number: number, noun: string, plural = `${noun}s`): string {
  return `${numberWord(number)} ${nounFor(number, noun, plural)}`;
}

const NAMED = 3;

/** The first of some names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  return names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`;
}

/** A word as a shell reads it, whatever is in it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Lines of a text as sentences, one after the other. */
export function prose(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => (line === '' ? [] : [/[.!?…:]$/.test(line) ? line : `${line}.`])).join(' ');
}

/** A text as a sentence: with a capital letter and an end. */
export function sentence(text: string): string {
  const said = text.trim();
  const whole = `${said.slice(0, 1).toUpperCase()}${said.slice(1)}`;
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}
