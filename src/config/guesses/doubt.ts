import type { GateKind } from './guess.ts';
import { isRewriting, withoutRunner } from './recognise.ts';

/** Why commands should not run as a gate before somebody has looked at them; null if nothing speaks against it. */
export function doubtAbout(commands: readonly string[], kind: GateKind): string | null {
  const bare = commands.map((command) => withoutRunner(command));
  const outward = commands.map(outwardWord).find((word) => word !== null);
  if (outward !== undefined) return `it could publish or deploy: "${outward}"`;
  if (bare.some((command) => NEVER_ENDS.some((pattern) => pattern.test(command)))) return 'it watches or serves, so it may never end';
  // Whatever else tests and builds do to files on their way, they still fail where something is wrong.
  const shouldCheck = kind === 'lint' || kind === 'check';
  return shouldCheck && bare.some((command) => isRewriting(command)) ? 'it changes files instead of checking them' : null;
}

/** Words of what reaches other machines. `--release` and its like only say how something is compiled. */
const OUTWARD = [
  /([\w:-]{0,20}(?:publish|deploy|upload|push(?!d\b)|(?<!--|(?:-c|configuration|--profile)[ =])release)[\w:-]{0,20})/i,
  /(?<![\w@/.:-])(twine|kubectl|terraform apply|aws|gcloud|rsync|scp|ssh|git tag|(?:npm|pnpm|yarn|lerna) version)(?!\S)/,
  /\b(curl) .{0,500}(?:(?:POST|PUT)\b|-[dFT] |--data|--form)/,
];

function outwardWord(command: string): string | null {
  return OUTWARD.map((pattern) => pattern.exec(command)?.[1]).find((word) => word !== undefined) ?? null;
}

/** Vitest is not among them: it watches only where there is a terminal, and gates have none. */
const NEVER_ENDS = [
  /^ng test\b(?!.*--(?:no-watch|watch[ =]false))/,
  /^karma start\b(?!.*--single-run)/,
  /--watch(?:All)?(?![\w=-]| false)|--watch(?:All)?=true/,
  /^(?:tsc|vue-tsc|mocha|webpack|rollup)\b.* -w(?![\w=-])/,
  /^(?:nodemon|webpack-dev-server|http-server)\b/,
  /^vite(?![\w.-])(?!.* (?:build|optimize)\b)/,
  // Scripts and subcommands that are called so everywhere.
  /^(?!(?:karma|cd|mkdir) )\S+ (?:run )?(?:start|serve|dev|develop|watch|open|preview)(?![\w./-])/,
];
