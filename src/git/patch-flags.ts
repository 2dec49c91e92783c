import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Whitespace } from '../core/change-view.ts';
import type { GitOptions, GitPlace } from './git.ts';

/** How every diff is made, with so many lines of context: each flag is the default of some git and the opposite of some config. */
export function patchFlags(context: number): readonly string[] {
  return ['--patch', `--unified=${context}`, '--inter-hunk-context=0', ...listFlags()];
}

/** How the files of a diff are found and compared, whatever is printed of them. */
export function listFlags(): readonly string[] {
  return [
    '-r',
    '--find-renames=50%',
    '-l1000',
    '--no-rename-empty',
    '--diff-algorithm=myers',
    '--indent-heuristic',
    '--full-index',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--submodule=short',
    '--ignore-submodules=none',
    '--no-relative',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
  ];
}

/** How lines are compared where spaces do not count. */
export function whitespaceFlags(whitespace: Whitespace): readonly string[] {
  return whitespace === 'hide' ? ['--ignore-all-space'] : [];
}

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** No attribute file is read, wherever it comes from: `*.ts -diff` would hide code from those who review it. */
export function withoutAttributes(place: GitPlace, signal?: AbortSignal): GitOptions {
  return {
    config: { 'core.attributesFile': devNull, 'attr.tree': EMPTY_TREE },
    indexFile: join(place.commonDir, 'no-index'),
    cwd: place.commonDir,
    ...(signal === undefined ? {} : { signal }),
  };
}

/** A repository as its commits alone, whatever is checked out. */
export function withoutFiles(place: GitPlace): GitPlace {
  return { ...place, gitDir: place.commonDir, workTree: null };
}
