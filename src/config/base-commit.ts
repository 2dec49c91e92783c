import type { Loaded } from './load.ts';

/** What decides whether a configuration may be believed as it lies in the change. */
export type BaseQuestion = {
  /** Paths that the change under review touches, relative to the root; of a rename both. */
  readonly changedPaths: readonly string[];
  /** The elements of every agent's `run`, as the project's file writes them. */
  readonly run: readonly string[];
  /** The absolute path of the project's root, which is the folder of its file. */
  readonly root: string;
  /** The value of the variable CI. */
  readonly ci: string | undefined;
};

/** Where the project's file and the programs that it names are read from, and why, for people. */
export type BaseAnswer = { readonly fromBase: false; readonly why: null } | { readonly fromBase: true; readonly why: string };

const PROJECT_FILE = 'volley.yaml';

/** Whether the project's configuration is read from the base commit: a change must not choose its own reviewer. */
export function readsFromBase({ changedPaths, run, root, ci }: BaseQuestion): BaseAnswer {
  if (ci !== undefined && ci !== '') return { fromBase: true, why: 'CI is set' };
  const named = [PROJECT_FILE, ...run].map((element) => comparable(element, root));
  const touched = changedPaths.find((path) => named.some((name) => isSameOrBelow(comparable(path, root), name)));
  return touched === undefined ? { fromBase: false, why: null } : { fromBase: true, why: `the change touches ${touched}` };
}

/** The elements of `run` that the project's own file names. */
export function projectRun({ config, origins }: Loaded): string[] {
  return Object.entries(config.agents).flatMap(([name, { run }]) =>
    origins.get(`agents.${name}.run`)?.layer === 'project' ? (run ?? []) : [],
  );
}

/** Some disks ignore case, so two spellings may be one file; taking them for one errs on the safe side. */
function comparable(path: string, root: string): string {
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const steps: string[] = [];
  for (const step of inside.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/').normalize('NFC').toLowerCase();
}

function isSameOrBelow(path: string, name: string): boolean {
  return name !== '' && (path === name || path.startsWith(`${name}/`));
}
