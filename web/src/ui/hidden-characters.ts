/**
 * Characters that turn text around, join it invisibly, or hide in it: those of writing direction, blanks without a width, controls, and
 * the blocks that nobody sees and that can carry a whole message. The one that joins pictures to one picture is left alone there.
 */
const HIDDEN =
  /([\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}\p{Cc}]|\u034f|\u180b|\u180c|\u180d|\u180f|(?<!\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)\u200d|\u200d(?!\p{Extended_Pictographic}))/u;

/** A stretch of text, or one character that is named because nobody would see it. */
export type SeenPart = { readonly text: string; readonly hidden: boolean };

/** What a text is: in a name, as that of a file, a new line or a tab deceives too, because it looks like a blank. */
export type Wording = 'text' | 'name';

/** A text in stretches, with every character that deceives named: U+202E. New lines and tabs are text, unless it is a name. */
export function seenParts(text: string, wording: Wording = 'text'): readonly SeenPart[] {
  const parts: { text: string; hidden: boolean }[] = [];
  for (const [index, part] of text.split(HIDDEN).entries()) {
    const hidden = index % 2 === 1 && (wording === 'name' || (part !== '\n' && part !== '\t'));
    const last = parts.at(-1);
    if (!hidden && last?.hidden === false) last.text += part;
    else if (part !== '') parts.push({ text: hidden ? nameOf(part) : part, hidden });
  }
  return parts;
}

/** The same as one text, for what takes no markup: titles, labels, the tab of a browser. */
export function seenText(text: string, wording: Wording = 'text'): string {
  return seenParts(text, wording)
    .map((part) => part.text)
    .join('');
}

/** How such a character is written: U+202E. */
export function nameOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** How the name of a character looks. */
export const HIDDEN_LOOK = 'rounded-1 bg-failed-tint px-1 font-mono text-micro text-failed';
