import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program in the terminal of whoever started us, and returns its exit code; Ctrl-C is the program's. */
export async function runInTerminal(program: {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it prints goes to our standard error, because ours is read by a program. */
  readonly quiet: boolean;
}): Promise<number> {
  const [name = '', ...args] = program.argv;
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  try {
    const child = spawn(name, args, { cwd: program.cwd, env: program.env, stdio: ['inherit', program.quiet ? 2 : 'inherit', 'inherit'] });
    const [code]: (number | null)[] = await once(child, 'exit');
    return code ?? 1;
  } finally {
    process.off('SIGINT', ignore);
  }
}
