import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import type { z } from 'zod';
import { makeRule, RuleFile } from './rule.ts';
import type { Language, Rule } from './rule.ts';

/** A text with rules in it, and the name under which mistakes in it are told. */
export type RuleText = { readonly name: string; readonly text: string };

/** Rules, and one sentence per text that holds none. */
export type LoadedRules = { readonly rules: readonly Rule[]; readonly problems: readonly string[] };

const FOLDER = fileURLToPath(new URL('rules/', import.meta.url));

/** Our own rules for some languages; those on SQL in strings belong to every language. */
export async function loadOwnRules(languages: Iterable<Language>): Promise<readonly Rule[]> {
  const folders = [...new Set<string>(languages), 'sql'];
  const texts = await Promise.all(folders.map(readTexts));
  const { rules, problems } = readRules(texts.flat());
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return rules.map((rule) => ({ ...rule, origin: null }));
}

/** Reads rules; a text may hold several documents. */
export function readRules(texts: readonly RuleText[]): LoadedRules {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const { name, text } of texts) {
    for (const document of parseAllDocuments(text, { logLevel: 'silent' })) {
      const [broken] = document.errors;
      if (broken !== undefined) {
        problems.push(`${name} is no YAML: ${broken.message.split('\n')[0]}`);
        continue;
      }
      const value = valueOf(document);
      if (value instanceof Error) {
        problems.push(`${name} cannot be read: ${value.message}`);
        continue;
      }
      if (value === null || value === undefined) continue;
      const parsed = RuleFile.safeParse(value);
      if (!parsed.success) {
        problems.push(...parsed.error.issues.map((issue) => `${name}: ${problemOf(issue)}`));
        continue;
      }
      const rule = makeRule(parsed.data, name);
      if (rule === null) continue;
      const twin = rules.find(({ id }) => id === rule.id);
      if (twin === undefined) rules.push(rule);
      else problems.push(`${name}: there is another rule ${rule.id}, in ${twin.origin}`);
    }
  }
  return { rules, problems };
}

/** A document that refers to itself, or to too much, is no rule. */
function valueOf(document: { toJS(): unknown }): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS() ?? null));
  } catch (error) {
    return error;
  }
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is not known in a rule`;
  const path = issue.path.join('.') || 'the rule';
  return issue.message.startsWith('must') ? `${path} ${issue.message}` : `${path} is wrong (${issue.message})`;
}

async function readTexts(folder: string): Promise<RuleText[]> {
  const names = await readdir(join(FOLDER, folder)).catch(() => []);
  const files = names.filter((name) => name.endsWith('.yml')).toSorted();
  return await Promise.all(files.map(async (name) => ({ name, text: await readFile(join(FOLDER, folder, name), 'utf8') })));
}
