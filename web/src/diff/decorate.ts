import type { Entry } from './entry.ts';
import { ruleAt } from './notes.ts';
import type { Place } from './rows.ts';
import { isAtEnd } from './read-patch.ts';
import { rowsAt } from './rows.ts';
import { seenText } from '../ui/hidden-characters.ts';

/** What is drawn on rows besides their text. */
export type Drawn = { readonly cursor: Place | null; readonly flash: Place | null };

/** Draws on the rows of a file what the viewer does not know of: the edges of findings, the cursor, and where somebody was led. */
export function decorate(element: HTMLElement, entry: Entry, { cursor, flash }: Drawn): void {
  const root = element.shadowRoot;
  if (root === null) return;
  element.toggleAttribute('data-waiting', entry.state === 'waiting');
  element.toggleAttribute('data-cut', entry.missing > 0);
  element.toggleAttribute('data-at-end', entry.item.fileDiff.isPartial && isAtEnd(entry.item.fileDiff));
  if (entry.notes.length > 0) drawRules(root, entry);
  drawReturns(root, entry);
  mark(root, 'data-cursor', cursor?.id === entry.id ? cursor : null);
  mark(root, 'data-flash', flash?.id === entry.id ? flash : null);
  for (const rest of root.querySelectorAll('[data-separator-last] [data-unmodified-lines]'))
    if (entry.item.fileDiff.isPartial) rest.textContent = 'The rest of the file';
  for (const button of root.querySelectorAll<HTMLElement>('[data-expand-button]:not([tabindex])')) {
    button.tabIndex = 0;
    button.setAttribute('aria-label', expandLabel(button));
  }
  // Lines that are longer than the screen can be reached with the arrow keys too.
  for (const code of root.querySelectorAll<HTMLElement>('[data-overflow="scroll"] > code:not([tabindex])')) {
    code.tabIndex = 0;
    code.role = 'group';
    code.ariaLabel = `Lines of ${seenText(entry.file.path, 'name')}`;
  }
}

function drawRules(root: ShadowRoot, { notes }: Entry): void {
  for (const cell of root.querySelectorAll<HTMLElement>('[data-column-number]')) {
    const isNew = cell.dataset['lineType'] !== 'change-deletion' && cell.closest('[data-deletions]') === null;
    const rule = isNew ? ruleAt(notes, Number(cell.dataset['columnNumber'])) : null;
    if (rule === null) cell.removeAttribute('data-rule');
    else cell.dataset['rule'] = rule;
  }
}

/** A return at the end of a line takes no place, so what tells it from another line would not be seen. */
function drawReturns(root: ShadowRoot, { endings: { deletions, additions } }: Entry): void {
  const isNone = deletions.size + additions.size === 0;
  for (const line of root.querySelectorAll<HTMLElement>(isNone ? '[data-return]' : '[data-line][data-line-type^=change]')) {
    const returns = line.dataset['lineType'] === 'change-deletion' ? deletions : additions;
    const isMarked = returns.has(Number(line.dataset['line']));
    line.toggleAttribute('data-return', isMarked);
    if (isMarked) dropLineEnd(line);
  }
}

/** A browser makes a new line of a return that it reads, and what is drawn behind it would stand below. */
function dropLineEnd(line: HTMLElement): void {
  let last: Node | null = line.lastChild;
  while (last !== null && !(last instanceof Text)) last = last.lastChild;
  if (last !== null && /[\r\n]$/.test(last.data)) last.data = last.data.replace(/[\r\n]+$/, '');
}

function mark(root: ShadowRoot, attribute: string, place: Place | null): void {
  for (const old of root.querySelectorAll(`[${attribute}]`)) old.removeAttribute(attribute);
  if (place !== null) for (const cell of rowsAt(root, place)) cell.setAttribute(attribute, '');
}

function expandLabel({ dataset }: HTMLElement): string {
  if ('expandAllButton' in dataset) return 'Expand all unmodified lines here';
  if ('expandUp' in dataset) return 'Show more lines below the code above';
  if ('expandDown' in dataset) return 'Show more lines above the code below';
  return 'Show the unmodified lines here';
}
