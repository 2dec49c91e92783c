import { z } from 'zod';
import { FoundChange } from '../../core/change-request.ts';
import { ChangeFile, ChangeName, ChangeTotals, DiffMatch, LoopPoint, ObjectId, Whitespace } from '../../core/change-view.ts';
import { Side } from '../../core/draft.ts';
import { LoopOutput } from '../../core/output.ts';
import { Reason } from './people.ts';
import { FindingParams, Flag, LoopParams, Page, PAGE_END, route, whole } from './route.ts';

const ChangeParams = z.object({ change: ChangeName });
const whitespace = Whitespace.default('show');
const path = z.string().min(1).max(4096);
/** Tell files apart whose names are the same but for bytes that are no UTF-8; as the list of the files has them. */
const blobs = { oldBlob: ObjectId.optional(), newBlob: ObjectId.optional() };
const line = whole(1);
const limit = whole(1, 5000).default(2000);
const { cursor } = Page.shape;

/** A file of a loop's change, with the findings in it that are not settled. */
export const LoopChangeFile = ChangeFile.extend({ openFindings: z.number().int(), blockingFindings: z.number().int() });

const named = { change: z.string(), base: z.string(), head: z.string() };
const list = { totals: ChangeTotals, next: PAGE_END.next };

/** The list of the files of a change; a page of it where there are many. */
export const ChangeList = z.object({ ...named, files: z.array(ChangeFile), ...list });

/** The patch of one file. */
export const FilePatch = z.object({
  path: z.string(),
  oldPath: z.string().nullable(),
  binary: z.boolean(),
  /** As git writes it; bytes that are no UTF-8 are replaced. One that is truncated is a whole patch of fewer lines. */
  patch: z.string(),
  truncated: z.boolean(),
  missingLines: z.number().int(),
});

/** Lines of a file on one side of a change. */
export const FileLines = z.object({
  path: z.string(),
  side: Side,
  blob: z.string(),
  /** What it holds is where it leads to. */
  symlink: z.boolean(),
  /** No lines of it are shown. */
  binary: z.boolean(),
  /** The number of the first of `lines`, from 1. */
  start: z.number().int(),
  lines: z.array(z.string()),
  totalLines: z.number().int(),
  endsWithNewline: z.boolean(),
  /** The last of the lines that were asked for are left out, because they are too long. */
  truncated: z.boolean(),
});

/** So many lines of a file are given at once. */
export const MOST_LINES = 5000;

/** The routes about changes, of loops and without one. */
export const changesContract = {
  loopChange: route({
    method: 'GET',
    path: '/api/loops/:id/change',
    tag: 'changes',
    summary: 'The files that a loop changes, between any two points of its life.',
    params: LoopParams,
    query: z.object({ from: LoopPoint.default('base'), to: LoopPoint.default('head'), whitespace, limit, cursor }),
    reply: z.object({ ...named, files: z.array(LoopChangeFile), ...list }),
  }),
  findChange: route({
    method: 'POST',
    path: '/api/changes',
    tag: 'changes',
    summary: 'Finds a change that needs no loop: the working tree, a branch or a range.',
    query: z.object({ whitespace, limit }),
    body: FoundChange,
    reply: ChangeList.extend({ notes: z.array(z.string()) }),
  }),
  applySuggestion: route({
    method: 'POST',
    path: '/api/loops/:id/findings/:number/apply',
    tag: 'findings',
    summary: "Commits the exact patch of a finding on the loop's branch, as a commit of the user.",
    params: FindingParams,
    body: z.object({ reason: Reason }),
    reply: z.object({ commit: z.string(), loop: LoopOutput }),
  }),
  changeFiles: route({
    method: 'GET',
    path: '/api/changes/:change/files',
    tag: 'changes',
    summary: 'The files of a change.',
    params: ChangeParams,
    query: z.object({ whitespace, limit, cursor }),
    reply: ChangeList,
  }),
  changePatch: route({
    method: 'GET',
    path: '/api/changes/:change/patch',
    tag: 'changes',
    summary: 'The patch of one file of a change, up to five megabytes.',
    params: ChangeParams,
    query: z.object({
      path,
      oldPath: path.optional(),
      ...blobs,
      whitespace,
      context: whole(0, 1_000_000).default(3),
    }),
    reply: FilePatch,
  }),
  changeBlob: route({
    method: 'GET',
    path: '/api/changes/:change/blob',
    tag: 'changes',
    summary: `Up to ${MOST_LINES} lines of a file on one side of a change.`,
    params: ChangeParams,
    query: z.object({ path, ...blobs, side: Side.default('new'), start: line.default(1), end: line.optional() }),
    reply: FileLines,
  }),
  changeSearch: route({
    method: 'GET',
    path: '/api/changes/:change/search',
    tag: 'changes',
    summary: 'The added, removed and context lines of a change in which a text stands; no character of it has a meaning of its own.',
    params: ChangeParams,
    query: z.object({
      q: z.string().min(1).max(500),
      case: Flag.default(false),
      whitespace,
      limit: Page.shape.limit,
      cursor,
    }),
    reply: z.object({
      matches: z.array(DiffMatch),
      next: PAGE_END.next,
      /** False where the time was over before the end of the change, or a line was too long to be looked through. */
      complete: z.boolean(),
    }),
  }),
};
