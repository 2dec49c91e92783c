import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

type RunOptions = { readonly cwd: string; readonly env?: Readonly<Record<string, string | undefined>> };

/** Runs a program and gives its wall time in ms, from just before its start to its end. */
export async function runTimed(program: string, args: readonly string[], options: RunOptions): Promise<number> {
  return (await run(program, args, options)).takenMs;
}

/** Runs a program and gives what it printed. */
export async function runForOutput(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  return (await run(program, args, options)).stdout;
}

/** Throws unless it exits with 0. */
async function run(program: string, args: readonly string[], options: RunOptions): Promise<{ takenMs: number; stdout: string }> {
  const startedMs = performance.now();
  const child = spawn(program, args, { cwd: options.cwd, env: options.env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve));
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const code = await exited;
  const takenMs = performance.now() - startedMs;
  const [stdout, stderr] = await printed;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return { takenMs, stdout };
}
