import { isRecord, parseJson, pick } from './coerce.ts';
import type { TextLine } from './lines.ts';

const MAX_STARTS = 20;
const FENCE_LINE = /^\s*(?:`{3,}|~{3,})/;

/** The JSON values in a text that could be a review: fenced, between markers or free, in order. */
export function findTextJson(lines: readonly TextLine[]): readonly unknown[] {
  const values: unknown[] = [];
  for (let index = 0, starts = 0; index < lines.length && starts < MAX_STARTS; index += 1) {
    if (!/^\s*[{[]/.test(lines[index]?.text ?? '')) continue;
    starts += 1;
    const end = closingLine(lines, index);
    if (end === null) continue;
    const parsed = parseJson(
      lines
        .slice(index, end + 1)
        .map((line) => line.text)
        .join('\n'),
    );
    if (!parsed.ok || !couldBeReview(parsed.value)) continue;
    values.push(parsed.value);
    index = end;
  }
  return values;
}

/** The line on which the value that begins here is closed; brackets inside of strings do not count. */
function closingLine(lines: readonly TextLine[], from: number): number | null {
  let depth = 0;
  let inString = false;
  for (let index = from; index < lines.length; index += 1) {
    const text = lines[index]?.text ?? '';
    if (index > from && FENCE_LINE.test(text)) return null;
    for (let at = 0; at < text.length; at += 1) {
      const char = text[at];
      if (inString) {
        if (char === '\\') at += 1;
        else if (char === '"') inString = false;
      } else if (char === '"') inString = true;
      else if (char === '{' || char === '[') depth += 1;
      else if ((char === '}' || char === ']') && (depth -= 1) === 0) return index;
    }
    inString = false;
  }
  return null;
}

function couldBeReview(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => isRecord(item) && pick(item, 'description', 'comment', 'message') !== undefined);
  return isRecord(value) && pick(value, 'passed', 'verdict', 'issues', 'findings') !== undefined;
}
