import { AS_FLAGS } from './called.ts';
import type { Called, FlagName } from './called.ts';
import type { NamedValue, ValueLayer } from './layer.ts';

/** The flags of the command line that are settings, as the user wrote them. */
export type Flags = {
  readonly author?: string | undefined;
  readonly reviewer?: string | undefined;
  readonly fixer?: string | undefined;
  readonly maxRounds?: string | undefined;
  readonly effort?: string | undefined;
  readonly ceiling?: string | undefined;
  /** `--fail-on`. */
  readonly blockAt?: string | undefined;
  readonly requireSandbox?: string | undefined;
  /** `--gate`, as often as it was given; together they replace the gates of the files. */
  readonly gates?: readonly string[] | undefined;
  /** How whoever gave them calls them; left out: as flags. */
  readonly called?: Called | undefined;
};

type Outside = {
  readonly variable: string;
  readonly path: readonly string[];
  readonly read: (text: string) => unknown;
};

const OUTSIDE: Readonly<Record<Exclude<FlagName, 'gates'>, Outside>> = {
  author: { variable: 'VOLLEY_AUTHOR', path: ['roles', 'author'], read: asText },
  reviewer: { variable: 'VOLLEY_REVIEWER', path: ['roles', 'reviewer'], read: asList },
  fixer: { variable: 'VOLLEY_FIXER', path: ['roles', 'fixer'], read: asText },
  maxRounds: { variable: 'VOLLEY_MAX_ROUNDS', path: ['policy', 'maxRounds'], read: asNumber },
  effort: { variable: 'VOLLEY_EFFORT', path: ['policy', 'effort'], read: asText },
  ceiling: { variable: 'VOLLEY_CEILING', path: ['policy', 'ceiling', 'loop'], read: asNumber },
  requireSandbox: { variable: 'VOLLEY_REQUIRE_SANDBOX', path: ['confine', 'required'], read: asSwitch },
  blockAt: { variable: 'VOLLEY_BLOCK_AT', path: ['policy', 'blockAt'], read: asText },
};

const FLAG_NAMES = ['author', 'reviewer', 'fixer', 'maxRounds', 'effort', 'ceiling', 'requireSandbox', 'blockAt'] as const;

/** The settings that the environment gives; an empty variable counts as not set. */
export function environmentLayer(env: Readonly<Record<string, string | undefined>>): ValueLayer {
  const values: NamedValue[] = [];
  for (const { variable, path, read } of Object.values(OUTSIDE)) {
    const text = env[variable];
    if (text !== undefined && text !== '') values.push({ label: variable, path, value: read(text) });
  }
  return { origin: 'environment', values };
}

/** The settings that the command line gives. */
export function flagsLayer({ gates, called = AS_FLAGS, ...flags }: Flags): ValueLayer {
  const values: NamedValue[] = [];
  for (const name of FLAG_NAMES) {
    const { path, read } = OUTSIDE[name];
    const text = flags[name];
    if (text !== undefined) values.push({ label: called[name], path, value: read(text) });
  }
  if (gates !== undefined && gates.length > 0) values.push({ label: called.gates, path: ['gates'], value: [...gates] });
  return { origin: 'flags', values, called };
}

function asText(text: string): string {
  return text.trim();
}

/** What is neither stays text, so that the check names what was expected. */
function asSwitch(text: string): boolean | string {
  return text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : text;
}

function asList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** What is no number stays text, so that the check names what was expected. */
function asNumber(text: string): number | string {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(text.trim()) ? Number(text) : text.trim();
}
