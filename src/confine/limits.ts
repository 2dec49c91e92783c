import { VolleyError } from '../core/errors.ts';
import type { Variables } from './variables.ts';
import { isWithin, locate } from './names.ts';
import type { Place } from './names.ts';
import { secretAround, secretsOf, userHomes } from './secrets.ts';
import type { Secrets } from './secrets.ts';

/** What is never handed to a program, as real paths. */
export type Limits = {
  readonly homes: readonly string[];
  readonly secrets: Secrets;
  /** Volley's own folder, with the logins of all agents; parts of it may be shown, never the whole. */
  readonly state: string | null;
};

/** In these the kernel shows the whole machine. */
const KERNEL = ['/proc', '/sys', '/dev'];
/** Plain memory, in which some keep what has to be quick. */
const MEMORY = '/dev/shm/';

/** Of these every program gets its own. */
const PRIVATE = ['/tmp', '/var/tmp', '/run'];

/** The limits of a user. */
export function limitsOf(user: Variables, stateDir: string): Limits {
  return { homes: userHomes(user), secrets: secretsOf(user), state: locate(stateDir)?.real ?? null };
}

/** The first of these names that exists and that may be shown without anybody having asked for it. */
export function safePlace(names: readonly string[], limits: Limits): Place | null {
  const closed = [...PRIVATE, ...limits.homes, ...limits.secrets.paths, ...(limits.state === null ? [] : [limits.state])];
  const places = names.flatMap((name) => locate(name) ?? []);
  return (
    places.find(({ real }) => {
      if (closed.some((path) => isWithin(path, real)) || secretAround(real, limits.secrets) !== null) return false;
      return !isKernels(real);
    }) ?? null
  );
}

/** The place that somebody asked for; null where there is nothing, an error where it must not be given. */
export function askedPlace(name: string, access: 'read' | 'write', limits: Limits): Place | null {
  const place = locate(name);
  if (place === null) return null;
  const why = refusal(place.real, access, limits);
  if (why === null) return place;
  throw new VolleyError(
    'bad-config',
    `${name} cannot be given to agents and gates: ${why}.`,
    'Name a folder that holds only what they need, in confine.read or confine.write.',
  );
}

function refusal(path: string, access: 'read' | 'write', { homes, secrets }: Limits): string | null {
  if (path === '/') return 'it is the whole machine';
  if (isKernels(path)) return 'the kernel shows the whole machine there';
  if (PRIVATE.some((folder) => isWithin(folder, path))) return 'every program has its own there';
  const secret = secretAround(path, secrets);
  if (secret !== null) return `${secret === path ? 'it' : secret} holds keys, logins or private data`;
  if (access === 'write' && homes.some((home) => isWithin(home, path))) return 'your home is in it, and with it what your own shell runs';
  return null;
}

function isKernels(path: string): boolean {
  return KERNEL.some((folder) => isWithin(path, folder)) && !path.startsWith(MEMORY);
}
