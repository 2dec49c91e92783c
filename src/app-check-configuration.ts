import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVERS, rolesOf } from './agents/index.ts';
import { castOpenRoles, findCandidates } from './app-cast.ts';
import { checkAgents, checkOthers } from './app-check-agents.ts';
import { checkGates } from './app-check-gates.ts';
import { ok, problem, warning } from './app-check.ts';
import type { Check } from './app-check.ts';
import { programs, readConfig } from './app-config.ts';
import type { Repository } from './app-repository.ts';
import type { Loaded } from './config/load.ts';
import { toSettings } from './config/settings.ts';
import { unobeyed } from './config/unobeyed.ts';
import { VolleyError } from './core/errors.ts';
import { BUILTIN } from './core/settings.ts';
import type { Settings } from './core/settings.ts';
import { isTracked } from './git/project.ts';

/** Whether the configuration is valid, and whether what it names is there. */
export async function checkConfiguration(
  repository: Repository,
): Promise<{ readonly checks: Check[]; readonly settings: Settings | null }> {
  const loaded = await orError(async () => await load(repository.workTree));
  if (loaded instanceof VolleyError) return { checks: [problem('configuration', loaded.message, loaded.remedy)], settings: null };
  const cast = await castOpenRoles(loaded, { authored: true, fixed: true });
  const roles = await orError(async () => await Promise.resolve(settingsOf(cast)));
  // Wrong roles must not hide what else there is to say.
  const settings =
    roles instanceof VolleyError
      ? settingsOf({ ...cast, loaded: { ...loaded, config: { ...loaded.config, roles: { reviewer: BUILTIN, fallback: [] } } } })
      : roles;
  const checks = [
    ...(await checkFile(repository, loaded)),
    ...(roles instanceof VolleyError ? [problem('roles', roles.message, roles.remedy)] : await checkRoles(roles, cast.loaded, loaded)),
    ...(await checkGates(settings, repository)),
  ];
  return { checks, settings };
}

/** The configuration as it lies in the working tree. */
async function load(root: string): Promise<Loaded> {
  const none = async (): Promise<never> => await Promise.reject(new Error('there is no change here'));
  return await readConfig({ root, drivers: DRIVERS.map(({ id }) => id), flags: {}, change: null, readBase: none, exportBase: none });
}

function settingsOf({ loaded, detected }: Awaited<ReturnType<typeof castOpenRoles>>): Settings {
  return toSettings(loaded, { kind: 'review', detected, programs, rolesOf });
}

/** Who plays which role and why, whether each can, and who else could. */
async function checkRoles(settings: Settings, cast: Loaded, read: Loaded): Promise<Check[]> {
  const chosen = cast.notes.filter((note) => !read.notes.includes(note)).map((note) => ok('roles', note));
  return [...chosen, ...(await checkAgents(settings)), ...(await checkOthers(settings, await findCandidates(cast)))];
}

async function checkFile({ workTree, toRoot, started }: Repository, loaded: Loaded): Promise<Check[]> {
  const notes = [...loaded.notes, ...unobeyed(loaded)].map((note) =>
    warning('configuration', note, 'See volley config show for where each setting comes from.'),
  );
  const files = new Set([...loaded.origins.values()].filter(({ dir }) => dir !== null).map(({ label }) => label));
  if (!existsSync(join(workTree, 'volley.yaml'))) {
    return [ok('configuration', ['no volley.yaml, so defaults hold; volley init writes one', ...files].join(', and ')), ...notes];
  }
  const isCommitted = started !== null && (await isTracked(started.project, 'volley.yaml'));
  const valid = [...new Set(['volley.yaml', ...files])].join(' and ');
  const check = isCommitted
    ? ok('configuration', `${valid}, valid`)
    : warning(
        'configuration',
        `${valid}, valid but not committed: a review of the working tree takes it for a part of the change and does not obey it`,
        `Commit it: git add ${toRoot}volley.yaml && git commit -m "Configure Volley" ${toRoot}volley.yaml.`,
      );
  return [check, ...notes];
}

async function orError<T>(work: () => Promise<T>): Promise<T | VolleyError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof VolleyError) return error;
    throw error;
  }
}
