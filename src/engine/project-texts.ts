import type { Loop } from '../core/loop.ts';
import type { Role } from '../core/settings.ts';
import type { Engine } from './engine.ts';

/** What the project itself says to agents; always from the base, so that no change can rewrite its own rules. */
export type ProjectTexts = { readonly standards: string | null; readonly prompt: string | null };

const known = new WeakMap<Engine, Map<string, Promise<string | null>>>();

/** The standards and the project's own prompt of a role. A commit never changes, so each is read once. */
export async function readProjectTexts(engine: Engine, loop: Loop, role: Role): Promise<ProjectTexts> {
  const { commit } = loop.base;
  const [standards, prompt] = await Promise.all([
    readOnce(engine, commit, '.volley/standards.md'),
    readOnce(engine, commit, `.volley/prompts/${role}.md`),
  ]);
  return { standards, prompt };
}

async function readOnce(engine: Engine, commit: string, path: string): Promise<string | null> {
  const texts = known.get(engine) ?? new Map<string, Promise<string | null>>();
  known.set(engine, texts);
  const key = `${commit}:${path}`;
  const text = texts.get(key) ?? engine.workspace.readText(commit, path);
  texts.set(key, text);
  return await text;
}
