import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPlace } from './git.ts';
import { git } from './git.ts';

/** What git-lfs itself writes into a config; only these exact commands are honoured. */
const LFS: readonly string[] = [
  'clean=git-lfs clean -- %f',
  'smudge=git-lfs smudge -- %f',
  'smudge=git-lfs smudge --skip -- %f',
  'process=git-lfs filter-process',
  'process=git-lfs filter-process --skip',
  'required=true',
];

/**
 * Environment for git that switches off all programs which the config of an untrusted place names: filters, merge drivers, upload packs.
 * An agent may have written them there, and attributes in its tree choose among them; no flag of git turns them off as a whole.
 */
export async function disarm(place: GitPlace): Promise<Record<string, string>> {
  if (place.trusted) return {};
  const texts = await Promise.all([readConfig(join(place.commonDir, 'config')), readConfig(join(place.gitDir, 'config.worktree'))]);
  if (!texts.some((text) => /filter|merge|include|uploadpack/i.test(text))) return {};
  const listed = await git(place, ['config', '--null', '--includes', '--get-regexp', String.raw`^(filter|merge|remote)\..*\.`]);
  const entries = listed
    .split('\0')
    .filter((entry) => entry !== '')
    .map(readEntry);
  const packers = entries.filter(({ key }) => /^remote\..*\.uploadpack$/.test(key)).map(({ key }) => ({ key, value: 'git-upload-pack' }));
  return configEnvironment([...drivers(entries).flatMap(switchedOff), ...packers]);
}

type Entry = { readonly key: string; readonly value: string };

function readEntry(entry: string): Entry {
  const end = entry.indexOf('\n');
  return end === -1 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}

function drivers(entries: readonly Entry[]): string[] {
  const isOwnLfs = entries.every(
    ({ key, value }) => !key.startsWith('filter.lfs.') || LFS.includes(`${key.slice('filter.lfs.'.length)}=${value}`),
  );
  const names = new Set(entries.map(({ key }) => key.slice(0, key.lastIndexOf('.'))).filter((name) => !name.startsWith('remote.')));
  if (isOwnLfs) names.delete('filter.lfs');
  return [...names];
}

function switchedOff(driver: string): Entry[] {
  // An empty merge driver would silently take our side; `false` makes a conflict of it, which somebody sees.
  if (driver.startsWith('merge.')) return [{ key: `${driver}.driver`, value: 'false' }];
  const empty = ['clean', 'smudge', 'process'].map((name) => ({ key: `${driver}.${name}`, value: '' }));
  return [...empty, { key: `${driver}.required`, value: 'false' }];
}

/** As environment and not as `-c key=value`, because the name of a driver may hold an equals sign. */
function configEnvironment(entries: readonly Entry[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [i, { key, value }] of entries.entries()) {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return env;
}

async function readConfig(path: string): Promise<string> {
  // A config that is missing names no driver; git itself complains about one that is unreadable.
  return await readFile(path, 'utf8').catch(() => '');
}
