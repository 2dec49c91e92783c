import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Document, YAMLError } from 'yaml';

/** Where in a file a setting stands: keys and list positions from the root. */
export type Path = readonly (string | number)[];

/** A YAML text as plain values; `syntaxErrors` names what is not YAML, `lineOf` the line of a setting. */
export type YamlText = {
  readonly values: unknown;
  readonly syntaxErrors: readonly { readonly line: number; readonly message: string }[];
  lineOf(path: Path): number;
};

/** Reads a YAML text and never throws; where it is broken, the values are empty. */
export function readYaml(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const flaws = [...document.errors, ...document.warnings];
  const isUsable = flaws.every((flaw) => flaw.code === 'DUPLICATE_KEY');
  const syntaxErrors = flaws.map((flaw) => ({ line: lines.linePos(flaw.pos[0]).line, message: explain(flaw, text) }));
  const lineOf = (path: Path): number => lines.linePos(offsetOf(document, path)).line;
  if (!isUsable) return { values: {}, syntaxErrors, lineOf };
  try {
    return { values: document.toJS({ maxAliasCount: 100 }) ?? {}, syntaxErrors, lineOf };
  } catch (cause) {
    // The library throws where aliases multiply without end, or name no anchor.
    const message = `not usable YAML: ${cause instanceof Error ? cause.message : String(cause)}`;
    return { values: {}, syntaxErrors: [...syntaxErrors, { line: 1, message }], lineOf };
  }
}

function explain(flaw: YAMLError, text: string): string {
  if (flaw.code !== 'DUPLICATE_KEY') return `not valid YAML: ${flaw.message}`;
  const [key = 'a key'] = /^[^\s:,{}]+/.exec(text.slice(flaw.pos[0])) ?? [];
  return `${key} is written twice`;
}

function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) return offset;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      const item: unknown = node.items[Number(step)];
      if (isMap(item) || isScalar(item) || isSeq(item)) offset = item.range?.[0] ?? offset;
      node = item;
    }
  }
  return offset;
}
