import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { structuredPatch } from 'diff';
import { z } from 'zod';
import type { ReportedIssue } from '../../core/finding.ts';
import { linePatch } from '../../core/line-patch.ts';
import type { LineEdit } from '../../core/line-patch.ts';
import { readSarif } from '../../core/readers/sarif.ts';
import { counted } from '../../core/words.ts';
import { AnalysisFailed, issueAt } from './analysis.ts';
import type { Analysis, Workplace } from './analysis.ts';
import { configName, OXLINT_RULES, oxlintConfig } from './oxlint-rules.ts';
import { inBatches, runTool } from './run-tool.ts';
import { languageOf } from './rule.ts';
import { touches, writeTexts } from './subject-files.ts';
import type { SubjectFile } from './subject-files.ts';

/** Lints the changed lines of JavaScript and TypeScript; nothing of the repository decides how. */
export async function analyseWithOxlint(
  written: readonly SubjectFile[],
  ignore: readonly string[],
  place: Workplace,
): Promise<Analysis | null> {
  const files = written.filter(({ name }) => languageOf(name) === 'js');
  if (files.length === 0) return null;
  const folder = join(place.folder, 'oxlint');
  await mkdir(folder, { recursive: true });
  const config = join(folder, 'config.json');
  await writeFile(config, JSON.stringify(oxlintConfig()));
  const found = await lint({ config, dir: place.heard, files }, place);
  const chosen = found.filter(
    ({ rule, file, line, lineEnd }) => !ignore.includes(rule) && (rule === UNREAD || touches(file, line, lineEnd)),
  );
  const edits = await findFixes(folder, { config, found: chosen }, place);
  const issues = chosen.map((one) => toIssue(one, ownEdits(one, found, edits.get(one.file.path) ?? [])));
  return {
    issues,
    tool: 'oxlint',
    result: `${counted(Object.keys(OXLINT_RULES).length, 'rule')} on ${counted(files.length, 'file')}: ${counted(found.length, 'result')}, ${issues.length} on changed lines`,
  };
}

const Manifest = z.object({ version: z.string(), bin: z.object({ oxlint: z.string() }) });

/** The linter's program, null where it is not installed. */
export function findOxlint(): { readonly program: string; readonly version: string } | null {
  const require = createRequire(import.meta.url);
  try {
    const { version, bin } = Manifest.parse(require('oxlint/package.json'));
    return { program: join(dirname(require.resolve('oxlint/package.json')), bin.oxlint), version };
  } catch {
    return null;
  }
}

type Linting = { readonly config: string; readonly dir: string; readonly files: readonly SubjectFile[]; readonly fix?: boolean };
type Found = {
  readonly rule: string;
  readonly file: SubjectFile;
  readonly line: number;
  readonly lineEnd: number;
  readonly issue: ReportedIssue;
};

async function lint(linting: Linting, place: Workplace): Promise<Found[]> {
  return await inBatches(linting.files, async (files) => await lintSome({ ...linting, files }, place));
}

async function lintSome({ config, dir, files, fix = false }: Linting, place: Workplace): Promise<Found[]> {
  const oxlint = findOxlint();
  if (oxlint === null) throw new AnalysisFailed('oxlint is not installed for this platform.');
  const flags = ['--config', config, '--disable-nested-config', '--no-ignore', '--format', 'sarif', ...(fix ? ['--fix'] : [])];
  const { printed } = await runTool(
    { name: 'oxlint', argv: [process.execPath, oxlint.program, ...flags, '--', ...files.map(({ name }) => name)], cwd: dir, env: {} },
    place,
  );
  const read = readSarif(printed, Infinity);
  if (read.kind === 'unreadable') throw new AnalysisFailed(`oxlint gave no result: ${read.detail}.`);
  // It writes paths as they are, where others encode them.
  const byPath = new Map(files.flatMap((file) => [[file.name, file] as const, [decoded(file.name), file] as const]));
  return read.issues.flatMap((issue) => {
    const rule = configName(issue.ruleId ?? '');
    const file = byPath.get(issue.file ?? '');
    if (file === undefined) throw new AnalysisFailed(`oxlint told of a file that it was not given: ${issue.file ?? 'none'}.`);
    if (!Object.hasOwn(OXLINT_RULES, rule))
      return [{ rule: UNREAD, file, line: issue.line ?? 1, lineEnd: issue.lineEnd ?? issue.line ?? 1, issue }];
    return issue.line === null ? [] : [{ rule, file, line: issue.line, lineEnd: issue.lineEnd ?? issue.line, issue }];
  });
}

/** What it says of a file that it cannot read as code; dialects that it does not know are no mistake. */
const UNREAD = 'not-linted';

function isDialect(text: string): boolean {
  return /@flow\b/.test(text.slice(0, 2000));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The linter only fixes in place, so it does on copies, and what differs then are its fixes. */
async function findFixes(
  folder: string,
  { config, found }: { readonly config: string; readonly found: readonly Found[] },
  place: Workplace,
): Promise<ReadonlyMap<string, readonly LineEdit[]>> {
  const files = [...new Set(found.map(({ file }) => file).filter(({ exact }) => exact))];
  if (files.length === 0) return new Map();
  const copy = join(folder, 'fixed');
  await writeTexts(files, copy, ({ text }) => text);
  await lint({ config, dir: copy, files, fix: true }, place);
  const edits = await Promise.all(
    files.map(async ({ path, name, text }) => [path, editsBetween(text, await readFile(join(copy, name), 'utf8'))] as const),
  );
  return new Map(edits);
}

function editsBetween(before: string, after: string): LineEdit[] {
  if (before === after) return [];
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 0 });
  return hunks.map((hunk) => ({
    line: hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart,
    removed: hunk.oldLines,
    added: hunk.lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
  }));
}

/** The edits on the lines of a result; where others touch them too, nobody knows whose they are. */
function ownEdits(one: Found, all: readonly Found[], edits: readonly LineEdit[]): readonly LineEdit[] {
  return edits.filter(({ line, removed }) => {
    const there = all.filter((other) => other.file === one.file && other.line < line + Math.max(1, removed) && other.lineEnd >= line);
    return there.every(({ rule }) => rule === one.rule);
  });
}

function toIssue({ rule, file, line, lineEnd, issue }: Found, edits: readonly LineEdit[]): ReportedIssue {
  const { severity, category } = OXLINT_RULES[rule] ?? { severity: isDialect(file.text) ? 'low' : 'medium', category: 'logic' };
  const edit = edits.find((one) => one.line >= line && one.line + one.removed - 1 <= lineEnd && one.removed > 0);
  return issueAt(
    { file: file.path, line, lineEnd },
    { id: rule, severity, category },
    {
      description: issue.description,
      impact: issue.impact,
      suggestion: issue.suggestion,
      patch: edit === undefined ? null : linePatch(file.path, file.text, edit),
    },
  );
}
