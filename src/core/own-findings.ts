import { executions, OWN_CODE, UNREADABLE } from './agent-settings.ts';
import type { Execution } from './agent-settings.ts';
import type { RaisedFinding } from './finding.ts';
import { oneLine } from './prompts/fence.ts';
import { redactedLines } from './secret-mask.ts';
import { watchedKind } from './watched-files.ts';
import type { WatchedKind } from './watched-files.ts';
import { counted, someOf } from './words.ts';

/** The tag of an edit of a fixer outside of what it was asked. */
export const STRAY_EDIT = 'stray-edit';

/** What a fixer edited, and the files that it had reason to edit. */
export type FixerEdits = {
  readonly edited: readonly string[];
  readonly changeFiles: readonly string[];
  readonly findingFiles: readonly string[];
  /** The agent that played the fixer. */
  readonly fixer: string;
};

/** A finding for each file that a fixer edited without a reason that is known: neither the change nor a finding has it. */
export function strayFindings({ edited, changeFiles, findingFiles, fixer }: FixerEdits): RaisedFinding[] {
  const known = new Set([...changeFiles, ...findingFiles]);
  const stray = [...new Set(edited)].filter((path) => !known.has(path));
  return stray.map((path) => {
    const kind = watchedKind(path);
    return {
      ...OWN,
      severity: kind === null ? 'suggestion' : 'high',
      category: 'architecture',
      tag: STRAY_EDIT,
      file: path,
      line: null,
      lineEnd: null,
      // The agent's name stays out of the words: they tell whether it is the same finding when another one plays the fixer.
      description: `The fixer edited ${code(path)}, which is neither part of the change nor named by a finding.`,
      impact: kind === null ? null : REACH[kind],
      suggestion: 'Undo the edit, or dispute this finding with the reason why the fix needs it.',
      flags: [`edited by ${oneLine(fixer)}`],
    };
  });
}

/** A file of a change as it is at the head; `text` is null where it is gone or holds no text, `isLink` where other files stand in its place. */
export type SettingsFile = { readonly path: string; readonly text: string | null; readonly isLink?: boolean };

/** A finding for each thing that agents would run because of settings in the change. */
export function settingsFindings(files: readonly SettingsFile[]): RaisedFinding[] {
  return files.flatMap(({ path, text, isLink = false }) => {
    if (isLink)
      return [
        {
          ...about(path, null),
          description: `${code(path)} is a link or a repository of its own, so that settings from elsewhere stand in its place.`,
        },
      ];
    const groups = text === null ? [] : grouped(executions(path, text));
    const shown = groups.slice(0, MOST_PER_FILE).map((group) => settingsFinding(path, group));
    const rest = groups.length - shown.length;
    if (rest > 0)
      shown.push({ ...about(path, null), description: `${code(path)} sets up ${counted(rest, 'more thing')} that agents would run.` });
    return shown;
  });
}

/** A person reads them one by one, so a file cannot bury what matters. */
const MOST_PER_FILE = 20;

type Group = readonly [Execution, ...Execution[]];

/** What stands under one setting is one thing to judge; hooks and servers are judged each by itself. */
function grouped(found: readonly Execution[]): readonly Group[] {
  const groups = new Map<string, [Execution, ...Execution[]]>();
  for (const [index, one] of found.entries()) {
    const key = one.what === 'command' ? one.name : String(index);
    const group = groups.get(`${one.what} ${key}`);
    if (group === undefined) groups.set(`${one.what} ${key}`, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

function settingsFinding(path: string, group: Group): RaisedFinding {
  return { ...about(path, group[0].line), description: `${code(path)} ${deed(group)}.` };
}

function deed([first, ...others]: Group): string {
  if (first.name === UNREADABLE) return 'cannot be read, but seems to set up hooks, servers or commands for agents';
  if (first.name === OWN_CODE) return 'is code that agents load or run by themselves';
  if (first.what === 'hook') return `sets up a hook (${oneLine(first.name)}) that runs ${code(first.command)}`;
  if (first.what === 'mcp-server') return `sets up the MCP server ${code(first.name)}, which is ${code(first.command)}`;
  const commands = [...new Set([first, ...others].map((one) => code(one.command)))];
  return `makes agents use ${someOf(commands)} (${shortened(first.name)})`;
}

function about(path: string, line: number | null): Omit<RaisedFinding, 'description'> {
  return {
    ...OWN,
    severity: 'high',
    category: 'security',
    tag: 'agent-settings',
    file: path,
    line,
    lineEnd: line,
    impact: 'It would run, with the rights of the user, for everybody who starts that agent in this repository.',
    suggestion: 'Take it out, or dispute this finding with the reason why the project needs it.',
  };
}

const OWN = {
  source: 'engine',
  place: 'file',
  patch: null,
  snippet: null,
  codeHash: null,
  flags: [],
  raisedBy: ['volley'],
} satisfies Partial<RaisedFinding>;

const REACH: Readonly<Record<WatchedKind, string>> = {
  workflow: 'It decides what runs on the CI machines, and with which rights.',
  manifest: 'It decides which code of others is used.',
  lockfile: 'It decides which code of others is used.',
  'agent-settings': 'It decides what agents do, and may run, in this repository.',
};

const LONGEST = 120;

/** Words of a file in a code span: on one line, without secrets and invisible characters, cut where they are long. */
function code(text: string): string {
  const short = shortened(text);
  const longest = (short.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
  const [fence, gap] = ['`'.repeat(longest + 1), longest === 0 ? '' : ' '];
  return `${fence}${gap}${short}${gap}${fence}`;
}

function shortened(text: string): string {
  const line = oneLine(redactedLines(text).join(' ')).replace(/\p{Cf}/gu, '');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST).trimEnd().toWellFormed()} …`;
}
