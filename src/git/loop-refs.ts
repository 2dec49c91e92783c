import type { GitPlace } from './git.ts';
import { git, tryGit } from './git.ts';
import { SNAPSHOT_MESSAGE } from './snapshot.ts';

/**
 * A ref of the mirror that is there for one loop's sake: work that was not finished or withheld, a commit of ours that somebody
 * pushed aside, the commit of a working tree.
 */
export type LoopRef = {
  readonly ref: string;
  readonly kind: 'partial' | 'ours' | 'snapshot';
  /** The number of the loop; null where only its journal tells. */
  readonly loopId: number | null;
  readonly commit: string;
  /** When the commit was made, as ISO text. */
  readonly at: string;
};

const FORMAT = '--format=%(objectname)%00%(committerdate:unix)%00%(contents:subject)%00%(refname)';

/** Every such ref of a mirror. Heads and the commits of the user that loops rest on are not among them. */
export async function listLoopRefs(mirror: GitPlace): Promise<readonly LoopRef[]> {
  const lines = (await git(mirror, ['for-each-ref', FORMAT, 'refs/volley/'])).split('\n').filter((line) => line !== '');
  return lines.flatMap((line): readonly LoopRef[] => {
    const [commit = '', seconds = '', subject = '', ref = ''] = line.split('\0');
    const at = new Date(Number(seconds) * 1000).toISOString();
    const [, number, kind] = /^refs\/volley\/([1-9]\d{0,14})\/(partial|ours)-[1-9]\d*$/.exec(ref) ?? [];
    if (number !== undefined) return [{ ref, kind: kind === 'ours' ? 'ours' : 'partial', loopId: Number(number), commit, at }];
    if (ref === `refs/volley/base/${commit}` && subject === SNAPSHOT_MESSAGE) return [{ ref, kind: 'snapshot', loopId: null, commit, at }];
    return [];
  });
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
