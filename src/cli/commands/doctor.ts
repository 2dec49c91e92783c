import type { Check, Examination } from '../../app-doctor.ts';
import type { Trial } from '../../app-try-gates.ts';
import { redact } from '../../core/secrets.ts';
import { counted } from '../../core/words.ts';
import { lastLines } from '../../lib/tail.ts';
import { hasFlag, refuseWords } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { INTERRUPTED, stopOnSignals } from '../drive.ts';
import { paint } from '../print.ts';
import { printCheck } from '../print-check.ts';

/** `volley doctor`: what loops need, and whether it is there. */
export const command: Command = {
  usage: 'doctor [--gates]',
  options: { gates: { type: 'boolean', help: 'run the set-up command and the gates in a fresh checkout of the base' } },
  run: async (typed, io) => {
    refuseWords(typed, 'doctor [--gates]');
    const { examine } = await import('../../app-doctor.ts');
    const found = await examine(io.cwd);
    for (const check of found.checks) printCheck(check, io);
    if (!hasFlag(typed, 'gates')) {
      const code = conclude(found.checks, io);
      if ((found.settings?.gates.length ?? 0) > 0) io.out('volley doctor --gates runs the gates in a fresh checkout.');
      return code;
    }
    const { signal } = stopOnSignals(io, () => 'Stopping; what runs is being ended and the checkout removed…');
    try {
      return conclude([...found.checks, ...(await tryGates(found, signal, io))], io);
    } catch (error) {
      if (!signal.aborted) throw error;
      return INTERRUPTED;
    }
  },
};

type Verdict = Pick<Check, 'status'>;

async function tryGates({ checks, repository, settings }: Examination, signal: AbortSignal, io: Io): Promise<Verdict[]> {
  const started = repository?.started ?? null;
  const hasBase = !checks.some(({ name, status }) => name === 'base' && status === 'problem');
  if (started === null || settings === null || !hasBase) {
    io.out('');
    io.out('The gates were not tried: what is marked with ✗ comes first.');
    return [];
  }
  if (settings.gates.length === 0 && settings.checkout.setup === null) return [];
  const verdicts: Verdict[] = [];
  const { tryOnBase } = await import('../../app-try-gates.ts');
  for await (const trial of tryOnBase(started, settings, signal)) verdicts.push(...tellTrial(trial, io));
  if (verdicts.some(({ status }) => status === 'warning')) {
    io.out('  What is red before a change does not block it: loops say so and go on. Green gates protect you better.');
  }
  return verdicts;
}

function tellTrial(trial: Trial, io: Io): Verdict[] {
  switch (trial.type) {
    case 'checked-out':
      io.out('');
      io.out(`In a fresh checkout of ${trial.commit.slice(0, 8)}, the base, as in a loop:`);
      return [];
    case 'started':
      if (io.interactive) io.out(paint(io, 'dim', `    ${titleOf(trial)} …`));
      return [];
    case 'ended':
      return [tellEnd(trial, io)];
  }
}

function titleOf({ name, command: line }: { readonly name: string; readonly command: string }): string {
  return name === 'setup' ? `${line} (set-up)` : name;
}

const SHOWN_LINES = 15;

function tellEnd(trial: Extract<Trial, { type: 'ended' }>, io: Io): Verdict {
  const { name, command: line, result, run } = trial;
  const title = titleOf(trial);
  const { exitCode, timedOut, durationMs } = run;
  const output = redact(run.output);
  io.object({ type: 'gate', v: 1, name, run: line, result, exitCode, timedOut, durationMs: Math.round(durationMs), output });
  const took = `${(durationMs / 1000).toFixed(1)} s`;
  const how = timedOut ? `stopped after ${took}: out of time` : `red after ${took}${exitCode === null ? '' : `, exit code ${exitCode}`}`;
  switch (result) {
    case 'passed':
      io.out(`  ${paint(io, 'green', '✓')} ${title} … passed in ${took}`);
      return { status: 'ok' };
    case 'red':
      io.out(`  ${paint(io, 'yellow', '!')} ${title} … ${how}`);
      showEnd(output, io);
      return { status: 'warning' };
    case 'unable':
      io.out(`  ${paint(io, 'red', '✗')} ${title} … ${how}`);
      showEnd(output, io);
      io.out(`    ${paint(io, 'dim', name === 'setup' ? SETUP_FAILED : NOT_STARTED)}`);
      return { status: 'problem' };
  }
}

const SETUP_FAILED = 'A loop would stop here. Correct checkout.setup; it runs with another home than yours and without your variables.';
const NOT_STARTED =
  'A program was not found. A fresh checkout has what is committed and what checkout.setup brings; its home is not yours.';

function showEnd(output: string, io: Io): void {
  const text = lastLines(output, SHOWN_LINES).trimEnd();
  if (text !== '') for (const line of text.split('\n')) io.out(`    ${paint(io, 'dim', '│')} ${line}`.trimEnd());
}

function conclude(verdicts: readonly Verdict[], io: Io): number {
  const count = (status: Check['status']): number => verdicts.filter((verdict) => verdict.status === status).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  io.out('');
  if (problems > 0)
    io.out(paint(io, 'red', `${counted(problems, 'problem')} to mend before loops can run, and ${counted(warnings, 'warning')}.`));
  else if (warnings > 0) io.out(`Loops can run; ${counted(warnings, 'warning')} to know about.`);
  else io.out(paint(io, 'green', 'Loops can run; nothing to remark.'));
  io.object({ type: 'doctor', v: 1, problems, warnings });
  return problems > 0 ? 1 : 0;
}
