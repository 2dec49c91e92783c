import type { JSX } from 'react';
import { Icon } from '../ui/icon.tsx';
import { useDiff } from './diff-context.ts';
import { foldedWords } from './diff-file.ts';
import { NoteRow } from './note-row.tsx';

/** What stands before the first file: how much there is and what of it is folded, and what belongs to no file of the change. */
export function AboveFiles(): JSX.Element {
  const { files, notes } = useDiff();
  const words = foldedWords(files);
  return (
    <>
      {words === null ? null : (
        <p className="flex items-center gap-2.5 border-b border-line px-4 py-2.5 text-base text-fg-2">
          <Icon name="stack" />
          <span>
            <b className="text-fg">{words.lead}</b> {words.rest}
          </span>
        </p>
      )}
      {notes.above.length === 0 ? null : (
        <section aria-label="About the whole change" className="border-b border-line">
          <p className="px-4 pt-2.5 pb-2 text-small text-fg-3">About the change as a whole, or about files that are not part of it</p>
          {notes.above.map((note) => (
            <NoteRow key={note.key} note={note} path={null} />
          ))}
        </section>
      )}
    </>
  );
}
