import { delimiter, isAbsolute } from 'node:path';
import { absoluteFolders } from '../lib/executable.ts';
import type { Launch, Profile } from './confinement.ts';
import { toolChains } from './tool-chains.ts';
import type { Variables } from './variables.ts';

const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The environment of a held program, made from nothing, so that no secret of the user is handed over by accident. */
export function makeEnvironment(
  user: Variables,
  { launch, profile }: { readonly launch: Launch; readonly profile: Pick<Profile, 'passEnv' | 'home'> },
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    LANG: user['LANG'] ?? 'C.UTF-8',
    TERM: 'dumb',
    ...named(user, AUTHORITIES),
    ...toolChains(user),
    ...named(user, profile.passEnv),
    ...own,
    PATH: searchFolders(user).join(delimiter),
    HOME: profile.home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    ...launch.env,
  };
}

/** Where programs are looked for; a relative folder would find them in the checkout. */
export function searchFolders(user: Variables): string[] {
  return absoluteFolders(user['PATH'] ?? DEFAULT_PATH);
}

/** Where a company's own certificates lie, without which nothing is reached behind its proxy. */
const AUTHORITIES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'PIP_CERT',
  'GIT_SSL_CAINFO',
  'CARGO_HTTP_CAINFO',
  'AWS_CA_BUNDLE',
  'NPM_CONFIG_CAFILE',
  'npm_config_cafile',
];

/** The files and folders with certificates that the user's variables name. */
export function authorityFiles(user: Variables): string[] {
  return AUTHORITIES.flatMap((name) => user[name] ?? []).filter((path) => isAbsolute(path));
}

function named(user: Variables, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = user[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
