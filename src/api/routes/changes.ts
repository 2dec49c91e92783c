import { changeName, findingsByFile, loopChange, readChangeName } from '../../core/change-view.ts';
import type { ChangeEnds, ChangeFile } from '../../core/change-view.ts';
import { loopOutput } from '../../core/project-output.ts';
import { applySuggestion } from '../../engine/apply-suggestion.ts';
import type { ChangeList } from '../../engine/change-desk.ts';
import type { Desk } from '../../engine/desk.ts';
import { slots } from '../../lib/slots.ts';
import type { changesContract } from '../contract/changes.ts';
import { MOST_LINES } from '../contract/changes.ts';
import { cursorAt, indexOf, pageOf } from '../cursor.ts';
import { findLoop, loopNumber } from '../find-loop.ts';
import type { Handlers } from '../handlers.ts';

/** Answers what a change is made of, a piece at a time. */
export function changesRoutes(desk: Desk): Handlers<typeof changesContract> {
  const { engine, changes, person } = desk;
  // Each rests on the branch as the one before it left that.
  const applying = slots(1);
  return {
    loopChange: async ({ params, query }, { signal }) => {
      const loop = await findLoop(desk, params.id);
      const ends = loopChange(loop, query);
      const { files, ...page } = filesOf(ends, await changes.list(ends, { ...query, signal }), query);
      const counts = findingsByFile(loop);
      return {
        ...page,
        files: files.map((file) => {
          const { open = 0, blocking = 0 } = counts.get(file.path) ?? {};
          return { ...file, openFindings: open, blockingFindings: blocking };
        }),
      };
    },
    findChange: async ({ body, query }, { signal }) => {
      const { notes, ...ends } = await changes.find(body);
      return { ...filesOf(ends, await changes.list(ends, { ...query, signal }), query), notes: [...notes] };
    },
    applySuggestion: async ({ params, body: { reason } }) => {
      const id = await loopNumber(desk, params.id);
      const applied = { findingId: `${id}.${params.number}`, by: person, reason };
      const { commit, loop } = await applying(async () => await applySuggestion(engine, id, applied));
      desk.stir();
      return { commit, loop: loopOutput(loop) };
    },
    changeFiles: async ({ params, query }, { signal }) => {
      const ends = readChangeName(params.change);
      return filesOf(ends, await changes.list(ends, { ...query, signal }), query);
    },
    changePatch: async ({ params, query }, { signal }) => {
      const { file, patch, missingLines } = await changes.patch(readChangeName(params.change), { ...query, signal });
      const { path, oldPath, binary } = file;
      return { path, oldPath, binary, patch, truncated: missingLines > 0, missingLines };
    },
    changeBlob: async ({ params, query }, { signal }) => {
      const { path, side, start, oldBlob, newBlob } = query;
      const end = Math.min(query.end ?? Infinity, start + MOST_LINES - 1);
      const { lines, ...read } = await changes.lines(readChangeName(params.change), { path, oldBlob, newBlob, side, start, end, signal });
      return { path, side, start, lines: [...lines], ...read };
    },
    changeSearch: async ({ params, query }, { signal }) => {
      const { q: text, case: matchCase, whitespace, limit } = query;
      const skip = indexOf(query.cursor);
      const found = await changes.search(readChangeName(params.change), { text, matchCase, whitespace, skip, limit, signal });
      return { matches: [...found.matches], next: found.hasMore ? cursorAt(skip + limit) : null, complete: found.complete };
    },
  };
}

type Page = { readonly limit: number; readonly cursor?: string | undefined };
type Named = ChangeEnds & Pick<ChangeList, 'totals'> & { readonly change: string; readonly next: string | null };

function filesOf(ends: ChangeEnds, { files, totals }: ChangeList, page: Page): Named & { files: ChangeFile[] } {
  const { items, next } = pageOf(files, page);
  return { change: changeName(ends), ...ends, files: items, totals, next };
}
