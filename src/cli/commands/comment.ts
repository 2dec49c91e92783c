import type { App } from '../../app.ts';
import { wantsWork } from '../../core/decide.ts';
import { VolleyError } from '../../core/errors.ts';
import type { Loop } from '../../core/loop.ts';
import { loopOutput } from '../../core/project-output.ts';
import { hasFlag } from '../command.ts';
import type { Command, Io, Typed } from '../command.ts';
import { goOn } from '../drive.ts';
import { parseId } from '../loop-id.ts';
import { LATER_OPTIONS, overrideAndGoOn } from '../override.ts';
import { clean } from '../print.ts';
import { progressPrinter } from '../progress.ts';

const USAGE = 'comment ID [FILE:LINE[-END]] "…" [--request-changes | --approve] [--later]';

/** `volley comment ID FILE:LINE "…"`: your own review of a change. */
export const command: Command = {
  usage: USAGE,
  options: {
    'request-changes': { type: 'boolean', help: 'it has to be answered by a fix before anything is approved' },
    approve: { type: 'boolean', help: 'approve the change in your name' },
    ...LATER_OPTIONS,
  },
  run: async (typed, io) => {
    const said = readComment(typed);
    if (hasFlag(typed, 'approve')) return await approve(typed, said, io);
    const { commentOnLoop, openApp } = await import('../../app.ts');
    const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(io) });
    try {
      const { id, ...comment } = said;
      const asks = hasFlag(typed, 'request-changes');
      const loop = await commentOnLoop(app.engine, id, { ...comment, by: app.person.name, asks });
      return asks ? await asked(app, loop, { typed, io }) : noted(loop, io);
    } finally {
      await app.close();
    }
  },
};

type Said = {
  readonly id: number;
  readonly text: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly lineEnd: number | null;
};

async function approve(typed: Typed, { id, text, file }: Said, io: Io): Promise<number> {
  if (hasFlag(typed, 'request-changes'))
    throw new VolleyError('bad-usage', '--approve and --request-changes exclude each other.', 'Leave one of them out.');
  if (file !== null)
    throw new VolleyError('bad-usage', 'An approval is about the whole change.', `Write volley comment ${id} "…" --approve.`);
  return await overrideAndGoOn(id, { override: 'verdict', verdict: 'APPROVED', reason: text === '' ? null : text }, { typed, io });
}

async function asked(app: App, loop: Loop, { typed, io }: { readonly typed: Typed; readonly io: Io }): Promise<number> {
  io.out(`${loop.comments.at(-1)?.findingId ?? ''}: ${clean(app.person.name)} asks for changes`);
  return await goOn(app, loop, { io, later: hasFlag(typed, 'later') });
}

function noted(loop: Loop, io: Io): number {
  const reader = loop.head === null ? 'author' : 'fixer';
  io.out(`Noted for the next ${reader} of task ${loop.id}.`);
  if (!wantsWork(loop) && loop.head !== null) io.out(`  Nothing is to be fixed now; volley improve ${loop.id} sends it to the fixer.`);
  io.object(loopOutput(loop));
  return 0;
}

function readComment(typed: Typed): Said {
  const [idText, ...words] = typed.positionals;
  if (idText === undefined) throw new VolleyError('bad-usage', 'The number of a task is missing.', `Write volley ${USAGE}.`);
  const id = parseId(idText);
  if (words.length > 2)
    throw new VolleyError('bad-usage', `'${words.slice(2).join(' ')}' is too much.`, `Put the words into quotes: volley ${USAGE}.`);
  const [first = '', second] = words;
  if (second === undefined) {
    if (first === '' && !hasFlag(typed, 'approve')) throw new VolleyError('bad-usage', 'A comment needs words.', `Write volley ${USAGE}.`);
    return { id, text: first, file: null, line: null, lineEnd: null };
  }
  const match = /^(.+?)(?::([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?)?$/.exec(first);
  const numberOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));
  return { id, text: second, file: match?.[1] ?? first, line: numberOf(match?.[2]), lineEnd: numberOf(match?.[3]) };
}
