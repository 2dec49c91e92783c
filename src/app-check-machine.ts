import { constants, existsSync, statSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { stateFolder } from './app-files.ts';
import { chooseConfinement } from './confine/index.ts';
import { VolleyError } from './core/errors.ts';
import type { ConfinementLevel } from './core/proof.ts';
import { bareGit } from './git/git.ts';

/** What loops need of the machine, whatever the project. */
export async function checkMachine(): Promise<Check[]> {
  return [checkNode(), await checkGit(), await checkState(), checkConfinement(chooseConfinement().level)];
}

const NODE = 24;

function checkNode(): Check {
  const { node } = process.versions;
  return Number.parseInt(node, 10) < NODE
    ? problem('node', `Node ${node} is too old.`, `Install Node ${NODE} or newer, from nodejs.org or with your version manager.`)
    : ok('node', node);
}

/** `git cat-file --batch -z` and `git merge-tree --write-tree`, which we live on, came with this one. */
const GIT = [2, 38] as const;

async function checkGit(): Promise<Check> {
  const install = 'Install git 2.39 or newer and see that it is in PATH.';
  const answer = await bareGit(['version']).catch((error: unknown) => {
    if (error instanceof VolleyError) return null;
    throw error;
  });
  if (answer === null) return problem('git', 'git could not be started.', install);
  const said = answer.stdout.toString('utf8').trim();
  const [, version = '', major = '0', minor = '0'] = /((\d+)\.(\d+)[\w.]*)/.exec(said) ?? [];
  const isOld = Number(major) < GIT[0] || (Number(major) === GIT[0] && Number(minor) < GIT[1]);
  return isOld
    ? problem('git', `${said || 'git'} is too old: ${GIT.join('.')} is the first that can do what loops need.`, install)
    : ok('git', version);
}

const GIGABYTE = 1024 ** 3;
const LITTLE = GIGABYTE;
const TOO_LITTLE = GIGABYTE / 10;

/** Volley's own folder, in which checkouts are made: whether it can be written, and how much. */
async function checkState(): Promise<Check> {
  const folder = stateFolder();
  const existing = nearestExisting(folder);
  const isWritable = statSync(existing).isDirectory() && (await canWrite(existing));
  const elsewhere = 'Make it yours to write, or name another place in XDG_STATE_HOME.';
  if (!isWritable) return problem('state', `${existing} cannot be written, and checkouts are kept in ${folder}.`, elsewhere);
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const text = `${folder}, ${(free / GIGABYTE).toFixed(1)} GB free`;
  const remedy = 'Free some space, or name another place in XDG_STATE_HOME: every loop has a checkout there.';
  if (free < TOO_LITTLE) return problem('state', text, remedy);
  return free < LITTLE ? warning('state', text, remedy) : ok('state', text);
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

async function canWrite(path: string): Promise<boolean> {
  return await access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function checkConfinement(level: ConfinementLevel): Check {
  switch (level) {
    case 'os':
      return ok('confinement', 'os: the system itself keeps agents and gates inside their checkouts');
    case 'agent':
      return warning(
        'confinement',
        'agent: each agent keeps itself inside its checkout, as far as its own sandbox holds',
        'Run only agents that you trust with your files.',
      );
    case 'copy':
      return warning(
        'confinement',
        'copy: agents and gates work in copies, with another home and without your variables, but could read your files',
        'Run only what you would start yourself, or run Volley in a container.',
      );
  }
}
