type Named = { readonly file?: string | undefined; readonly finding?: number | undefined; readonly [name: string]: unknown };

/** Whether a step leads to a file or a finding where the address is already. */
export function asksAgain(now: Named, patch: Named): boolean {
  if (patch.file === undefined && patch.finding === undefined) return false;
  return Object.entries(patch).every(([name, value]) => now[name] === value);
}
