import { createHash } from 'node:crypto';
import { NO_ACCESS } from '../core/access.ts';
import type { FileDelta } from '../core/delta.ts';
import type { Change, ChangedFile } from '../core/diff.ts';
import type { Head } from '../core/event.ts';
import type { ReviewPlace, WorkCheckout, Workspace } from './workspace.ts';

/** The only file of a fake workspace. */
export const FAKE_FILE = 'work.txt';

/**
 * A repository that lives in memory, for tests of the engine and of set-ups with fake agents: it has one file, and every commit
 * makes it one line longer, whatever the agents do. Folders are names only, a branch is never moved, and nothing is tampered with.
 */
export function fakeWorkspace(): Workspace {
  const lines = new Map<string, readonly string[]>();
  const linesOf = (commit: string): readonly string[] => lines.get(commit) ?? [];
  const checkout = (uid: string): WorkCheckout => ({
    dir: `/fake/checkouts/${uid}`,
    access: NO_ACCESS,
    fresh: true,
    env: {},
    warnings: [],
    commit: async ({ parent, step }) => {
      const content = [...linesOf(parent), step];
      const head = { commit: idOf(`${parent} ${step}`), tree: treeOf(content) };
      lines.set(head.commit, content);
      return { kind: 'committed', head, commits: [head.commit], files: [FAKE_FILE], skipped: [] };
    },
    keepPartial: async () => null,
    restore: async () => {},
    reset: async () => {},
    markReady: async () => {},
  });
  return {
    openCheckout: async ({ uid }) => checkout(uid),
    openBase: async ({ uid }) => ({ dir: `/fake/bases/${uid}`, access: NO_ACCESS, remove: async () => {} }),
    openReview: async ({ uid, mergeBase, head }) => reviewPlace(uid, { base: mergeBase, head }),
    openHooks: async () => ({ env: {}, access: NO_ACCESS, remove: async () => {} }),
    readChange: async (base, head) => changeOf(base, head, linesOf(head)),
    changedPaths: async (from, to) => (linesOf(from).length === linesOf(to).length ? [] : [FAKE_FILE]),
    readDelta: async (from, to) => deltaOf(linesOf(from), linesOf(to)),
    readText: async (commit, path) => (path === FAKE_FILE && lines.has(commit) ? fileText(linesOf(commit)) : null),
    listFiles: async () => [],
    trustedRun: async (run) => run,
    exportTree: async (commit) => `/fake/trees/${commit}`,
    restoreTrees: async () => {},
    publish: async () => ({ kind: 'published' }),
    commitEdit: async () => ({ kind: 'not-text' }),
    movedBranch: async () => null,
    joinCommits: async (commits) => {
      const longest = commits.toSorted((a, b) => linesOf(b).length - linesOf(a).length)[0] ?? commits[0];
      return { kind: 'joined', head: { commit: longest, tree: treeOf(linesOf(longest)) } };
    },
    removeCheckout: async () => {},
    removeThrowAways: async () => {},
  };
}

/** Where a loop starts in a fake workspace: a commit without files. */
export function fakeStart(): Head {
  return { commit: idOf('start'), tree: treeOf([]) };
}

function reviewPlace(uid: string, ends: { readonly base: string; readonly head: string }): ReviewPlace {
  const dir = `/fake/reviews/${uid}`;
  return { dir, scratch: `${dir}/scratch`, access: NO_ACCESS, ...ends, tripwire: async () => ends.head, remove: async () => {} };
}

function changeOf(base: string, head: string, lines: readonly string[]): Change {
  const patch = lines.length === 0 ? '' : patchText(lines);
  const files: ChangedFile[] = lines.length === 0 ? [] : [{ ...ADDED, added: lines.length, newBlob: idOf(fileText(lines)) }];
  return { base, mergeBase: base, head, tree: treeOf(lines), files, patch, patchSha256: createHash('sha256').update(patch).digest('hex') };
}

function deltaOf(before: readonly string[], after: readonly string[]): FileDelta[] {
  const changed = [...before, ...after].findIndex((_, index) => before[index] !== after[index]);
  if (changed < 0) return [];
  const [old, now] = [before.length - changed, after.length - changed];
  const hunk = { oldStart: old === 0 ? changed : changed + 1, oldCount: old, newStart: now === 0 ? changed : changed + 1, newCount: now };
  const status = before.length === 0 ? 'added' : after.length === 0 ? 'deleted' : 'modified';
  return [{ path: FAKE_FILE, oldPath: null, status, hunks: [hunk] }];
}

const ADDED = {
  path: FAKE_FILE,
  oldPath: null,
  status: 'added',
  removed: 0,
  binary: false,
  oldMode: '000000',
  newMode: '100644',
  oldBlob: null,
  submodule: false,
} satisfies Partial<ChangedFile>;

function patchText(lines: readonly string[]): string {
  return [
    `diff --git a/${FAKE_FILE} b/${FAKE_FILE}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${FAKE_FILE}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');
}

function fileText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function treeOf(lines: readonly string[]): string {
  return idOf(`tree ${fileText(lines)}`);
}

function idOf(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
