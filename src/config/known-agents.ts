/** A coding agent that people have installed: the driver that runs it, and the program that says its version. */
export type KnownAgent = { readonly driver: string; readonly title: string; readonly program: string };

/** The coding agents that are looked for, the first one that can be used being the first choice. */
export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { driver: 'claude', title: 'Claude Code', program: 'claude' },
  { driver: 'codex', title: 'Codex', program: 'codex' },
  { driver: 'gemini', title: 'Gemini CLI', program: 'gemini' },
  { driver: 'opencode', title: 'opencode', program: 'opencode' },
];
