import { readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Variables } from './variables.ts';
import { isWithin, locate } from './names.ts';

/** Keys, passwords, logins and private lives, below the user's home; a star at the end stands for any further letters. */
const IN_HOME = [
  '.ssh',
  '.gnupg',
  '.netrc',
  '.authinfo*',
  '.password-store',
  '.pki',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.aws',
  '.azure',
  '.oci',
  '.kube',
  '.s3cfg',
  '.boto',
  '.config/gcloud',
  '.config/doctl',
  '.config/rclone',
  '.config/op',
  '.config/sops',
  '.config/github-copilot',
  '.cursor',
  '.pulumi',
  '.databrickscfg',
  '.kaggle',
  '.cache/huggingface/token',
  '.huggingface',
  '.local/share/uv/credentials',
  '.dotnet/corefx',
  '.cargo/config*',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.terraform.d/credentials*',
  '.terraformrc',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.config/pip',
  '.config/pypoetry',
  '.cargo/credentials*',
  '.gem/credentials',
  '.bundle/config',
  '.m2/settings*',
  '.gradle/gradle.properties',
  '.nuget/NuGet',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.claude*',
  '.codex',
  '.gemini',
  '.config/opencode',
  '.local/share/opencode',
  '.config/volley',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome*',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge*',
  '.config/vivaldi*',
  '.var/app',
  'snap/firefox',
  'snap/chromium',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
];

/** Programs that lie among them all the same: an agent's own, and those that the user wrote for all projects. */
const PROGRAMS = ['.claude/local', '.config/volley/agents'];

/** Variables by which such things lie elsewhere, and what of the folder that they name. */
const BY_VARIABLE: Readonly<Record<string, string>> = {
  GNUPGHOME: '',
  NETRC: '',
  PASSWORD_STORE_DIR: '',
  GH_CONFIG_DIR: '',
  AWS_CONFIG_FILE: '',
  AWS_SHARED_CREDENTIALS_FILE: '',
  AZURE_CONFIG_DIR: '',
  CLOUDSDK_CONFIG: '',
  KUBECONFIG: '',
  DOCKER_CONFIG: 'config.json',
  PGPASSFILE: '',
  NPM_CONFIG_USERCONFIG: '',
  CARGO_HOME: 'credentials*',
};

const XDG_CONFIG = '.config/';

/** The homes of the user, as real paths: the one of the environment, and the one that the system knows. */
export function userHomes(user: Variables): string[] {
  const named = [user['HOME'], systemHome()].filter((home) => home !== undefined && isAbsolute(home));
  return [...new Set(named.flatMap((home) => locate(home ?? '')?.real ?? []))].filter((home) => home !== '/');
}

/** What no program in a sandbox may ever read, and what of it is no secret, as real paths of what exists. */
export type Secrets = { readonly paths: readonly string[]; readonly except: readonly string[] };

/** The secrets of a user. */
export function secretsOf(user: Variables): Secrets {
  const elsewhere = Object.entries(BY_VARIABLE).flatMap(([variable, name]) => {
    const value = user[variable];
    return value === undefined ? [] : [join(value, name)];
  });
  return { paths: existing([...ofUser(IN_HOME, user), ...elsewhere]), except: existing(ofUser(PROGRAMS, user)) };
}

/** The secret that a real path is or lies in; null where it is none. */
export function secretAround(path: string, { paths, except }: Secrets): string | null {
  if (except.some((program) => isWithin(path, program))) return null;
  return paths.find((secret) => isWithin(path, secret)) ?? null;
}

/** Names below the user's homes, and below the folder of settings where that lies elsewhere. */
function ofUser(names: readonly string[], user: Variables): string[] {
  const config = user['XDG_CONFIG_HOME'];
  const settings = names.filter((name) => name.startsWith(XDG_CONFIG)).map((name) => name.slice(XDG_CONFIG.length));
  const moved = config === undefined ? [] : settings.map((name) => join(config, name));
  return [...userHomes(user).flatMap((home) => names.map((name) => join(home, name))), ...moved];
}

function existing(names: readonly string[]): string[] {
  const absolute = names.filter((name) => isAbsolute(name)).flatMap(expand);
  return [...new Set(absolute.flatMap((name) => locate(name)?.real ?? []))];
}

function systemHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    // The user has no entry in the system's list, as in some containers.
    return undefined;
  }
}

function expand(name: string): string[] {
  if (!name.endsWith('*')) return [name];
  const start = basename(name).slice(0, -1);
  return entriesOf(dirname(name))
    .filter((entry) => entry.startsWith(start))
    .map((entry) => join(dirname(name), entry));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is no such folder, so nothing in it can be read.
    return [];
  }
}
