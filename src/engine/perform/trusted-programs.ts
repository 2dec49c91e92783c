import type { Change } from '../../core/diff.ts';
import type { AgentSpec } from '../../core/settings.ts';
import { shellPrograms } from '../../core/shell-programs.ts';
import { shellWord } from '../../core/words.ts';
import type { Engine } from '../engine.ts';

/** What an agent runs, by the base where the change touches it. */
export type Programs = Pick<AgentSpec, 'run' | 'sarif'>;

/** A change must not choose what reviews it: a program that it touches is taken from the base; null if there is none. */
export async function trustedPrograms(engine: Engine, spec: AgentSpec | undefined, change: Change): Promise<Programs | null> {
  const paths = change.files.flatMap((file) => (file.oldPath === null ? [file.path] : [file.path, file.oldPath]));
  const trust = async (run: readonly string[]): Promise<readonly string[] | null> =>
    await engine.workspace.trustedRun(run, { base: change.base, paths });
  const { run = [], sarif = [] } = spec ?? {};
  const trusted = await trust(run);
  if (trusted === null) return null;
  const lines: string[] = [];
  for (const line of sarif) {
    const programs = shellPrograms(line);
    const own = await trust(programs.map(({ path }) => path));
    if (own === null) return null;
    lines.push(
      programs.reduce(
        (text, { word, path }, index) => (own[index] === path ? text : text.replace(word, () => shellWord(own[index] ?? word))),
        line,
      ),
    );
  }
  return { run: [...trusted], sarif: lines };
}
