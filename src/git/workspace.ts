import type { Access } from '../core/access.ts';
import type { FileDelta } from '../core/delta.ts';
import type { Change } from '../core/diff.ts';
import type { Head, WorkOutcome } from '../core/event.ts';
import type { Edit } from './commit-edit.ts';
import type { Joined } from './join-commits.ts';

/** What became of a branch that was given to the user's repository. */
export type Publication =
  | { readonly kind: 'published' }
  | { readonly kind: 'up-to-date' }
  /** A work tree of the user has it checked out, so it was left where it is. */
  | { readonly kind: 'checked-out'; readonly workTree: string }
  /** Somebody else moved it. */
  | { readonly kind: 'moved'; readonly head: Head; readonly descends: boolean };

/** What became of a person's edit of one file. */
export type EditOutcome =
  | { readonly kind: 'committed'; readonly head: Head }
  /** The commit has no such file, or not with this text. */
  | { readonly kind: 'not-text' }
  | { readonly kind: 'moved' }
  | { readonly kind: 'checked-out'; readonly workTree: string };

/** How a commit is made. */
export type CommitRequest = {
  readonly parent: string;
  readonly message: string;
  readonly step: string;
  readonly sign: 'inherit' | 'off';
  /** One commit per group, where the fixer reported groups. */
  readonly groups: readonly { readonly message: string; readonly paths: readonly string[] }[];
};

/** The checkout in which author, fixer and gates work. */
export type WorkCheckout = {
  readonly dir: string;
  /** What programs in it have to reach of git. */
  readonly access: Access;
  /** Whether it was never marked ready, so that the set-up command has to run. */
  readonly fresh: boolean;
  /** Free ports and the like. */
  readonly env: Readonly<Record<string, string>>;
  /** What could not be provisioned, in words. */
  readonly warnings: readonly string[];
  commit(request: CommitRequest): Promise<Extract<WorkOutcome, { kind: 'committed' | 'unchanged' | 'withheld' }>>;
  /** Keeps what lies uncommitted under a partial ref, and cleans the checkout; null if nothing does. */
  keepPartial(): Promise<string | null>;
  /** Puts a kept tree into the checkout, uncommitted. */
  restore(ref: string): Promise<void>;
  /** Brings the tracked files back to the commit at which it was opened. */
  reset(): Promise<void>;
  /** Says that it is set up; one that was begun and never marked is made anew when it is opened again. */
  markReady(): Promise<void>;
};

/** Which checkout of a loop is meant, and the commit at which it should stand. */
export type CheckoutRequest = {
  readonly loopId: number;
  readonly uid: string;
  readonly commit: string;
  readonly copy: readonly string[];
};

/** The throw-away repository of one review. */
export type ReviewPlace = {
  readonly dir: string;
  /** A second one, in which the reviewer may run and write what it likes. */
  readonly scratch: string;
  /** What programs in it have to reach of git, and what they must not see. */
  readonly access: Access;
  readonly base: string;
  readonly head: string;
  /** A hash over everything that a reviewer must not change. */
  tripwire(): Promise<string>;
  remove(): Promise<void>;
};

/** The git side of one project, as the engine uses it. */
export type Workspace = {
  /** The loop's checkout at a commit. What a dead session left in it is kept as a partial tree first. */
  openCheckout(input: CheckoutRequest): Promise<WorkCheckout>;
  /** A folder with the files of a commit, to try gates on the base. */
  openBase(input: {
    readonly uid: string;
    readonly commit: string;
    readonly copy: readonly string[];
  }): Promise<{ readonly dir: string; readonly access: Access; remove(): Promise<void> }>;
  openReview(input: {
    readonly uid: string;
    readonly mergeBase: string;
    readonly head: string;
    readonly message: string;
  }): Promise<ReviewPlace>;
  /** What the commit hooks of the base branch run in: the whole change staged, in the loop's checkout. */
  openHooks(input: {
    readonly uid: string;
    readonly checkout: string;
    readonly base: string;
    readonly mergeBase: string;
    readonly head: string;
    readonly path: string;
  }): Promise<{ readonly env: Readonly<Record<string, string>>; readonly access: Access; remove(): Promise<void> }>;
  readChange(base: string, head: string): Promise<Change>;
  changedPaths(from: string, to: string): Promise<readonly string[]>;
  /** Which lines of which files differ between two commits. */
  readDelta(from: string, to: string): Promise<readonly FileDelta[]>;
  /** The paths of all files of a commit below a folder. */
  listFiles(commit: string, folder: string): Promise<readonly string[]>;
  /** The text of a file of a commit, or null where it does not exist. */
  readText(commit: string, path: string): Promise<string | null>;
  /**
   * A program with its arguments, in which every file that the change under review touches is taken from the base; null if the
   * base has no such file, so that nobody but the change could say what it does.
   */
  trustedRun(
    run: readonly string[],
    change: { readonly base: string; readonly paths: readonly string[] },
  ): Promise<readonly string[] | null>;
  /** A folder with all files of a commit, which stays until it is tidied away. */
  exportTree(commit: string): Promise<string>;
  /** Makes those of these folders again that a text names and that were tidied away since. */
  restoreTrees(texts: readonly string[]): Promise<void>;
  /** Gives the user's repository the loop's branch; `known` are the commits that we put there before. */
  publish(input: {
    readonly loopId: number;
    readonly branch: string;
    readonly commit: string;
    readonly known: readonly string[];
  }): Promise<Publication>;
  /** Commits an edit of one file in the person's name, and moves the loop's branch there by one ref update, if it stands at the parent or nowhere. */
  commitEdit(input: {
    readonly branch: string;
    readonly parent: string;
    readonly edit: Edit;
    readonly message: string;
    readonly sign: 'inherit' | 'off';
  }): Promise<EditOutcome>;
  /** Where the branch stands, if somebody else moved it away from what we know; null if it is ours or does not exist. */
  movedBranch(input: {
    readonly loopId: number;
    readonly branch: string;
    readonly commit: string;
    readonly known: readonly string[];
  }): Promise<{ readonly head: Head; readonly descends: boolean } | null>;
  /** One commit with all that several have, or the files in which they conflict; the first is kept where it has all of it. */
  joinCommits(commits: readonly [string, ...string[]], message: string): Promise<Joined>;
  /** Removes the loop's checkout, if there is one. What lies uncommitted in it is kept as a partial tree, the commit under a ref. */
  removeCheckout(input: CheckoutRequest): Promise<void>;
  /** Removes what is made for one action of a loop alone; only its driver may do so. */
  removeThrowAways(uid: string): Promise<void>;
};
