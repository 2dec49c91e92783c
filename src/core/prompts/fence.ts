/** Puts a text into a code block whose fence is longer than any run of backticks inside, so that nothing in it can end the block. */
export function fenced(text: string, info = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text}${text.endsWith('\n') || text === '' ? '' : '\n'}${fence}`;
}

/** Puts a text into a Markdown quote. */
export function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** One line of somebody else's words: no line breaks, no control characters. */
export function oneLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

const TERMINAL_SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[ -/]*[@-~]`, 'g');

/** The text without control characters, marks that turn the reading direction, line separators and terminal sequences; tabs and line feeds stay. */
export function withoutControls(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(TERMINAL_SEQUENCE, '')
    .replace(/(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '');
}
