/** What of an element tells whether somebody types in it. */
export type Typed = { readonly tagName: string; readonly isContentEditable: boolean; readonly type?: string };

/** Inputs that are ticked, pushed or dragged: a letter means nothing to them. */
const WITHOUT_LETTERS = new Set(['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit']);

/** Whether a letter that is struck there is meant for it: text, and lists in which one looks for an entry by its letters. */
export function takesLetters({ tagName, isContentEditable, type = 'text' }: Typed): boolean {
  if (isContentEditable || tagName === 'TEXTAREA' || tagName === 'SELECT') return true;
  return tagName === 'INPUT' && !WITHOUT_LETTERS.has(type);
}
