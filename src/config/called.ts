/** The settings that can be given where a task is started: by flags of the command line, or as fields of a request. */
export type FlagName = 'author' | 'reviewer' | 'fixer' | 'maxRounds' | 'effort' | 'ceiling' | 'blockAt' | 'requireSandbox' | 'gates';

/** How each of them is called there, for messages. */
export type Called = Readonly<Record<FlagName, string>>;

/** As the command line calls them. */
export const AS_FLAGS: Called = {
  author: '--author',
  reviewer: '--reviewer',
  fixer: '--fixer',
  maxRounds: '--max-rounds',
  effort: '--effort',
  ceiling: '--ceiling',
  blockAt: '--fail-on',
  requireSandbox: '--require-sandbox',
  gates: '--gate',
};
