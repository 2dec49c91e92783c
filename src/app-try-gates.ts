import { openConfinement } from './app-confine.ts';
import { makeArtefacts, stateFolder } from './app-files.ts';
import type { Started } from './app-repository.ts';
import type { Settings } from './core/settings.ts';
import { reallyFailed, runOnce } from './engine/perform/gate.ts';
import { runSetup } from './engine/run-command.ts';
import type { CommandStep } from './engine/run-command.ts';
import type { GateRun } from './gates/gate.ts';
import { runGate } from './gates/gate.ts';
import { importCommits, openMirror } from './git/mirror.ts';
import { openWorkspace } from './git/open-workspace.ts';
import { userIdentity } from './git/project.ts';
import { mergeBase } from './git/refs.ts';
import type { WorkCheckout } from './git/workspace.ts';
import { ulid } from './lib/ids.ts';

/** What happens while gates are tried. The set-up command comes first, as `setup`; where it fails nothing comes after it. */
export type Trial =
  | { readonly type: 'checked-out'; readonly commit: string }
  | { readonly type: 'started'; readonly name: string; readonly command: string }
  | { readonly type: 'ended'; readonly name: string; readonly command: string; readonly result: TrialResult; readonly run: GateRun };

/** `red` does not block a change, because it was red before; `unable` and a failed set-up would. */
export type TrialResult = 'passed' | 'red' | 'unable';

/** Runs the set-up command and the gates as a loop would, in a checkout of the base commit that is gone afterwards. */
export async function* tryOnBase(started: Started, settings: Settings, signal: AbortSignal): AsyncGenerator<Trial, void, undefined> {
  const { project } = started;
  const folder = stateFolder(project.key);
  const commit = started.base === null ? started.head : await mergeBase(project.place, started.base.commit, started.head);
  const [mirror, identity] = await Promise.all([openMirror({ project, stateDir: stateFolder() }), userIdentity(project)]);
  await importCommits(mirror, project, [commit]);
  const workspace = openWorkspace({ project, mirror, folder, identity });
  const request = { loopId: 0, uid: `doctor-${ulid(Date.now())}`, commit, copy: settings.checkout.copy };
  try {
    const checkout = await workspace.openCheckout(request);
    signal.throwIfAborted();
    yield { type: 'checked-out', commit };
    const { confinement } = await openConfinement();
    const engine = { confinement, artefacts: makeArtefacts(null, folder), home: `${folder}/home`, runGate, report: () => undefined };
    yield* tryAll({ engine, loop: { id: 0, uid: request.uid, settings }, token: 0, signal }, checkout, settings);
  } finally {
    await workspace.removeCheckout(request);
  }
}

async function* tryAll(step: CommandStep, checkout: WorkCheckout, { gates, checkout: { setup } }: Settings): AsyncGenerator<Trial> {
  if (setup !== null) {
    const name = 'setup';
    yield { type: 'started', name, command: setup };
    const run = await runSetup(step, checkout);
    if (run !== null) yield { type: 'ended', name, command: setup, result: run.passed ? 'passed' : 'unable', run };
    if (run?.passed !== true) return;
  }
  for (const gate of gates) {
    const { name, run: command } = gate;
    yield { type: 'started', name, command };
    const run = await runOnce(step, gate, checkout);
    yield { type: 'ended', name, command, result: run.passed ? 'passed' : reallyFailed(run) ? 'red' : 'unable', run };
  }
}
