import { isUtf8 } from 'node:buffer';
import { constants, existsSync, lstatSync } from 'node:fs';
import { access, chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DRIVERS } from './agents/index.ts';
import { programs, projectPlace, readPlace, userPlace } from './app-config.ts';
import type { ConfigPlace } from './app-config.ts';
import { stateFolder } from './app-files.ts';
import { rolesWith, workTreeOf } from './app-read-settings.ts';
import { userModeline } from './app-schema.ts';
import { editYaml } from './config/edit-yaml.ts';
import type { Edit } from './config/edit-yaml.ts';
import { isGroup, isWithin, nest } from './config/layer.ts';
import type { FileLayer, Problem } from './config/layer.ts';
import { errorText, messagesOf, understandConfig } from './config/load.ts';
import type { Loaded } from './config/load.ts';
import { readYaml } from './config/read-yaml.ts';
import { toSettings } from './config/settings.ts';
import { configRows, originText, valueText } from './config/show.ts';
import { specialLimits } from './config/special-limits.ts';
import { unobeyed } from './config/unobeyed.ts';
import { environmentLayer } from './config/value-layers.ts';
import { VolleyError } from './core/errors.ts';
import { secretIn } from './core/redact-all.ts';
import { shellWord } from './core/words.ts';
import { nonce } from './lib/ids.ts';
import { withLock } from './lib/lock.ts';

/** One setting after an edit: what holds now, where that comes from, and whether another place outranks the edited file. */
export type EditedSetting = {
  readonly path: string;
  readonly value: unknown;
  readonly text: string;
  readonly origin: string;
  readonly outranked: boolean;
};

/** What an edit did to a configuration file. */
export type Edited = {
  readonly file: string;
  readonly label: string;
  /** False: the file said so already. */
  readonly changed: boolean;
  readonly settings: readonly EditedSetting[];
  readonly notes: readonly string[];
};

/** Which file is edited, the project's or the user's own, and which drivers the configuration may name beside the known ones. */
export type EditTarget = { readonly user: boolean; readonly drivers?: readonly string[] };

/** Edits a configuration file, the project's or the user's own. What would add a mistake to the configuration, in all its layers, is not written. */
export async function editConfig(cwd: string, edits: readonly Edit[], { user, drivers = [] }: EditTarget): Promise<Edited> {
  const { root, place } = await target(cwd, user);
  refuseSecret(edits, place.label);
  return await withLock(join(stateFolder(), 'config.lock'), async () => {
    const [layer] = await readPlace(place);
    const before = layer?.text ?? (user ? userModeline() : '');
    await refuseOtherBytes(place);
    refuseBroken(before, place.label);
    const text = edits.reduce((current, edit) => edited(current, edit, place.label), before);
    const others = [...(await readPlace(userPlace())), ...(root === null ? [] : await readPlace(projectPlace(root)))];
    const withText = (own: string): FileLayer[] => [
      ...others.filter(({ origin }) => origin !== place.origin),
      { ...place, dir: dirname(place.path), text: own },
    ];
    const [was, is] = [judge(withText(before), drivers), judge(withText(text), drivers)];
    refuseAdded({ was: was.mistakes, is: is.mistakes }, edits, place.label);
    const changed = text !== before;
    if (changed) await writeWhole(await writablePath(place), text, { mode: user ? 0o600 : 0o666 });
    const told = is.loaded === null ? { settings: [], notes: [] } : tell(is.loaded, edits, place);
    const notes = [...told.notes, ...messagesOf(is.mistakes).map((message) => `Still wrong: ${message}`)];
    return { file: place.path, label: place.label, changed, settings: told.settings, notes };
  });
}

/** Whether a setting stands in a configuration file, right or wrong. */
export async function isWritten(cwd: string, path: readonly string[], { user }: { readonly user: boolean }): Promise<boolean> {
  const [layer] = await readPlace((await target(cwd, user)).place);
  return valueIn(readYaml(layer?.text ?? '').values, path) !== undefined;
}

function valueIn(values: unknown, path: readonly string[]): unknown {
  let value = values;
  for (const step of path) value = isGroup(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

/** The work tree that a folder belongs to, and the file to edit; the user's own can be edited outside of any project. */
async function target(cwd: string, user: boolean): Promise<{ readonly root: string | null; readonly place: ConfigPlace }> {
  try {
    const root = await workTreeOf(cwd);
    return { root, place: user ? userPlace() : projectPlace(root) };
  } catch (error) {
    if (user && error instanceof VolleyError && error.code === 'not-a-repository') return { root: null, place: userPlace() };
    throw error;
  }
}

/** A configuration is committed and shown, and the journal keeps what a loop was started with. */
function refuseSecret(edits: readonly Edit[], label: string): void {
  const kind = secretIn(edits);
  if (kind === null) return;
  throw new VolleyError(
    'bad-config',
    `This looks like a secret (${kind}), which does not belong into ${label}.`,
    'Nothing is changed; put it into a variable or a file such as .env, and name that.',
  );
}

/** What was read as other characters than it holds would be written back as these. */
async function refuseOtherBytes({ path, label }: ConfigPlace): Promise<void> {
  if (!existsSync(path) || isUtf8(await readFile(path))) return;
  throw new VolleyError('bad-config', `${label} is not UTF-8.`, 'Nothing is changed; save it as UTF-8 first.');
}

/** What is no YAML cannot be edited; its mistakes are told with their lines. */
function refuseBroken(text: string, label: string): void {
  const { syntaxErrors } = readYaml(text);
  if (syntaxErrors.length === 0) return;
  throw new VolleyError(
    'bad-config',
    syntaxErrors.map(({ line, message }) => `${label}:${line}: ${message}`).join('\n'),
    'Nothing is changed; correct the file by hand first.',
  );
}

function edited(text: string, edit: Edit, label: string): string {
  const changed = editYaml(text, edit);
  if (changed !== null) return changed;
  throw new VolleyError(
    'bad-config',
    `${label} is written in a way in which ${edit.path.join('.')} cannot be changed without changing more.`,
    'Nothing is changed; edit the file by hand.',
  );
}

/** A mistake, and what to do about it where something special can be said. */
type Mistake = Problem & { readonly remedy?: string };

/** The whole configuration, and all that is wrong with it; roles that nobody could play are mistakes too. */
function judge(
  layers: readonly FileLayer[],
  more: readonly string[],
): { readonly loaded: Loaded | null; readonly mistakes: readonly Mistake[] } {
  const drivers = [...DRIVERS.map(({ id }) => id), ...more];
  const { loaded, problems } = understandConfig({ layers: [...layers, environmentLayer(process.env)], drivers });
  if (loaded === null) return { loaded, mistakes: problems };
  try {
    toSettings(loaded, { kind: 'review', detected: drivers.filter((id) => id !== 'command'), programs, rolesOf: rolesWith(more) });
    return { loaded, mistakes: problems };
  } catch (error) {
    if (!(error instanceof VolleyError)) throw error;
    const { message, remedy } = error;
    return { loaded, mistakes: [...problems, ...message.split('\n').map((line) => ({ path: ['roles'], message: line, remedy }))] };
  }
}

/** Refuses mistakes that edits would bring: those that were not there, wherever their lines were, and those in what is written. */
function refuseAdded(
  { was, is }: { readonly was: readonly Mistake[]; readonly is: readonly Mistake[] },
  edits: readonly Edit[],
  label: string,
): void {
  const known = new Set(was.map(({ message }) => withoutLine(message)));
  const written = edits.filter(({ value }) => value !== undefined);
  const isHere = ({ message }: Mistake): boolean => message.startsWith(`${label}:`);
  const isWrittenNow = (mistake: Mistake): boolean => isHere(mistake) && written.some(({ path }) => isWithin(mistake.path, path));
  const added = is.filter((mistake) => !known.has(withoutLine(mistake.message)) || isWrittenNow(mistake));
  if (added.length === 0) return;
  // The lines of a text that is not written are nowhere to be found.
  const told = added.map((mistake) => (isHere(mistake) ? { ...mistake, message: withoutLine(mistake.message) } : mistake));
  const remedy = added.every((mistake) => mistake.remedy !== undefined) ? added[0]?.remedy : undefined;
  throw new VolleyError(
    'bad-config',
    errorText(messagesOf(told)),
    remedy ?? 'Nothing is changed; docs/configuration.md lists every setting.',
  );
}

function withoutLine(message: string): string {
  return message.replace(/:\d+: /, ': ');
}

/** The file itself where its name is a link; one that leads nowhere, or that is not to be written, is refused. */
async function writablePath({ path, label }: ConfigPlace): Promise<string> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
  if (!existsSync(path))
    throw new VolleyError(
      'not-accessible',
      `${label} is a link that leads nowhere.`,
      'Nothing is changed; make the file that it names, or remove it.',
    );
  const real = await realpath(path);
  // To the superuser everything is writable, also what somebody protected on purpose.
  const isProtected = ((await stat(real)).mode & 0o222) === 0;
  const isAllowed = await access(real, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isProtected && isAllowed) return real;
  throw new VolleyError(
    'not-accessible',
    `${label} is write-protected.`,
    `Nothing is changed; allow it first: chmod u+w ${shellWord(real)}.`,
  );
}

/** All at once, so that nobody ever reads half of it; what exists keeps its mode. */
async function writeWhole(path: string, text: string, { mode }: { readonly mode: number }): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${nonce()}`;
  try {
    await writeFile(fresh, text, { mode, flag: 'wx' });
    if (existsSync(path)) await chmod(fresh, (await stat(path)).mode & 0o7777);
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** What holds after the edit, for each setting that it was about. */
function tell(loaded: Loaded, edits: readonly Edit[], place: ConfigPlace): Pick<Edited, 'settings' | 'notes'> {
  const rows = configRows(loaded).filter(({ path }) => edits.some((edit) => isWithin(path.split('.'), edit.path)));
  const written = edits.filter(({ value }) => value !== undefined);
  const settings = rows.map(({ path, value }) => {
    const origin = loaded.origins.get(path);
    const isOurs = origin?.layer === place.origin && origin.effort === null;
    // A group that is written without this setting says nothing about it.
    const isSaid = written.some((edit) => valueIn(nest([edit]), path.split('.')) !== undefined);
    return { path, value, text: valueText(value), origin: originText(origin), outranked: !isOurs && isSaid };
  });
  const notes = [...loaded.notes, ...unobeyed(loaded)].filter((note) => edits.some(({ path }) => note.includes(path.join('.'))));
  return { settings, notes: [...notes, ...settings.flatMap(({ path }) => specialLimits(loaded, path))] };
}
