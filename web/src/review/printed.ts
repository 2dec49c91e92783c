// Colours and moves of the cursor, as programs write them for a terminal.
// oxlint-disable-next-line no-control-regex
const TERMINAL = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** What a program printed, as it is read: without colours, and of lines that were written over only what was left. */
export function printed(output: string): string {
  return output
    .replace(TERMINAL, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replaceAll('\r', ''))
    .join('\n');
}
