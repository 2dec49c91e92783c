import type { CommitDraft } from './commit-object.ts';
import type { GitPlace } from './git.ts';
import { git, gitError, tryGit } from './git.ts';

/** How the user signs commits, taken from their own config. */
export type Signing = { readonly key: string; readonly config: Readonly<Record<string, string>> };

/** Names of the variables through which signing programs find the user's agent and keys. */
const AGENT_ENV = ['GNUPGHOME', 'GPG_TTY', 'GPG_AGENT_INFO', 'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR'];

/** The user's way of signing, or null if they do not sign their commits. */
export async function readSigning(user: GitPlace): Promise<Signing | null> {
  const args = ['config', '--null', '--show-scope', '--get-regexp', String.raw`^(commit\.gpgsign|user\.signingkey|gpg\..*)$`];
  const result = await tryGit(user, args);
  if (result.exitCode > 1) throw gitError(args, result);
  const parts = result.stdout.toString('utf8').split('\0');
  const config: Record<string, string> = {};
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [key = '', ...value] = (parts[i + 1] ?? '').split('\n');
    // What we switch off ourselves stands in the scope `command`.
    if (parts[i] !== 'command') config[key] = value.length === 0 ? 'true' : value.join('\n');
  }
  const { 'commit.gpgsign': wanted = 'false', 'user.signingkey': key = '', ...programs } = config;
  return /^(?:true|yes|on|1)$/i.test(wanted) ? { key, config: { ...GIT_DEFAULTS, ...programs } } : null;
}

/** Said by us where the user says nothing, so that nobody else can: a commit is signed in a repository that agents may have reached. */
const GIT_DEFAULTS = {
  'gpg.format': 'openpgp',
  'gpg.program': 'gpg',
  'gpg.ssh.program': 'ssh-keygen',
  'gpg.x509.program': 'gpgsm',
};

/** Writes a commit that carries the user's signature. */
export async function writeSignedCommit(place: GitPlace, draft: CommitDraft, signing: Signing): Promise<string> {
  const date = `${Math.floor(draft.at.getTime() / 1000)} +0000`;
  const agent = AGENT_ENV.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]));
  const env = {
    ...Object.fromEntries(agent),
    GIT_AUTHOR_NAME: draft.identity.name,
    GIT_AUTHOR_EMAIL: draft.identity.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: draft.identity.name,
    GIT_COMMITTER_EMAIL: draft.identity.email,
    GIT_COMMITTER_DATE: date,
  };
  const parents = draft.parents.flatMap((parent) => ['-p', parent]);
  return (
    await git(place, ['commit-tree', `-S${signing.key}`, ...parents, draft.tree], { input: draft.message, env, config: signing.config })
  ).trim();
}
