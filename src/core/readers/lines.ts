/** One line of an agent's text, with what stands around it. */
export type TextLine = {
  readonly text: string;
  /** Inside a code fence that is closed later on; the fence lines themselves count as code. */
  readonly code: boolean;
  /** In the agent's own voice by every reading: no fence, however it is indented or left open, no quote, no HTML comment or quotation. */
  readonly own: boolean;
};

const MAX_LINE = 20_000;
const STRICT_FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const LOOSE_FENCE = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+){0,3}(`{3,}|~{3,})(.*)$/;
const HTML = /\\?<(!--|\/?(?:pre|blockquote)\b)|-->/gi;

/** Splits a text into lines and says of each whether it is code, and whether it speaks for the agent itself. */
export function textLines(text: string): readonly TextLine[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => withoutReturn(line));
  const strict = fences(lines, STRICT_FENCE);
  const loose = fences(lines, LOOSE_FENCE);
  const quoted = quotes(lines, (index) => strict.closed.has(index) && loose.closed.has(index));
  return lines.map((line, index) => ({
    text: line,
    code: loose.closed.has(index),
    own: !strict.all.has(index) && !loose.all.has(index) && !quoted.has(index),
  }));
}

function withoutReturn(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} … (cut)` : text;
}

/** The lines inside fences: all of them, an open fence reaching to the end, and those of fences that are closed. */
function fences(lines: readonly string[], fence: RegExp): { readonly all: ReadonlySet<number>; readonly closed: ReadonlySet<number> } {
  const all = new Set<number>();
  const closed = new Set<number>();
  let open: { readonly mark: string; readonly from: number } | null = null;
  for (const [index, line] of lines.entries()) {
    const match = fence.exec(line);
    const mark = match?.[1] ?? '';
    const rest = (match?.[2] ?? '').trim();
    if (open !== null) {
      all.add(index);
      if (mark.startsWith(open.mark) && rest === '') {
        for (let inner = open.from; inner <= index; inner += 1) closed.add(inner);
        open = null;
      }
    } else if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) {
      all.add(index);
      open = { mark, from: index };
    }
  }
  return { all, closed };
}

/** The lines inside Markdown quotes (with their lazy continuation), HTML comments, `pre` and `blockquote`. */
function quotes(lines: readonly string[], isCode: (index: number) => boolean): ReadonlySet<number> {
  const quoted = new Set<number>();
  let inQuote = false;
  let inComment = false;
  let depth = 0;
  for (const [index, line] of lines.entries()) {
    inQuote = /^\s*>/.test(line) || (inQuote && line.trim() !== '');
    let inside = inQuote || inComment || depth > 0;
    const html = isCode(index) ? '' : line.replace(/`[^`]*`/g, '');
    for (const [token, tag = ''] of html.matchAll(HTML)) {
      if (token.startsWith('\\')) continue;
      if (token === '-->') inComment = false;
      else if (tag === '!--') inComment = true;
      else if (!inComment) depth = Math.max(0, depth + (tag.startsWith('/') ? -1 : 1));
      inside = true;
    }
    if (inside) quoted.add(index);
  }
  return quoted;
}
