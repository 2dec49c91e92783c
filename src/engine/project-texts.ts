import type { Loop } from '../core/loop.ts';
import { Role } from '../core/settings.ts';
import { recall } from '../lib/recall.ts';
import type { Recall } from '../lib/recall.ts';
import type { Engine } from './engine.ts';

/** What the project itself says to agents; always from the base, so that no change can rewrite its own rules. */
export type ProjectTexts = { readonly standards: string | null; readonly prompt: string | null; readonly rules: RuleTexts };

type RuleTexts = readonly { readonly name: string; readonly text: string }[];

type BaseTexts = Omit<ProjectTexts, 'prompt'> & { readonly prompts: ReadonlyMap<Role, string | null> };

const KNOWN_BASES = 64;
const known = new WeakMap<Engine, Recall<BaseTexts>>();

/** The standards and the project's own prompt of a role. A commit never changes, so what it says to all roles is read once. */
export async function readProjectTexts(engine: Engine, loop: Loop, role: Role): Promise<ProjectTexts> {
  const bases = known.get(engine) ?? recall<BaseTexts>(KNOWN_BASES);
  known.set(engine, bases);
  const commit = loop.rulesFrom;
  const { standards, rules, prompts } = await bases.get(commit, async () => await readBase(engine, commit));
  return { standards, rules, prompt: prompts.get(role) ?? null };
}

async function readBase(engine: Engine, commit: string): Promise<BaseTexts> {
  const [standards, rules, prompts] = await Promise.all([
    engine.workspace.readText(commit, '.volley/standards.md'),
    readRules(engine, commit),
    Promise.all(Role.options.map(async (role) => [role, await engine.workspace.readText(commit, `.volley/prompts/${role}.md`)] as const)),
  ]);
  return { standards, rules, prompts: new Map(prompts) };
}

async function readRules(engine: Engine, commit: string): Promise<RuleTexts> {
  const paths = await engine.workspace.listFiles(commit, '.volley/rules');
  const names = paths.filter((path) => /\.ya?ml$/.test(path));
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await engine.workspace.readText(commit, name) })));
  return texts.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]));
}
