import { redact } from '../../core/secrets.ts';
import { joinAccess } from '../../core/access.ts';
import type { Effect } from '../../core/action.ts';
import { VolleyError } from '../../core/errors.ts';
import type { GateResult } from '../../core/event.ts';
import { HOOKS_GATE } from '../../core/settings.ts';
import type { GateSpec } from '../../core/settings.ts';
import { failpoint } from '../../lib/failpoint.ts';
import type { GateRun } from '../../gates/gate.ts';
import type { Step, StepResult } from '../engine.ts';
import { CheckoutLost, prepareCheckout } from '../prepare-checkout.ts';
import { runCommand, runSetup } from '../run-command.ts';
import type { CommandPlace, CommandStep } from '../run-command.ts';

/** What shells exit with for a command that they cannot run. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** Gates as they are run for a loop. */
export type GateStep = Omit<Step<Extract<Effect, { do: 'gates' }>>, 'journal'>;

/** Runs the gates on the head. A red one runs once more, and on the base, before it counts. */
export async function performGates(step: GateStep): Promise<StepResult> {
  const { engine, loop, token, signal } = step;
  const head = loop.head;
  if (head === null) throw new Error('gates without a head');
  try {
    const checkout = await prepareCheckout(engine, loop, { token, signal });
    const paths = await engine.workspace.changedPaths(loop.base.mergeBase, head.commit);
    const results = await tryGates(step, checkout, paths);
    const hooks = await tryHooks(step, checkout);
    if (hooks !== null) results.push(hooks);
    return { type: 'gated', token, tree: head.tree, results };
  } catch (error) {
    const isLost = error instanceof CheckoutLost || (error instanceof VolleyError && error.code === 'checkout-missing');
    if (isLost) return { type: 'checkout-lost', token, why: error.message };
    throw error;
  }
}

/** The gates that a change of these paths calls for, in a place that is set up already. */
export async function tryGates(step: GateStep, where: Where, paths: readonly string[]): Promise<GateResult[]> {
  const results: GateResult[] = [];
  for (const gate of step.loop.settings.gates.filter((one) => step.engine.gateMatches(one, paths)))
    results.push(await tryGate(step, gate, where));
  return results;
}

/** Whether the set-up command succeeds in a place; true where there is none. */
export async function setsUp(step: CommandStep, where: Where): Promise<boolean> {
  return (await runSetup(step, where))?.passed ?? true;
}

/** The repository's own commit hooks, of the base branch, on the whole change; red ones once more, and with nothing staged. */
async function tryHooks(step: GateStep, checkout: Where): Promise<GateResult | null> {
  const { commitHooks } = step.loop.settings;
  const { head } = step.loop;
  if (commitHooks === null || head === null) return null;
  const gate = { name: HOOKS_GATE, run: commitHooks.names.map(hookLine).join(' && '), cwd: '.', paths: [], network: false };
  const run = async (commit: string): Promise<GateRun> => await runHooks(step, gate, { ...checkout, commit });
  const first = await run(head.commit);
  if (first.passed) return resultOf(gate, first, { reran: false, redBefore: false });
  const second = await run(head.commit);
  const redBefore = !second.passed && !(await run(step.loop.base.mergeBase)).passed;
  return resultOf(gate, second, { reran: true, redBefore });
}

async function runHooks(step: GateStep, gate: GateSpec, { commit, ...where }: Where & { readonly commit: string }): Promise<GateRun> {
  const { engine, loop } = step;
  const { rulesFrom: base } = loop;
  const { mergeBase } = loop.base;
  const path = loop.settings.commitHooks?.path ?? '';
  const moment = await engine.workspace.openHooks({ uid: loop.uid, checkout: where.dir, base, mergeBase, head: commit, path });
  try {
    const access = joinAccess(where.access, moment.access);
    return await runOnce(step, gate, { ...where, access, env: { ...where.env, ...moment.env } });
  } finally {
    await moment.remove();
  }
}

function hookLine(name: string): string {
  const call = `"$VOLLEY_HOOKS/${name}"${name === 'commit-msg' ? ' "$VOLLEY_MESSAGE"' : ''}`;
  return `{ if [ -x "$VOLLEY_HOOKS/${name}" ]; then ${call}; else sh -e ${call}; fi; }`;
}

type Where = CommandPlace & {
  /** Undoes what a gate did to the files, so that each run tells about the tree itself: not about what a formatter made of it. */
  reset?(): Promise<void>;
};

async function tryGate(step: GateStep, gate: GateSpec, where: Where): Promise<GateResult> {
  const first = await runOnce(step, gate, where);
  if (first.passed) return resultOf(gate, first, { reran: false, redBefore: false });
  const second = await runOnce(step, gate, where);
  if (second.passed) return resultOf(gate, second, { reran: true, redBefore: false });
  return resultOf(gate, second, { reran: true, redBefore: await isRedOnBase(step, gate) });
}

/** What was red before the change does not block it. The base never changes, so one run tells for the whole loop. */
async function isRedOnBase(step: GateStep, gate: GateSpec): Promise<boolean> {
  const { engine, loop } = step;
  const known = loop.gates.baseline[gate.name];
  if (known !== undefined) return known === 'red';
  const base = await engine.workspace.openBase({ uid: loop.uid, commit: loop.base.mergeBase, copy: loop.settings.checkout.copy });
  try {
    return (await setsUp(step, base)) && reallyFailed(await runOnce(step, gate, base));
  } finally {
    await base.remove();
  }
}

/** A gate that could not even start, because the change brings its folder or its program, says nothing about before. */
export function reallyFailed(run: GateRun): boolean {
  return !run.passed && (run.timedOut || (run.exitCode !== null && run.exitCode !== NOT_EXECUTABLE && run.exitCode !== NOT_FOUND));
}

/** Runs a gate in a place that is set up already. */
export async function runOnce(step: CommandStep, gate: GateSpec, where: Where): Promise<GateRun> {
  step.engine.report({ type: 'activity', loopId: step.loop.id, text: `gate ${gate.name}\n` });
  const run = await runCommand(step, gate, where);
  await failpoint('gate ran');
  await where.reset?.();
  return run;
}

function resultOf(gate: GateSpec, run: GateRun, flags: { readonly reran: boolean; readonly redBefore: boolean }): GateResult {
  return {
    name: gate.name,
    passed: run.passed,
    exitCode: run.exitCode,
    timedOut: run.timedOut,
    output: redact(run.output),
    durationMs: run.durationMs,
    ...flags,
  };
}
