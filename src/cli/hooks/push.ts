import { text } from 'node:stream/consumers';
import { openApp } from '../../app.ts';
import type { App, TaskRequest } from '../../app.ts';
import { installHook, pushedRefs, pushedSecrets, removeHook } from '../../app-hook.ts';
import { VolleyError } from '../../core/errors.ts';
import { BUILTIN } from '../../core/settings.ts';
import { textOption } from '../command.ts';
import type { Io, Typed } from '../command.ts';
import { stopOnSignals } from '../drive.ts';
import { printVerdict } from '../ending.ts';
import { clean, paint } from '../print.ts';
import { printReport } from '../review-output.ts';
import { requestFor } from '../review-request.ts';
import { failOnOf } from './fail-on.ts';

const FAIL_ON = 'high';

/** `volley hook install`: lets git call us before every push. */
export async function install(typed: Typed, io: Io): Promise<number> {
  const failOn = failOnOf(typed) ?? FAIL_ON;
  const reviewer = textOption(typed, 'reviewer') ?? BUILTIN;
  const { path, done } = await installHook(io.cwd, { reviewer, args: ['--fail-on', failOn, '--reviewer', reviewer] });
  io.out(`${done === 'installed' ? 'Installed' : 'Written anew'}: ${path}`);
  io.out(`  ${reviewer} reviews what you push; findings of severity ${failOn} or worse stop it, otherwise you hear nothing.`);
  io.out('  git push --no-verify goes past it; volley hook uninstall takes it away.');
  io.object({ type: 'hook', v: 1, path, done, failOn, reviewer });
  return 0;
}

/** `volley hook uninstall`. */
export async function uninstall(io: Io): Promise<number> {
  const { path, done } = await removeHook(io.cwd);
  io.out(done === 'removed' ? `Removed: ${path}` : 'There is no pre-push hook of Volley here.');
  io.object({ type: 'hook', v: 1, path, done });
  return 0;
}

/** `volley hook pre-push`, called by git with one line per branch on standard input; it says nothing where all is well. */
export async function beforePush(remote: string, typed: Typed, io: Io): Promise<number> {
  const flags = { reviewer: textOption(typed, 'reviewer') ?? BUILTIN, blockAt: failOnOf(typed) ?? FAIL_ON };
  const refs = await pushedRefs(io.cwd, { remote, lines: await text(process.stdin) });
  const app = await openApp({ cwd: io.cwd, record: false, report: () => undefined });
  const stop = stopOnSignals(io);
  try {
    let stopped = false;
    for (const pushed of refs) {
      if ('unreviewed' in pushed) {
        io.out(`volley: ${clean(pushed.ref)} is not reviewed: ${pushed.unreviewed}.`);
        continue;
      }
      const refused = await reviewPushed(app, requestFor(pushed.change, { fix: false, flags }), { io, signal: stop.signal });
      if (typeof refused === 'string') io.out(`volley: ${clean(pushed.ref)} is not reviewed: ${clean(refused)}.`);
      else stopped = refused || (await tellSecrets(pushed.change.range, io)) || stopped;
    }
    if (stopped) io.out(paint(io, 'yellow', 'The push is stopped. Fix what blocks, or push past it: git push --no-verify'));
    return stopped ? 1 : 0;
  } finally {
    stop.release();
    await app.close();
  }
}

/** Whether a change must not leave, with the findings told; or why it could not be compared. */
async function reviewPushed(
  app: App,
  request: TaskRequest,
  { io, signal }: { readonly io: Io; readonly signal: AbortSignal },
): Promise<boolean | string> {
  const loop = await app.start(request).catch((error: unknown) => {
    if (error instanceof VolleyError && error.code === 'unknown-ref') return error.message.replace(/\.$/, '');
    throw error;
  });
  if (loop === null || typeof loop === 'string') return loop ?? false;
  await app.drive([loop.id], signal);
  const end = await app.load(loop.id);
  if (end.state === 'approved') return false;
  await printReport(app, end, io);
  printVerdict(end, io);
  return true;
}

/** Tells of secrets that the difference does not show, because a later commit took them away; whether there are any. */
async function tellSecrets(range: string, io: Io): Promise<boolean> {
  const secrets = await pushedSecrets(io.cwd, range);
  for (const { commit, kind } of secrets) {
    io.out(paint(io, 'red', `Commit ${commit.slice(0, 10)} adds a secret (${kind}), and a later one takes it away.`));
    io.out('  Whoever fetches the branch can read it: take it out of the history, and replace it where it is valid.');
  }
  return secrets.length > 0;
}
