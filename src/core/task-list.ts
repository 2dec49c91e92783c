/** One task of a document: its heading, and all that stands below it. */
export type ListedTask = { readonly title: string; readonly text: string };

type Heading = { readonly level: number; readonly title: string; readonly at: number };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;

/**
 * The tasks of a Markdown document, one for each heading of its highest level; smaller headings belong to the task above them. A
 * single heading on top of smaller ones is the document's own title.
 */
export function readTaskList(document: string): readonly ListedTask[] {
  const lines = document.replace(/^\u{feff}/u, '').split(/\r?\n/);
  const all = headingsOf(lines);
  const highest = Math.min(...all.map(({ level }) => level));
  const [first, second] = all.filter(({ level }) => level === highest);
  const isTitle = first !== undefined && second === undefined && first === all[0] && all.length > 1;
  const below = isTitle ? all.slice(1) : all;
  const level = Math.min(...below.map((one) => one.level));
  const heads = below.filter((one) => one.level === level);
  return heads.map(({ title, at }, index) => {
    const body = lines
      .slice(at + 1, heads[index + 1]?.at ?? lines.length)
      .join('\n')
      .trim();
    return { title, text: body === '' ? title : `${title}\n\n${body}` };
  });
}

/** Headings as a reader of Markdown sees them: those in code blocks are code. */
function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = [];
  let fence: string | null = null;
  for (const [at, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark !== null && mark.startsWith(fence) && line.trim() === mark) fence = null;
    } else if (mark !== null) fence = mark;
    else {
      const match = HEADING.exec(line);
      const title = match?.[2]?.trim() ?? '';
      if (match !== null && title !== '') headings.push({ level: match[1]?.length ?? 1, title, at });
    }
  }
  return headings;
}
