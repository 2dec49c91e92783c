import type { ChangeRequest } from '../core/change-request.ts';
import { VolleyError } from '../core/errors.ts';
import type { Head } from '../core/event.ts';
import { changedPaths } from './change.ts';
import { treeOfCommit } from './commit-object.ts';
import { importCommits } from './mirror.ts';
import type { Mirror } from './mirror.ts';
import { worktreeStatus } from './project.ts';
import type { Project } from './project.ts';
import { currentHead, defaultBase, mergeBase, resolveCommit } from './refs.ts';
import { snapshotWorkingTree } from './snapshot.ts';

/** A change found in the user's repository, its commits safe in the mirror. */
export type LocatedChange = {
  readonly base: { readonly ref: string; readonly commit: string; readonly mergeBase: string; readonly mergeBaseTree: string };
  readonly start: Head;
  /** Paths that differ between merge base and start; none means that there is nothing to review. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
};

/** Finds the change that a person means, and brings its commits into the mirror. */
export async function locateChange(project: Project, mirror: Mirror, request: ChangeRequest): Promise<LocatedChange> {
  const { base, start, notes } =
    request.kind === 'working-tree' ? await workingTreeEnds(project, mirror, request) : await ends(project, request);
  const ancestor = base.commit === start ? start : await mergeBase(base.inMirror ? mirror.place : project.place, base.commit, start);
  await importCommits(mirror, project, [...new Set([base.commit, ancestor, ...(base.inMirror ? [] : [start])])]);
  const [mergeBaseTree, tree] = await Promise.all([treeOfCommit(mirror.place, ancestor), treeOfCommit(mirror.place, start)]);
  const paths = mergeBaseTree === tree ? [] : await changedPaths(mirror.place, ancestor, start);
  return { base: { ref: base.ref, commit: base.commit, mergeBase: ancestor, mergeBaseTree }, start: { commit: start, tree }, paths, notes };
}

/** What would be under review. */
export type ChangePreview = { readonly base: string; readonly paths: readonly string[]; readonly notes: readonly string[] };

/** Looks at a change without bringing anything over. */
export async function previewChange(project: Project, request: ChangeRequest): Promise<ChangePreview> {
  if (request.kind === 'working-tree') {
    const [head, status] = await Promise.all([currentHead(project), worktreeStatus(project)]);
    if (request.base === undefined) return { base: head.commit, paths: status.paths, notes: [] };
    const base = await resolveCommit(project.place, request.base);
    const committed = await changedPaths(project.place, await mergeBase(project.place, base, head.commit), head.commit);
    return { base, paths: [...new Set([...committed, ...status.paths])], notes: [] };
  }
  const { base, start, notes } = await ends(project, request);
  const ancestor = base.commit === start ? start : await mergeBase(project.place, base.commit, start);
  return { base: base.commit, paths: await changedPaths(project.place, ancestor, start), notes };
}

type Ends = {
  readonly base: { readonly ref: string; readonly commit: string; readonly inMirror: boolean };
  readonly start: string;
  readonly notes: readonly string[];
};

async function ends(project: Project, request: Exclude<ChangeRequest, { kind: 'working-tree' }>): Promise<Ends> {
  switch (request.kind) {
    case 'authored': {
      const [head, status, base] = await Promise.all([currentHead(project), worktreeStatus(project), baseOf(project, request.base)]);
      return {
        base: base ?? headBase(head.commit),
        start: head.commit,
        notes: status.dirty || status.untracked ? ['Uncommitted changes are not part of this task.'] : [],
      };
    }
    case 'branch': {
      const [start, base] = await Promise.all([resolveCommit(project.place, request.branch), baseOf(project, request.base)]);
      if (base === null) throw noBase();
      return { base, start, notes: [] };
    }
    case 'range':
      return await rangeEnds(project, request.range);
  }
}

async function workingTreeEnds(
  project: Project,
  mirror: Mirror,
  { base: ref = 'HEAD' }: ChangeRequest & { kind: 'working-tree' },
): Promise<Ends> {
  const [head, commit] = await Promise.all([currentHead(project), resolveCommit(project.place, ref)]);
  await importCommits(mirror, project, [...new Set([commit, head.commit])]);
  const snapshot = await snapshotWorkingTree({ project, mirror });
  return { base: { ref, commit, inMirror: true }, start: snapshot?.commit ?? head.commit, notes: [] };
}

/** What was named, else what a change is compared with by default; null if the repository has no such branch. */
async function baseOf(project: Project, named: string | null): Promise<Ends['base'] | null> {
  if (named !== null) return { ref: named, commit: await resolveCommit(project.place, named), inMirror: false };
  const found = await defaultBase(project);
  return found === null ? null : { ...found, inMirror: false };
}

function noBase(): VolleyError {
  return new VolleyError(
    'unknown-ref',
    'There is nothing to compare with: neither origin/HEAD nor a branch main or master exists.',
    'Name what the change is compared with: --base REF, or --range A..B.',
  );
}

function headBase(commit: string): Ends['base'] {
  return { ref: 'HEAD', commit, inMirror: false };
}

async function rangeEnds(project: Project, range: string): Promise<Ends> {
  const parts = range.split(/\.{2,3}/);
  const [from, to] = parts;
  if (parts.length !== 2 || from === undefined || to === undefined || (from === '' && to === '')) {
    throw new VolleyError('bad-usage', `'${range}' is not a range of commits.`, 'Write it as A..B, for example main..feature.');
  }
  const base = await resolveCommit(project.place, from === '' ? 'HEAD' : from);
  return {
    base: { ref: from === '' ? 'HEAD' : from, commit: base, inMirror: false },
    start: await resolveCommit(project.place, to === '' ? 'HEAD' : to),
    notes: [],
  };
}
