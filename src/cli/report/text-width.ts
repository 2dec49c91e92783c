/** How many columns of a terminal a text takes, about: terminals differ on emoji and rare scripts. */
export function textWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += graphemeWidth(segment);
  return width;
}

/** How many characters of a text, from its beginning, fit into so many columns; no grapheme is cut in two. */
export function fittingLength(text: string, width: number): number {
  // A grapheme may be long, but a text of ordinary ones need not be read to its end: lines of a megabyte exist.
  const near = text.slice(0, Math.max(0, width) * 8);
  if (isPlain(near)) return Math.min(text.length, Math.max(0, width));
  let taken = 0;
  for (const { segment, index } of graphemesOf(near)) {
    taken += graphemeWidth(segment);
    if (taken > width) return index;
  }
  return near.length;
}

/** Made when it is needed, because making it takes longer than the rest of a short command. */
let segmenter: Intl.Segmenter | null = null;

function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const INVISIBLE = /^[\p{M}\p{Cf}]+$/u;
const AS_EMOJI = '\ufe0f';
const HALF = /^[\uff61-\uffdc]/u;
const WIDE =
  /[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0;
  return (WIDE.test(grapheme) && !HALF.test(grapheme)) || grapheme.includes(AS_EMOJI) ? 2 : 1;
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
