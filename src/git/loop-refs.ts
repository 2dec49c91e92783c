import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPlace } from './git.ts';
import { git, tryGit } from './git.ts';
import { SNAPSHOT_MESSAGE } from './snapshot.ts';

/**
 * A ref of the mirror that somebody needed once: work that was not finished or withheld, a commit of ours that somebody pushed
 * aside, the commit of a working tree, a commit of the user that a loop rests on or that somebody looked at.
 */
export type LoopRef = {
  readonly ref: string;
  readonly kind: 'partial' | 'ours' | 'snapshot' | 'import';
  /** The number of the loop; null where only its journal tells. */
  readonly loopId: number | null;
  readonly commit: string;
  /** When the commit was made, or asked for last, as ISO text. */
  readonly at: string;
};

const FORMAT = '--format=%(objectname)%00%(committerdate:unix)%00%(contents:subject)%00%(refname)';

/** Every such ref of a mirror. Heads are not among them. */
export async function listLoopRefs(mirror: GitPlace): Promise<readonly LoopRef[]> {
  const lines = (await git(mirror, ['for-each-ref', FORMAT, 'refs/volley/'])).split('\n').filter((line) => line !== '');
  const found = await Promise.all(
    lines.map(async (line): Promise<LoopRef | null> => {
      const [commit = '', seconds = '', subject = '', ref = ''] = line.split('\0');
      const [, number, kind] = /^refs\/volley\/([1-9]\d{0,14})\/(partial|ours)-[1-9]\d*$/.exec(ref) ?? [];
      if (number !== undefined) {
        const at = new Date(Number(seconds) * 1000).toISOString();
        return { ref, kind: kind === 'ours' ? 'ours' : 'partial', loopId: Number(number), commit, at };
      }
      const at = ref === `refs/volley/base/${commit}` ? await writtenAt(mirror, ref) : null;
      return at === null ? null : { ref, kind: subject === SNAPSHOT_MESSAGE ? 'snapshot' : 'import', loopId: null, commit, at };
    }),
  );
  return found.filter((ref) => ref !== null);
}

/** Null where a ref has no file of its own, so that nobody can tell. */
async function writtenAt({ commonDir }: GitPlace, ref: string): Promise<string | null> {
  return (await lstat(join(commonDir, ref)).catch(() => null))?.mtime.toISOString() ?? null;
}

/** Removes refs that still lead where they were seen to; others stay. */
export async function removeRefs(mirror: GitPlace, refs: readonly Pick<LoopRef, 'ref' | 'commit'>[]): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join('');
  const all = await tryGit(mirror, ['update-ref', '--stdin'], { input });
  if (all.exitCode === 0) return;
  // One that is gone or elsewhere by now stops all of them.
  for (const { ref, commit } of refs) await tryGit(mirror, ['update-ref', '-d', '--end-of-options', ref, commit]);
}

/** The bytes of the objects that nothing but these refs leads to. */
export async function bytesOfRefs(mirror: GitPlace, refs: readonly Pick<LoopRef, 'ref'>[]): Promise<number> {
  if (refs.length === 0) return 0;
  const gone = refs.map(({ ref }) => `--exclude=${ref}`);
  const tips = `${refs.map(({ ref }) => ref).join('\n')}\n`;
  return Number(await git(mirror, ['rev-list', '--objects', '--disk-usage', '--stdin', '--not', ...gone, '--all'], { input: tips }));
}
