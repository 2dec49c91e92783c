type Search = Readonly<Record<string, unknown>>;

/** What of a panel stands in its address, so that it can be sent to somebody; whatever is no use there is left out. */
export type Place = {
  /** Two points of the loop's life as `FROM..TO`, or `seen` for what is new since this browser last looked. */
  range?: string | undefined;
  file?: string | undefined;
  line?: number | undefined;
  side?: 'old' | 'new' | undefined;
  /** The number of a finding, which is the 4 of 29.4. */
  finding?: number | undefined;
  tab?: 'files' | 'findings' | 'task' | 'history' | undefined;
  /** What lies open beside the diff, and of which round or session. */
  drawer?: string | undefined;
  q?: string | undefined;
};

/** What of the board stands in its address. */
export type BoardPlace = { q?: string | undefined; by?: 'state' | 'run' | undefined; new?: boolean | undefined };

/** What of a change without a loop stands in its address. */
export type ChangePlace = Omit<Place, 'finding'> & { branch?: string | undefined; base?: string | undefined };

/** The place in a loop that an address names. */
export function placeOf(search: Search): Place {
  return {
    range: text(search['range']),
    file: text(search['file']),
    line: positive(search['line']),
    side: oneOf(['old', 'new'] as const, search['side']),
    finding: positive(search['finding']),
    tab: oneOf(['files', 'findings', 'task', 'history'] as const, search['tab']),
    drawer: text(search['drawer']),
    q: text(search['q']),
  };
}

/** The board that an address names. */
export function boardPlace(search: Search): BoardPlace {
  return {
    q: text(search['q']),
    by: oneOf(['state', 'run'] as const, search['by']),
    new: typeof search['new'] === 'boolean' ? search['new'] : undefined,
  };
}

/** The change that an address names. */
export function changePlace(search: Search): ChangePlace {
  const { finding: _none, ...place } = placeOf(search);
  return { ...place, branch: text(search['branch']), base: text(search['base']) };
}

/** Words of an address; those that look like a number or a truth came as one. */
function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function oneOf<const T extends string>(all: readonly T[], value: unknown): T | undefined {
  return all.find((one) => one === value);
}
