import { HIDDEN_LOOK, seenParts } from './hidden-characters.ts';

/** An address that may be followed; null for any other scheme, and for one that is only part of an address. */
export function safeHref(address: string): string | null {
  if (!/^https?:\/\//i.test(address)) return null;
  const url = URL.parse(address);
  return url === null ? null : url.href;
}

/** Where a link really goes, if its words do not begin with just that; null if they do. */
export function hostBeside(href: string, words: string): string | null {
  const host = URL.parse(href)?.host ?? href;
  const told = words.trim().replace(/^https?:\/\//i, '');
  return told === host || told.startsWith(`${host}/`) || told.startsWith(`${host}?`) ? null : host;
}

/** So much of a text is shown at once; the rest when somebody asks. */
export const SHOWN_CHARS = 12_000;

/** Beyond this nobody waits for a text to be made beautiful. */
const MOST_CHARS = 30_000;

/** What is marked so often was written to keep a browser busy: some of it takes the square of its length to read. */
const MOST_MARKS = 1000;

/** Whether a text is shown as it was written, because it is very long or made of little but marks. */
export function isTangled(text: string): boolean {
  return text.length > MOST_CHARS || (text.match(/[*_~[\]<>|`^]/g)?.length ?? 0) > MOST_MARKS;
}

/** The beginning of a long text, up to the end of a line or a word; null where it is short enough. */
export function beginning(text: string): string | null {
  if (text.length <= SHOWN_CHARS) return null;
  const end = Math.max(text.lastIndexOf('\n', SHOWN_CHARS), text.lastIndexOf(' ', SHOWN_CHARS));
  const cut = end > SHOWN_CHARS / 2 ? end : SHOWN_CHARS;
  return text.slice(0, cut);
}

/** Whether nothing in a text could mean something in Markdown, so that it is the same with and without it. */
export function isProse(text: string): boolean {
  return !/[`*_#[\]<>|~\\&\n]|https?:|www\.|@|^\s|^(?:[-+]|\d+[.)])\s/.test(text);
}

/** A part of the tree that Markdown becomes, as far as it is looked at here. */
type Node = { type: string; value?: string; tagName?: string; properties?: Record<string, unknown>; children?: Node[] };

/** Names the characters that deceive in every text of a tree, takes HTML for text, and takes identities away, of which a page has one each. */
export function nameHidden(): (tree: unknown) => void {
  // The library types its trees by a package of its own; a tree is a node.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (tree) => walk(tree as Node);
}

function walk(node: Node): void {
  if (node.properties !== undefined) delete node.properties['id'];
  if (node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text' && child.type !== 'raw') {
      walk(child);
      return [child];
    }
    return seenParts(child.value ?? '').map(({ text, hidden }): Node => {
      const shown: Node = { type: 'text', value: text };
      return hidden ? { type: 'element', tagName: 'span', properties: { className: HIDDEN_LOOK }, children: [shown] } : shown;
    });
  });
}
