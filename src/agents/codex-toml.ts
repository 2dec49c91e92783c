/** What a setting of Codex can be. */
export type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue };

/** A value as TOML, in one line, whatever is in its texts. */
export function tomlOf(value: TomlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map(tomlOf).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}=${tomlOf(item)}`)
    .join(',')}}`;
}

function isList(value: TomlValue): value is readonly TomlValue[] {
  return Array.isArray(value);
}

/** The escapes of JSON are those of TOML, which wants DEL escaped too and knows no half of a surrogate pair. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\u007F', String.raw`\u007F`);
}
