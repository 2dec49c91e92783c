/** An answer of the acquirer without what belongs into the vault. */
export function redactCharge(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { source: _source, billing_details: _billing, ...rest } = raw;
  return rest;
}
