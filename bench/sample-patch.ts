/** A patch of many modified files, as git writes it: no two of its lines of content are equal. */
export function samplePatch(files: number): string {
  return Array.from({ length: files }, (_, n) => filePatch(samplePath(n), n)).join('');
}

/** The path of one of its files. */
export function samplePath(n: number): string {
  return `src/module-${Math.floor(n / 20)}/part-${n}.ts`;
}

const HUNKS = 8;

function filePatch(path: string, n: number): string {
  const hunks = Array.from({ length: HUNKS }, (_, hunk) => hunkText(n, hunk));
  return `diff --git a/${path} b/${path}\nindex ${id(n)}..${id(n + 1)} 100644\n--- a/${path}\n+++ b/${path}\n${hunks.join('')}`;
}

function hunkText(file: number, hunk: number): string {
  const at = hunk * 60 + 1;
  const line = (kind: string, n: number): string =>
    `  const ${kind}${file}_${hunk}_${n} = compute(${n * 17}, 'some words of a line of code');\n`;
  const context = [0, 1, 2].map((n) => ` ${line('kept', n)}`);
  const after = [3, 4, 5].map((n) => ` ${line('kept', n)}`);
  const removed = [0, 1, 2, 3].map((n) => `-${line('old', n)}`);
  const added = [0, 1, 2, 3, 4].map((n) => `+${line('new', n)}`);
  return `@@ -${at},10 +${at + hunk},11 @@ export function sample() {\n${[...context, ...removed, ...added, ...after].join('')}`;
}

function id(n: number): string {
  return n.toString(16).padStart(40, '0');
}
