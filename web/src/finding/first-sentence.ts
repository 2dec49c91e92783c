/** What a finding says first, and the rest of it, which is Markdown. */
export type Said = { readonly first: string; readonly rest: string };

/** A sentence that is longer is cut at a word, and goes on in the rest. */
const MOST_FIRST = 220;

/** A text divided behind its first sentence or its first line, whichever is shorter; its full stop is left out, as in a heading. */
export function firstSentence(description: string): Said {
  const text = description.trim();
  const end = sentenceEnd(text);
  if (end <= MOST_FIRST) return { first: asHeading(text.slice(0, end)), rest: text.slice(end).trim() };
  const space = text.lastIndexOf(' ', MOST_FIRST);
  const cut = space > MOST_FIRST / 2 ? space : MOST_FIRST;
  return { first: `${asHeading(text.slice(0, cut))}…`, rest: `…${text.slice(cut).trim()}` };
}

/** Full stops that end nothing. */
const ABBREVIATED = /(?:^|[\s(])(?:e\.g|i\.e|etc|cf|vs|approx)\.$/i;

function sentenceEnd(text: string): number {
  const newline = text.indexOf('\n');
  const line = newline < 0 ? text.length : newline;
  let inCode = false;
  for (let at = 0; at < Math.min(line, MOST_FIRST * 2); at++) {
    const char = text[at] ?? '';
    if (char === '`') inCode = !inCode;
    else if (
      !inCode &&
      '.!?'.includes(char) &&
      /^[)"'’”*_]*\s+\S/.test(text.slice(at + 1, at + 8)) &&
      !ABBREVIATED.test(text.slice(0, at + 1))
    )
      return at + 1 + (/^[)"'’”*_]*/.exec(text.slice(at + 1))?.[0].length ?? 0);
  }
  return line;
}

/** Without what makes a heading of it, or stresses it, in Markdown, and without its full stop. */
function asHeading(text: string): string {
  const bare = text
    .replace(/^(?:#{1,6}\s+|[-*+]\s+|>\s+)/, '')
    .replace(/(\*\*|__)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*`]+?)(?<=[^\s*])\*(?![\w*])/g, '$1')
    .trim();
  return bare.replace(/(?<![.…])[.:]$/, '');
}

/** A stretch of a sentence: words, or what stands between backticks. */
export type Inline = { readonly text: string; readonly code: boolean };

/** A sentence in stretches of words and code. */
export function inlineParts(sentence: string): readonly Inline[] {
  const parts = sentence.split(/(`+)(.+?)\1/);
  const inline: Inline[] = [];
  for (let at = 0; at < parts.length; at += 3) {
    if (parts[at] !== '') inline.push({ text: parts[at] ?? '', code: false });
    if (at + 2 < parts.length) inline.push({ text: parts[at + 2] ?? '', code: true });
  }
  return inline;
}
