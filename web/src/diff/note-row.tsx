import { useSearch } from '@tanstack/react-router';
import type { JSX } from 'react';
import { PlacedFinding } from '../finding/placed-finding.tsx';
import { numberOf } from '../finding/words.ts';
import { Age } from '../ui/age.tsx';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy.ts';
import { Plain } from '../ui/plain.tsx';
import { Person } from '../ui/tile.tsx';
import { useDiff } from './diff-context.ts';
import { grouped } from './diff-file.ts';
import type { Note } from './notes.ts';
import { readChangeName } from '../../../src/core/change-view.ts';
import { shellWord } from '../../../src/core/words.ts';

/** What hangs from a line. */
export function NoteRow({ note, path }: { readonly note: Note; readonly path: string | null }): JSX.Element | null {
  switch (note.kind) {
    case 'finding':
      return <FindingRow id={note.id} />;
    case 'comment':
      return <CommentRow index={note.index} />;
    case 'cut':
      return path === null ? null : <CutRow missing={note.missing} path={path} />;
  }
}

function FindingRow({ id }: { readonly id: string }): JSX.Element | null {
  const { findings, loop } = useDiff();
  const { finding: current } = useSearch({ strict: false });
  const finding = findings.get(id);
  if (finding === undefined || loop === null) return null;
  return (
    <div data-finding={id}>
      <PlacedFinding loop={loop} finding={finding} current={numberOf(id) === current} />
    </div>
  );
}

function CommentRow({ index }: { readonly index: number }): JSX.Element | null {
  const { loop } = useDiff();
  const comment = loop?.comments[index];
  if (comment === undefined) return null;
  return (
    <div className="border-y border-line bg-note py-3 pr-5 pl-4.5 font-sans shadow-[inset_2px_0_0_var(--text-2)]">
      <p className="flex items-center gap-2 text-small text-fg-3">
        <Person name={comment.by} />
        <b className="text-fg">
          <Plain text={comment.by} />
        </b>
        <Age at={comment.at} />
      </p>
      <p className="mt-1 max-w-[820px] pl-[26px] text-body whitespace-pre-wrap">
        <Plain text={comment.text} />
      </p>
    </div>
  );
}

function CutRow({ missing, path }: { readonly missing: number; readonly path: string }): JSX.Element {
  const { change } = useDiff();
  const { base, head } = readChangeName(change);
  const command = `git diff ${base.slice(0, 12)} ${head.slice(0, 12)} -- ${shellWord(path)}`;
  return (
    <div className="flex items-center gap-3 border-y border-line bg-warn-tint px-4.5 py-2.5 font-sans text-base text-fg">
      <span className="min-w-0 flex-1">
        <b>{grouped(missing)} more changed lines</b> of this file are not shown here: its patch is over five megabytes. Nothing else of the
        change is missing.
      </span>
      <Button size="small" onClick={() => void copyText(command, { said: `Copied: ${command}` })}>
        Copy the command that shows all
      </Button>
    </div>
  );
}
