import type { Override } from '../core/event.ts';
import { hasFlag, textOption } from './command.ts';
import type { Command, Io, OptionHelp, Typed } from './command.ts';
import { goOn } from './drive.ts';
import { loopId } from './loop-id.ts';
import { progressPrinter } from './progress.ts';
import { SANDBOX_OPTION } from './settings-options.ts';

/** The options of every word of a person that may let a loop go on. */
export const LATER_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  later: { type: 'boolean', help: 'only write it down; volley work goes on' },
  ...SANDBOX_OPTION,
};

const REASON = { type: 'string', value: 'T', help: 'why; it stands in the journal, and author and fixer read it' } as const;

/** Where nobody goes on, nobody reads it. */
const ENDING_OPTIONS: Readonly<Record<string, OptionHelp>> = {
  reason: { ...REASON, help: 'why; it stands in the journal' },
  later: { type: 'boolean', help: 'taken as everywhere; nothing would be started anyway' },
  ...SANDBOX_OPTION,
};

/** A command that overrides a loop. */
export function overrideCommand(override: Exclude<Override, 'verdict' | 'improve' | 'review'>): Command {
  const isEnding = override === 'cancel' || override === 'takeover';
  const usage = `${override} ID [--reason T]${isEnding ? '' : ' [--later]'}`;
  return {
    usage,
    options: isEnding ? ENDING_OPTIONS : { reason: REASON, ...LATER_OPTIONS },
    run: async (typed, io) =>
      await overrideAndGoOn(loopId(typed, usage), { override, reason: textOption(typed, 'reason') ?? null }, { typed, io }),
  };
}

/** What a person orders. */
export type Ordered = {
  readonly override: Override;
  readonly reason: string | null;
  readonly verdict?: 'APPROVED' | 'CHANGES_REQUESTED';
  readonly review?: boolean;
};

/** Overrides a loop in the name of whoever sits here, and drives what it then wants to do. */
export async function overrideAndGoOn(
  id: number,
  ordered: Ordered,
  { typed, io }: { readonly typed: Typed; readonly io: Io },
): Promise<number> {
  const { openApp, overrideLoop } = await import('../app.ts');
  const app = await openApp({ cwd: io.cwd, requireSandbox: hasFlag(typed, 'require-sandbox'), report: progressPrinter(io) });
  try {
    const loop = await overrideLoop(app.engine, id, { ...ordered, by: app.person.name });
    return await goOn(app, loop, { io, later: hasFlag(typed, 'later') });
  } finally {
    await app.close();
  }
}
