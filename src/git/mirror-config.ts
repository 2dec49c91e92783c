import { join } from 'node:path';
import { git } from './git.ts';
import type { Project } from './project.ts';

/** The whole config of a project's mirror: our own settings, and the few of the user's that say what files look like. */
export async function mirrorConfig(project: Project): Promise<string> {
  const settings = [...ownSettings(project), ...inherited(await readUserSettings(project), project)];
  const version = settings.some(([key]) => key.startsWith('extensions.')) ? '1' : '0';
  return [
    '# Written by Volley; what is changed here is overwritten.\n',
    ...[['core.repositoryformatversion', version] as const, ...settings].map(render),
  ].join('');
}

type Setting = { readonly scope: string; readonly key: string; readonly value: string };

const FROM_ANYWHERE = new Set([
  'core.autocrlf',
  'core.eol',
  'core.safecrlf',
  'core.ignorecase',
  'core.symlinks',
  'core.filemode',
  'core.precomposeunicode',
  'extensions.partialclone',
]);

/** Only the user's own config may name programs and files outside of the repository. */
const FROM_THE_USER = /^(?:filter\.lfs\..*|core\.excludesfile|core\.attributesfile)$/;

function ownSettings(project: Project): readonly (readonly [string, string])[] {
  const format = project.objectFormat === 'sha1' ? [] : [['extensions.objectformat', project.objectFormat] as const];
  return [['core.bare', 'true'], ['core.hookspath', '/dev/null'], ['gc.auto', '0'], ['maintenance.auto', 'false'], ...format];
}

async function readUserSettings(project: Project): Promise<readonly Setting[]> {
  const fields = (await git(project.place, ['config', '--list', '-z', '--show-scope'], { env: { GIT_CONFIG_NOSYSTEM: '0' } })).split('\0');
  const settings: Setting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const entry = fields[at + 1] ?? '';
    const end = entry.indexOf('\n');
    // A key without a value means true.
    settings.push({ scope: fields[at] ?? '', key: end < 0 ? entry : entry.slice(0, end), value: end < 0 ? 'true' : entry.slice(end + 1) });
  }
  return settings;
}

function inherited(settings: readonly Setting[], project: Project): readonly (readonly [string, string])[] {
  const promisors = settings
    .filter(({ key, value }) => /^remote\..*\.promisor$/.test(key) && value === 'true')
    .map(({ key }) => key.slice(0, -'promisor'.length));
  const kept = new Map<string, string>();
  for (const { scope, key, value } of settings) {
    if (scope === 'command') continue;
    const isPromisor = promisors.some((remote) => [`${remote}url`, `${remote}promisor`, `${remote}partialclonefilter`].includes(key));
    const isTheUsers = FROM_THE_USER.test(key) && (scope === 'global' || scope === 'system');
    if (FROM_ANYWHERE.has(key) || isTheUsers || isPromisor) kept.set(key, key.endsWith('.url') ? withoutPassword(value) : value);
  }
  // Large files of the user's are found where they lie, and new ones are there when a result lands.
  if ([...kept.keys()].some((key) => key.startsWith('filter.lfs.'))) kept.set('lfs.storage', join(project.commonDir, 'lfs'));
  return [...kept];
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');
}

function render([key, value]: readonly [string, string]): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = first === last ? key.slice(0, first) : `${key.slice(0, first)} ${quote(key.slice(first + 1, last))}`;
  return `[${section}]\n\t${key.slice(last + 1)} = ${quote(value)}\n`;
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
