import { join } from 'node:path';
import { readIfPresent } from './file-error.ts';

/** Runs git with some arguments in the place that is disarmed. */
type Ask = (args: readonly string[]) => Promise<{ readonly exitCode: number; readonly stdout: Buffer; readonly stderr: string }>;

/**
 * Environment for git that switches off all programs which the config of a place names: filters, merge drivers, hooks, upload packs.
 * An agent may have written them there, and attributes in its tree choose among them; no flag of git turns them off as a whole.
 */
export async function disarm(place: { readonly gitDir: string; readonly commonDir: string }, ask: Ask): Promise<Record<string, string>> {
  const texts = await Promise.all([readIfPresent(join(place.commonDir, 'config')), readIfPresent(join(place.gitDir, 'config.worktree'))]);
  if (!texts.some((text) => /filter|hook|include|merge|remote/i.test(text ?? ''))) return {};
  const listed = await ask(['config', '--null', '--includes', '--get-regexp', String.raw`^(filter|hook|merge|remote)\..*\.`]);
  // Git itself complains about a config that it cannot read.
  const entries = listed.stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map(readEntry);
  const packers = entries.filter(({ key }) => /^remote\..*\.uploadpack$/.test(key)).map(({ key }) => ({ key, value: 'git-upload-pack' }));
  const drivers = new Set(entries.map(({ key }) => key.slice(0, key.lastIndexOf('.'))).filter((name) => !name.startsWith('remote.')));
  return configEnvironment([...[...drivers].flatMap(switchedOff), ...packers]);
}

type Entry = { readonly key: string; readonly value: string };

function readEntry(entry: string): Entry {
  const end = entry.indexOf('\n');
  return end === -1 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}

function switchedOff(driver: string): Entry[] {
  // An empty merge driver would silently take our side; `false` makes a conflict of it, which somebody sees.
  if (driver.startsWith('merge.')) return [{ key: `${driver}.driver`, value: 'false' }];
  if (driver.startsWith('hook.')) return [{ key: `${driver}.enabled`, value: 'false' }];
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
