/** What error reports may carry; everything else stays here. */
export function reportOf(error: unknown, context: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { message: error instanceof Error ? error.message : String(error), context };
}
