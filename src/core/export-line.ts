import { z } from 'zod';
import type { JournalEntry } from './event.ts';
import { LoopNumber, LoopUid } from './loop-name.ts';
import type { Loop } from './loop.ts';
import { EventOutput, ExportOutput } from './output.ts';
import { jsonValue } from './parse-json.ts';
import { eventOutput, loopOutput } from './project-output.ts';
import { replayJournal } from './replay.ts';

/** What one session of a loop said, in an exported history. */
export const TranscriptLine = z.object({
  type: z.literal('transcript'),
  v: z.literal(1),
  loop: z.number(),
  path: z.string().regex(/^\.volley\/transcripts\/task-[1-9]\d{0,14}-[\w.-]+\.log$/),
  text: z.string(),
});
export type TranscriptLine = z.infer<typeof TranscriptLine>;

/** The last line of an exported history, by which it is known to be whole. */
export const ExportedLine = z.object({
  type: z.literal('exported'),
  v: z.literal(1),
  loops: z.number().int().nonnegative(),
  events: z.number().int().nonnegative(),
});
export type ExportedLine = z.infer<typeof ExportedLine>;

/** New loops are numbered after the last one, so a file that leaves them no room is none of ours. */
const LAST_NUMBER = 999_999_999;

/** A loop in an exported history: all else about it follows from its journal. */
export const LoopLine = z.object({ type: z.literal('loop'), v: z.literal(1), id: LoopNumber.max(LAST_NUMBER), uid: LoopUid });

/** One line of an exported history. */
export const ExportLine = z.discriminatedUnion('type', [ExportOutput, LoopLine, EventOutput, TranscriptLine, ExportedLine]);
export type ExportLine = z.infer<typeof ExportLine>;

/** A loop of an exported history, folded from its journal. */
export type ExportedLoop = { readonly loop: Loop; readonly journal: readonly JournalEntry[] };

/** The lines of one loop: itself, then the entries of its journal, each with the state that it led to. */
export function exportLines(journal: readonly JournalEntry[]): readonly object[] {
  const replay = replayJournal(journal);
  if (replay === null || replay.broken !== null) throw new Error(replay?.broken ?? 'a loop without a journal');
  return [loopOutput(replay.loop), ...replay.steps.map(({ entry, after }) => eventOutput(after, entry))];
}

/** Reads one line; a text says what is wrong with it. */
export function readExportLine(text: string): ExportLine | string {
  const json = jsonValue(text);
  if (json === undefined) return 'it is not JSON';
  const line = ExportLine.safeParse(json);
  if (line.success) return line.data;
  const [issue] = line.error.issues;
  const path = issue?.path.join('.') ?? '';
  return `it is no line of an export${path === '' ? '' : ` (${path}: ${issue?.message ?? ''})`}`;
}

/** Folds what came of one loop; a text says why it cannot be its journal. */
export function foldExported(said: z.infer<typeof LoopLine>, journal: readonly JournalEntry[]): ExportedLoop | string {
  const replay = replayJournal(journal);
  if (replay === null) return `task ${said.id} has no journal that begins it`;
  if (journal.slice(1).some(({ event }) => event.type === 'created')) return `the journal of task ${said.id} begins twice`;
  if (replay.broken !== null) return `the journal of task ${said.id} is broken: ${replay.broken}`;
  const { loop } = replay;
  if (loop.id !== said.id || loop.uid !== said.uid) return `the journal of task ${said.id} is that of another task`;
  if (!isOwnBranch(loop)) return `task ${said.id} has a branch that is not its own: ${loop.branch}`;
  return { loop, journal };
}

/** Branches of tasks are made by this rule; what differs may be somebody's own, or no branch at all. */
function isOwnBranch({ id, branch, settings }: Loop): boolean {
  return branch.startsWith(`${settings.branchPrefix}${id}-`) && /^[A-Za-z0-9][A-Za-z0-9/_-]*$/.test(branch);
}
