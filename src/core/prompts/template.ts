import { VolleyError } from '../errors.ts';

const NAME = /\{\{([^{}]*)\}\}/g;

/**
 * Fills `{{names}}` in a template. Values are put in as they are and never looked into again; a name alone on its line
 * whose value is empty takes the line and the blank one behind it away.
 */
export function renderTemplate(template: string, values: Readonly<Record<string, string>>, required: readonly string[] = []): string {
  const used = new Set([...template.matchAll(NAME)].map((match) => (match[1] ?? '').trim()));
  const unknown = [...used].filter((name) => !Object.hasOwn(values, name));
  if (unknown.length > 0) {
    throw new VolleyError(
      'bad-config',
      `A prompt template uses names that do not exist: ${listed(unknown)}.`,
      `Use only these: ${listed(Object.keys(values))}.`,
    );
  }
  const missing = required.filter((name) => !used.has(name));
  if (missing.length > 0) {
    throw new VolleyError(
      'bad-config',
      `A prompt template leaves out what its agent cannot do without: ${listed(missing)}.`,
      'Put each of them into the template once.',
    );
  }
  return withoutEmptyLines(template, values).replace(NAME, (_, name: string) => values[name.trim()] ?? '');
}

function withoutEmptyLines(template: string, values: Readonly<Record<string, string>>): string {
  const lines = template.split('\n');
  const kept = lines.filter((line, index) => {
    const isGone = (text: string | undefined): boolean => {
      const name = /^\s*\{\{([^{}]*)\}\}\s*$/.exec(text ?? '')?.[1];
      return name !== undefined && values[name.trim()] === '';
    };
    return !isGone(line) && !(line.trim() === '' && isGone(lines[index - 1]));
  });
  return kept.join('\n');
}

function listed(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ');
}
