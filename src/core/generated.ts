const LOCKFILE =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|mix\.lock|flake\.lock)$/;
const BUILT = /\.(?:min\.(?:js|css|mjs)|map)$|(?:^|\/)(?:node_modules|vendor|third_party)\//;
const MARK = /@generated\b|\bDO NOT EDIT\b|\bautomatically generated\b/i;
const HEAD_LINES = 8;

/** A file as it is after a change, with the lines that the change added. */
export type WrittenFile = { readonly path: string; readonly text: string; readonly addedLines: ReadonlySet<number> };

/**
 * Why a file is not made by hand, null if it is. A mark in its head counts only where it stood there before: a change must not
 * take a file out of its own review.
 */
export function generatedBy({ path, text, addedLines }: WrittenFile): string | null {
  if (LOCKFILE.test(path)) return 'a lockfile';
  if (BUILT.test(path)) return 'built or taken from others';
  const head = text.split('\n', HEAD_LINES);
  return head.some((line, index) => MARK.test(line) && !addedLines.has(index + 1)) ? 'marked as generated' : null;
}
