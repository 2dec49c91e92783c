import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AnalysisFailed } from './analysis.ts';
import type { Workplace } from './analysis.ts';
import { TSX_GLOBS } from './rule.ts';
import type { Rule } from './rule.ts';
import { inBatches, runTool } from './run-tool.ts';

const Position = z.object({ line: z.number(), column: z.number() });

/** One place that a rule matched; offsets are bytes, lines start at 0. */
const Match = z.object({
  file: z.string(),
  ruleId: z.string(),
  message: z.string(),
  range: z.object({ start: Position, end: Position }),
  replacement: z.string().optional(),
  replacementOffsets: z.object({ start: z.number(), end: z.number() }).optional(),
});
export type Match = z.infer<typeof Match>;

/** A scan of files of a checkout. */
export type Scan = { readonly rules: readonly Rule[]; readonly files: readonly string[] };

const Manifest = z.object({ version: z.string() });

/** The engine's program, which npm installs for the platforms that it is built for; null on others. */
export function findAstGrep(): { readonly program: string; readonly version: string } | null {
  const require = createRequire(import.meta.url);
  const name = process.platform === 'win32' ? 'ast-grep.exe' : 'ast-grep';
  for (const variant of ['', '-gnu', '-msvc']) {
    try {
      const manifest = `@ast-grep/cli-${process.platform}-${process.arch}${variant}/package.json`;
      const program = join(dirname(require.resolve(manifest)), name);
      if (existsSync(program)) return { program, version: Manifest.parse(require(manifest)).version };
    } catch {
      // It is not the variant of this platform.
    }
  }
  return null;
}

/** Matches rules against files; nothing of the repository decides how. */
export async function scan({ rules, files }: Scan, place: Workplace): Promise<Match[]> {
  if (rules.length === 0 || files.length === 0) return [];
  const config = await writeRules(rules, join(place.folder, 'ast-grep'));
  return await inBatches(files, async (some) => await scanSome(some, config, place));
}

/** Writes rules and the configuration that leads to them, and gives its path. */
export async function writeRules(rules: readonly Rule[], folder: string): Promise<string> {
  await mkdir(join(folder, 'rules'), { recursive: true });
  const documents = rules.flatMap((rule) => rule.documents.map((document) => JSON.stringify(document)));
  await writeFile(join(folder, 'rules', 'rules.yml'), documents.join('\n---\n'));
  const config = join(folder, 'sgconfig.yml');
  await writeFile(config, JSON.stringify({ ruleDirs: ['rules'], languageGlobs: { tsx: TSX_GLOBS } }));
  return config;
}

async function scanSome(files: readonly string[], config: string, place: Workplace): Promise<Match[]> {
  const engine = findAstGrep();
  if (engine === null) throw new AnalysisFailed('ast-grep is not installed for this platform.');
  const argv = [engine.program, 'scan', '--config', config, '--json=stream', '--', ...files.map((file) => `./${file}`)];
  const { printed } = await runTool({ name: 'ast-grep', argv, cwd: place.heard, env: {} }, place);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const match = Match.parse(JSON.parse(line));
      return { ...match, file: match.file.replace(/^\.\//, ''), ruleId: match.ruleId.replace(/@[^@]*$/, '') };
    });
}
