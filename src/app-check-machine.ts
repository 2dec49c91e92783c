import { statfs } from 'node:fs/promises';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { nearestExisting, obstacleTo } from './app-check-writable.ts';
import { openConfinement } from './app-confine.ts';
import { stateFolder } from './app-files.ts';
import type { Choice } from './confine/index.ts';
import { VolleyError } from './core/errors.ts';
import { bareGit, INSTALL_GIT, OLDEST_GIT } from './git/git.ts';

/** What loops need of the machine, whatever the project. */
export async function checkMachine(): Promise<Check[]> {
  return [checkNode(), await checkGit(), await checkState(), checkConfinement(await openConfinement())];
}

const NODE = 24;

function checkNode(): Check {
  const { node } = process.versions;
  return Number.parseInt(node, 10) < NODE
    ? problem('node', `Node ${node} is too old.`, `Install Node ${NODE} or newer, from nodejs.org or with your version manager.`)
    : ok('node', node);
}

async function checkGit(): Promise<Check> {
  const answer = await bareGit(['version']).catch((error: unknown) => {
    if (error instanceof VolleyError) return error;
    throw error;
  });
  if (answer instanceof VolleyError) return problem('git', answer.message, answer.remedy);
  const said = answer.stdout.toString('utf8').trim();
  const version = /\d+\.\d+[\w.]*/.exec(said)?.[0] ?? '';
  return version.localeCompare(OLDEST_GIT, 'en', { numeric: true }) < 0
    ? problem('git', `${said || 'git'} is too old: ${OLDEST_GIT} is the first that can do what loops need.`, INSTALL_GIT)
    : ok('git', version);
}

const GIGABYTE = 1024 ** 3;
const LITTLE = GIGABYTE;
const TOO_LITTLE = GIGABYTE / 10;

/** Volley's own folder, in which checkouts are made: whether it can be written, and how much. */
async function checkState(): Promise<Check> {
  const folder = stateFolder();
  const obstacle = await obstacleTo(folder);
  if (obstacle !== null) {
    const elsewhere = 'Make it yours to write, or name another place in XDG_STATE_HOME.';
    return problem('state', `${obstacle} cannot be written, and checkouts are kept in ${folder}.`, elsewhere);
  }
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  const free = bavail * bsize;
  const text = `${folder}, ${(free / GIGABYTE).toFixed(1)} GB free`;
  const remedy = 'Free some space, or name another place in XDG_STATE_HOME: every loop has a checkout there.';
  if (free < TOO_LITTLE) return problem('state', text, remedy);
  return free < LITTLE ? warning('state', text, remedy) : ok('state', text);
}

/** `agent` is a level of single agents: one that has a sandbox of its own uses it where the system gives none. */
function checkConfinement({ confinement, why, remedy }: Choice): Check {
  if (confinement.level === 'os') return ok('confinement', 'os: the system itself keeps agents and gates inside their checkouts');
  const text = 'copy: agents and gates work in copies, with another home and without your variables, but could read your files';
  const fallback = 'Run only what you would start yourself, or run Volley in a container.';
  return warning('confinement', why === null ? text : `${text}. ${why}`, remedy ?? fallback);
}
