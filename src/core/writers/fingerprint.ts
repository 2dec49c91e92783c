/** What two runs must agree on to mean the same finding. */
export type Fingerprinted = {
  readonly ruleId: string;
  readonly file: string | null;
  readonly description: string;
  /** The lines that it points at, if they may be known. */
  readonly snippet: string | null;
};

/**
 * A name for a finding that another run gives it too: made of its rule, its file, its words and the code that it points at, never
 * of line numbers, so that it stays when lines above it come and go.
 */
export function fingerprintOf({ ruleId, file, description, snippet }: Fingerprinted): string {
  return fnv1a64([ruleId, file ?? '', wordsOf(description), (snippet ?? '').replace(/\s+/g, ' ').trim()].join('\n'));
}

/** The words alone; a line number among them says nothing about what is wrong. */
function wordsOf(description: string): string {
  return description
    .toLowerCase()
    .replace(/\b(?:lines?|l\.?)\s*\d+(?:\s*[-–]\s*\d+)?|:\d+(?::\d+)?\b/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** FNV-1a with 64 bits, over UTF-16 units; enough to tell findings apart, no protection against anybody. */
export function fnv1a64(text: string): string {
  let hash = OFFSET;
  for (let at = 0; at < text.length; at += 1) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * PRIME);
  return hash.toString(16).padStart(16, '0');
}
