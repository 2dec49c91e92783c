import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** How a command ended and what it printed. */
export type CommandResult = { readonly exitCode: number | null; readonly stdout: string; readonly stderr: string };

/** Where a command runs; `env` is added to the environment of the tests. */
export type CommandPlace = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> };

/** Runs a program without a shell and without input, and waits until it ends. */
export async function runCommand(program: string, args: readonly string[], place: CommandPlace): Promise<CommandResult> {
  const child = spawn(program, args, { cwd: place.cwd, env: { ...process.env, ...place.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { exitCode, stdout, stderr };
}
