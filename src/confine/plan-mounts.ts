import { statSync } from 'node:fs';
import { VolleyError } from '../core/errors.ts';
import { looksOnly } from '../core/settings.ts';
import type { Launch, Profile } from './confinement.ts';
import type { Account } from './accounts.ts';
import { coverSecrets } from './cover-secrets.ts';
import type { Secret } from './cover-secrets.ts';
import { authorityFiles } from './environment.ts';
import { emptyFile, lastingParts } from './homes.ts';
import { askedPlace, limitsOf, safePlace } from './limits.ts';
import type { Limits } from './limits.ts';
import { makeMountPlan } from './mounts.ts';
import type { MountPlan } from './mounts.ts';
import { isWithin, locate, locateItself } from './names.ts';
import type { Place } from './names.ts';
import { programCandidates } from './programs.ts';
import { systemNames } from './system-folders.ts';
import type { Unreadable } from './system-folders.ts';
import { toolChainFolders } from './tool-chains.ts';
import type { Variables } from './variables.ts';

/** What a sandbox is made of. */
export type Sandbox = {
  readonly user: Variables;
  readonly stateDir: string;
  readonly launch: Pick<Launch, 'cwd'>;
  readonly profile: Profile;
  /** What not everybody may read among the system's own files. */
  readonly unreadable: readonly Unreadable[];
  /** Folders of this session alone, which become its home and its temporary folders. */
  readonly own: { readonly home: string; readonly tmp: string; readonly varTmp: string; readonly accounts: readonly Account[] };
};

type Shown = { readonly place: Place; readonly access: 'read' | 'write' };

/** Decides what a program sees: a system of its own made from nothing, and what its profile names. */
export async function planMounts(sandbox: Sandbox): Promise<MountPlan> {
  const { user, stateDir, profile, own } = sandbox;
  const plan = makeMountPlan();
  const limits = limitsOf(user, stateDir);
  const empty = { kind: 'file', source: emptyFile(profile.home) } as const;
  const shown = [...(await foundPlaces(sandbox, limits)), ...askedPlaces(sandbox, limits)];

  plan.put({ kind: 'memory', path: '/run' });
  for (const name of systemNames()) showName(plan, name);
  for (const { path, source } of own.accounts) plan.put({ kind: 'read', path, source });
  for (const { path, kind } of sandbox.unreadable) plan.veil(path, kind === 'folder' ? { kind } : empty);
  const varRun = locate('/var/run');
  if (varRun !== null) plan.name(varRun);
  plan.put({ kind: 'write', path: '/tmp', source: own.tmp });
  plan.put({ kind: 'write', path: '/var/tmp', source: own.varTmp });

  const secrets = kinds([...limits.secrets.paths, ...(limits.state === null ? [] : [limits.state])]);
  const isBroad = ({ place }: Shown): boolean => secrets.some(({ path }) => isWithin(path, place.real));
  for (const { place, access } of shown.filter(isBroad)) plan.show(place, access);
  coverSecrets(plan, secrets, empty);
  // Only now, because a part of what is covered as a whole may have been asked for.
  for (const { place, access } of shown.filter((one) => !isBroad(one))) plan.show(place, access);

  mountHome(plan, sandbox);
  for (const path of profile.protect) protect(plan, path);
  for (const path of profile.hide) {
    const found = locateItself(path);
    // A link shows no more than a name, and must not choose what else is hidden.
    if (found !== null && found.kind !== 'link') plan.veil(found.real, found.kind === 'folder' ? { kind: 'folder' } : empty);
  }
  return plan;
}

/** What nobody asked for, but most programs need. */
async function foundPlaces({ user }: Sandbox, limits: Limits): Promise<Shown[]> {
  const alone = [...toolChainFolders(user), ...authorityFiles(user)];
  const candidates = [...(await programCandidates(user)), ...alone.map((name) => [name])];
  return candidates.flatMap((names) => {
    const place = safePlace(names, limits);
    return place === null ? [] : [{ place, access: 'read' as const }];
  });
}

function askedPlaces({ launch, profile }: Sandbox, limits: Limits): Shown[] {
  const asked = [
    ...profile.read.map((name) => ({ name, access: 'read' as const })),
    { name: launch.cwd, access: looksOnly(profile.role) ? ('read' as const) : ('write' as const) },
    ...[...profile.write, profile.folder].map((name) => ({ name, access: 'write' as const })),
  ];
  return asked.flatMap(({ name, access }) => {
    const place = askedPlace(name, access, limits);
    return place === null ? [] : [{ place, access }];
  });
}

function showName(plan: MountPlan, name: string): void {
  const place = locate(name);
  if (place !== null) plan.show(place, 'read');
}

/** A fresh home at a path that is the same for every session, because caches remember paths; only caches last. */
function mountHome(plan: MountPlan, { profile, own }: Sandbox): void {
  const parts = lastingParts(profile);
  const place = locate(profile.home);
  if (place === null) throw new Error(`${profile.home} is gone`);
  plan.name(place);
  plan.put({ kind: 'write', path: place.real, source: own.home });
  for (const { name, source } of parts) plan.put({ kind: 'write', path: `${place.real}/${name}`, source });
}

function protect(plan: MountPlan, path: string): void {
  const found = locateItself(path);
  if (found === null) return;
  if (found.kind === 'link' && plan.accessTo(found.real) === 'write') {
    throw new VolleyError('refused', `${path} is a link, so it cannot be kept from being changed.`, 'Look where it leads, then remove it.');
  }
  plan.protect(found.real);
}

function kinds(paths: readonly string[]): Secret[] {
  return paths.flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, kind: found.isDirectory() ? ('folder' as const) : ('file' as const) }];
  });
}
