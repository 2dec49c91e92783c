import type { Driven } from './app-driven.ts';
import type { TrustedCommit } from './app-trusted-commit.ts';
import { VolleyError } from './core/errors.ts';
import { MARKER_VARIABLE } from './lib/process-tree.ts';
import { serveControl } from './mcp/stdio-control.ts';

/** How the tools are served on standard input and output. */
export type McpServing = {
  readonly cwd: string;
  readonly version: string;
  /** Aborted when the client is gone, or somebody stops the process. */
  readonly signal: AbortSignal;
  readonly broke: (error: unknown) => void;
};

/**
 * Serves the tools until it is stopped, or the client sends what nobody can read. The project is opened, and what that needs is
 * loaded, at the first call, so that a client gets its list at once, also where there is no project. Loops that this process touched
 * are driven in it; what is not done at the end goes on at the next `volley work`.
 */
export async function serveMcp({ cwd, version, signal, broke }: McpServing): Promise<void> {
  // Before the agent has asked for anything, and could have committed it.
  const trusting = trustHere(cwd);
  const project = lazily(async () => {
    refuseOwnAgents();
    const { openDriven } = await import('./app-driven.ts');
    return await openDriven({ cwd, broke, trusted: await trusting });
  });
  const serving = serveControl({ open: async () => (await project.open()).desk, version, workTree: cwd, broke });
  const stopped = new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const why = await Promise.race([stopped.then(() => null), serving.closed]);
  await serving.close();
  await (await project.opened())?.close();
  if (why !== null && !signal.aborted) throw why;
}

/** What is trusted as it is now; null where there is no project yet. */
async function trustHere(cwd: string): Promise<TrustedCommit | null> {
  const [{ openProject }, { trustFromNow }] = await Promise.all([import('./git/project.ts'), import('./app-trusted-commit.ts')]);
  try {
    return trustFromNow(await openProject(cwd));
  } catch (error) {
    // Whoever calls a tool is told.
    if (error instanceof VolleyError) return null;
    throw error;
  }
}

/** An agent of a loop hands its result back by a channel of its own: it must not start, cancel or decide about loops. */
function refuseOwnAgents(): void {
  if ([MARKER_VARIABLE, 'VOLLEY_ROLE'].every((name) => (process.env[name] ?? '') === '')) return;
  throw new VolleyError(
    'refused',
    'You work in a loop of Volley, which these tools are not for.',
    'Hand your result back as your prompt says.',
  );
}

/** Opens a project at the first call, once; after a failure the next call tries again. */
function lazily(make: () => Promise<Driven>): { open(): Promise<Driven>; opened(): Promise<Driven | null> } {
  let opening: Promise<Driven> | null = null;
  return {
    open: async () => {
      opening ??= make();
      try {
        return await opening;
      } catch (error) {
        opening = null;
        throw error;
      }
    },
    opened: async () => (opening === null ? null : await opening.catch(() => null)),
  };
}
