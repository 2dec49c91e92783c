/** What came of the search for the block that only this round's agent can have written. */
export type NonceBlock =
  | { readonly kind: 'none' }
  | { readonly kind: 'block'; readonly json: string }
  | { readonly kind: 'broken'; readonly detail: string };

/** What follows the backticks on the opening line of the block that carries a result. */
export function nonceInfo(nonce: string): string {
  return `json volley-${nonce}`;
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})\s*(.*)$/;

/** Finds the one JSON block that is fenced with this round's nonce; repeating it is harmless, contradicting it is not. */
export function findNonceBlock(output: string, nonce: string): NonceBlock {
  if (nonce === '') return { kind: 'none' };
  const blocks = new Set<string>();
  let open: { readonly mark: string; readonly lines: string[] } | null = null;
  for (const line of output.split('\n')) {
    const match = FENCE.exec(line.endsWith('\r') ? line.slice(0, -1) : line);
    const mark = match?.[1] ?? '';
    const rest = (match?.[2] ?? '').trim();
    if (open === null) {
      if (mark !== '' && isNonceInfo(rest, nonce)) open = { mark, lines: [] };
    } else if (rest === '' && mark.startsWith(open.mark)) {
      blocks.add(open.lines.join('\n').trim());
      open = null;
    } else open.lines.push(line);
  }
  if (open !== null) return { kind: 'broken', detail: 'the result block is not closed' };
  const [json] = blocks;
  if (json === undefined) return { kind: 'none' };
  if (blocks.size > 1) return { kind: 'broken', detail: `${blocks.size} result blocks contradict each other` };
  return { kind: 'block', json };
}

function isNonceInfo(info: string, nonce: string): boolean {
  const words = info.split(/\s+/);
  return words.at(-1) === `volley-${nonce}` && (words.length === 1 || (words.length === 2 && words[0]?.toLowerCase() === 'json'));
}
