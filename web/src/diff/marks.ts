import type { Viewer } from './entry.ts';
import { rowsAt } from './rows.ts';
import type { Place } from './rows.ts';
import { NAMED } from './written.ts';

/** What is looked for, and the match at which somebody stands. */
export type Sought = { readonly text: string; readonly matchCase: boolean; readonly current: Place | null };

/** Marks what is looked for, and characters that hide, in the lines that are drawn. It changes nothing in the page. */
export function paintMarks(viewer: Viewer, sought: Sought | null, hasNamed: boolean): void {
  if (!('highlights' in CSS)) return;
  if (sought === null && !hasNamed && CSS.highlights.size === 0) return;
  const pattern = sought === null || sought.text === '' ? null : patternOf(sought);
  const found: Range[] = [];
  const current: Range[] = [];
  const hidden: Range[] = [];
  for (const { id, element } of viewer.getRenderedItems()) {
    const { shadowRoot } = element;
    if (shadowRoot === null) continue;
    const at = sought?.current?.id === id ? rowsAt(shadowRoot, sought.current) : [];
    for (const line of shadowRoot.querySelectorAll<HTMLElement>('[data-line]')) {
      if (hasNamed && line.textContent.includes('⟦U+')) hidden.push(...rangesIn(line, NAMED));
      if (pattern === null) continue;
      const ranges = rangesIn(line, pattern);
      if (at.includes(line)) current.push(...ranges.slice(0, 1));
      found.push(...(at.includes(line) ? ranges.slice(1) : ranges));
    }
  }
  CSS.highlights.set('volley-match', new Highlight(...found));
  CSS.highlights.set('volley-current-match', new Highlight(...current));
  CSS.highlights.set('volley-hidden', new Highlight(...hidden));
}

/** Finds a text as it is written: no character of it has a meaning of its own. */
export function patternOf({ text, matchCase }: Pick<Sought, 'text' | 'matchCase'>): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), matchCase ? 'gu' : 'giu');
}

function rangesIn(line: HTMLElement, pattern: RegExp): Range[] {
  const nodes = textNodes(line);
  const text = nodes.map((node) => node.data).join('');
  return [...text.matchAll(pattern)].flatMap(({ index, 0: match }) => {
    const [start, end] = [pointAt(nodes, index), pointAt(nodes, index + match.length)];
    if (start === null || end === null || match === '') return [];
    const range = new Range();
    range.setStart(...start);
    range.setEnd(...end);
    return [range];
  });
}

function textNodes(line: HTMLElement): Text[] {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) if (node instanceof Text) nodes.push(node);
  return nodes;
}

function pointAt(nodes: readonly Text[], offset: number): [Text, number] | null {
  let left = offset;
  for (const node of nodes) {
    if (left <= node.length) return [node, left];
    left -= node.length;
  }
  return null;
}
