/** The files of a project by path; those whose name alone tells something may come without their text. */
export type ProjectTexts = ReadonlyMap<string, string>;

/** What a gate is about, quick ones first. */
export const GATE_KINDS = ['lint', 'types', 'check', 'test', 'build'] as const;
export type GateKind = (typeof GATE_KINDS)[number];

/** A command that a file of the project speaks for. */
export type Candidate = { readonly run: string; readonly from: string };

/** A command that prepares a fresh checkout. */
export type SetupGuess = {
  readonly run: string;
  readonly from: string;
  /** The folder that it fills, which must not be committed; null if that lies elsewhere. */
  readonly fills: string | null;
  readonly doubt: string | null;
};

/** The first of some files that the project has. */
export function firstOf(texts: ProjectTexts, paths: readonly string[]): string | undefined {
  return paths.find((path) => texts.has(path));
}
