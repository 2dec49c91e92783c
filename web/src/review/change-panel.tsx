import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { useMemo } from 'react';
import type { JSX } from 'react';
import { ApiError } from '../../../src/api/contract/client.ts';
import { useLook } from '../diff/look.ts';
import { DiffToolbar } from '../diff/toolbar.tsx';
import { viewedScope } from '../diff/viewed.ts';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Plain } from '../ui/plain.tsx';
import { ChangeBar } from './change-bar.tsx';
import { lookedAt, lookedWords, nothingWords } from './looked.ts';
import { DiffPlace } from './diff-place.tsx';
import { usePlace } from './place.ts';
import { askChange, peekChange } from './questions.ts';
import type { FoundChange, Looked } from './questions.ts';
import { shortId } from './range.ts';
import { Fading } from './fading.tsx';
import { useReadingFile } from './reading-file.ts';
import { Side, SideFoot, TabRow } from './side.tsx';
import { DiffSkeleton } from './skeleton.tsx';
import { ToldLine } from './told-line.tsx';
import { TOOLBAR } from './toolbar.tsx';
import { Tree } from './tree.tsx';
import { inTreeOrder } from './tree-rows.ts';
import { useNarrow } from './use-media.ts';

const NONE: readonly never[] = [];

/** A change without a loop: the working tree, a branch or a range, to be read as a review is. */
export function ChangePanel(): JSX.Element {
  const looked = lookedAt(useSearch({ from: '/change' }));
  const whitespace = useLook((look) => look.whitespace);
  const asked = useQuery({ ...askChange(looked, whitespace), placeholderData: keepPreviousData });
  const { data, error, isFetching, isPlaceholderData, refetch } = asked;
  const shown = looked.kind === 'working-tree' && !isPlaceholderData ? data?.change : undefined;
  const { data: newest } = useQuery({ ...peekChange(looked, shown ?? ''), enabled: shown !== undefined });
  const onNews = shown === undefined || newest === shown ? null : () => void refetch();
  const change = useMemo(() => (data === undefined ? undefined : { ...data, files: inTreeOrder(data.files) }), [data]);
  useTitle(lookedWords(looked));
  return (
    <main className="grid h-full grid-rows-[auto_auto_minmax(0,1fr)]">
      <ChangeBar key={lookedWords(looked)} looked={looked} busy={isFetching} onAgain={() => void refetch()} />
      <Notes change={change} error={error} onAgain={() => void refetch()} />
      {error !== null && change === undefined ? (
        <Refused error={error} onAgain={() => void refetch()} />
      ) : (
        <Body change={change} looked={looked} loading={isPlaceholderData} onNews={onNews} />
      )}
    </main>
  );
}

type NotesProps = { readonly change: FoundChange | undefined; readonly error: Error | null; readonly onAgain: () => void };

/** What is to be known about a change, and that it could not be asked for again; what was read stays. */
function Notes({ change, error, onAgain }: NotesProps): JSX.Element {
  return (
    <div>
      <ul className="px-4 text-small text-fg-2">
        {change?.notes.map((note) => (
          <li key={note} className="flex items-center gap-1.5 pb-1.5">
            <Icon name="alert" size={13} />
            <Plain text={note} />
          </li>
        ))}
      </ul>
      <div role="status">
        {error === null || change === undefined ? null : (
          <ToldLine told={{ text: `This is what was there before. ${error.message}`, label: 'Ask again', act: onAgain }} />
        )}
      </div>
    </div>
  );
}

type Shown = {
  readonly change: FoundChange | undefined;
  readonly looked: Looked;
  /** Whether the change is the one before, because the one that is looked for is still on its way. */
  readonly loading: boolean;
  /** Shows what it is by now; null where it is what is shown. */
  readonly onNews: (() => void) | null;
};

function Body(shown: Shown): JSX.Element {
  if (useNarrow()) return <NarrowBody {...shown} />;
  return (
    <div className="flex min-h-0 min-w-0 border-t border-line">
      <div className="w-[264px] shrink-0 *:h-full max-md:w-[248px] min-[1800px]:w-[300px]">
        <ChangeSide change={shown.change} />
      </div>
      <section aria-label="The change" className="@container flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
        <ChangeDiff {...shown} />
      </section>
    </div>
  );
}

/** On a phone either the diff or its files; the diff stays behind them, so that whoever comes back is where they were. */
function NarrowBody(shown: Shown): JSX.Element {
  const { place, go } = usePlace();
  const { change } = shown;
  return (
    <Tabs.Root
      value={place.tab === 'files' && place.file === undefined ? 'files' : 'diff'}
      onValueChange={(tab) =>
        go({ tab: tab === 'files' ? tab : undefined, file: undefined, line: undefined, side: undefined }, { replace: true })
      }
      className="flex min-h-0 min-w-0 flex-col border-t border-line"
    >
      <TabRow
        tabs={[
          { name: 'diff', label: 'Diff' },
          { name: 'files', label: 'Files', ...(change === undefined ? {} : { count: change.files.length }) },
        ]}
      />
      <div className="relative flex min-h-0 flex-1 flex-col">
        {/* It keeps its size: a diff without any cannot be led to a file. */}
        <Tabs.Content
          value="diff"
          forceMount
          className="@container absolute inset-0 flex min-h-0 flex-col bg-surface data-[state=inactive]:invisible"
        >
          <ChangeDiff {...shown} />
        </Tabs.Content>
        <Tabs.Content value="files" className="relative flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden">
          <ChangeTree change={change} />
          <ChangeFoot change={change} />
        </Tabs.Content>
      </div>
    </Tabs.Root>
  );
}

function ChangeDiff(shown: Shown): JSX.Element {
  const { change, looked, loading } = shown;
  return (
    <>
      <ChangeToolbar {...shown} />
      {change === undefined || (loading && change.files.length === 0) ? (
        <DiffSkeleton />
      ) : change.files.length === 0 ? (
        <Nothing looked={looked} change={change} />
      ) : (
        <Fading until={loading ? lookedWords(looked) : null}>
          <DiffPlace change={change.change} files={change.files} findings={NONE} loop={null} />
        </Fading>
      )}
    </>
  );
}

type Listed = Pick<Shown, 'change'>;

function ChangeSide({ change }: Listed): JSX.Element {
  const count = change === undefined ? {} : { count: change.files.length };
  return (
    <Side
      tabs={[{ name: 'files', label: 'Files', ...count, content: <ChangeTree change={change} /> }]}
      foot={<ChangeFoot change={change} />}
    />
  );
}

function ChangeTree({ change }: Listed): JSX.Element | null {
  const { place, go } = usePlace();
  const reading = useReadingFile(({ path }) => path);
  if (change === undefined) return null;
  return (
    <Tree
      files={change.files}
      findings={NONE}
      scope={viewedScope(null, change.change)}
      current={reading ?? place.file}
      onOpen={(file) => go({ file, line: undefined, side: undefined, tab: undefined })}
    />
  );
}

function ChangeFoot({ change }: Listed): JSX.Element | null {
  if (change === undefined || change.files.length === 0) return null;
  return <SideFoot files={change.files} totals={change.totals} scope={viewedScope(null, change.change)} />;
}

function ChangeToolbar({ change, looked, loading, onNews }: Shown): JSX.Element {
  return (
    <div role="toolbar" aria-label="Diff" className={TOOLBAR}>
      <span className="min-w-0 truncate text-fg-2">
        <span className="@max-[620px]:sr-only">Showing </span>
        <b className="font-semibold text-fg">
          <Plain as="name" text={lookedWords(looked)} />
        </b>
        {change === undefined || loading ? null : (
          <code className="ml-2 text-fg-3">
            {shortId(change.base)} … {shortId(change.head)}
          </code>
        )}
      </span>
      <span className="flex-1" />
      <span aria-live="polite" className="shrink-0">
        {onNews === null ? null : (
          <Button size="small" kind="primary" title="The files changed while you were reading" onClick={onNews}>
            <Icon name="retry" size={13} />
            It changed: show
          </Button>
        )}
      </span>
      <DiffToolbar />
    </div>
  );
}

function Nothing({ looked, change }: { readonly looked: Looked; readonly change: FoundChange }): JSX.Element {
  const { go } = usePlace();
  const { text, instead } = nothingWords(looked, change);
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-2 p-6 text-center">
      <h2 className="text-title font-semibold tracking-tight">Nothing is changed</h2>
      <p className="max-w-[56ch] text-body text-fg-2">
        <Plain text={text} />
      </p>
      {instead === null ? null : (
        <Button className="mt-1" onClick={() => go({ range: instead })}>
          Show <Plain text={instead} />
        </Button>
      )}
    </div>
  );
}

function Refused({ error, onAgain }: { readonly error: Error; readonly onAgain: () => void }): JSX.Element {
  return (
    <div role="alert" className="grid place-content-center justify-items-center gap-2 border-t border-line bg-surface p-6 text-center">
      <h2 className="max-w-[60ch] text-title font-semibold tracking-tight text-balance">
        <Plain text={error.message} />
      </h2>
      {error instanceof ApiError ? (
        <p className="max-w-[60ch] text-body text-fg-2">
          <Plain text={error.remedy} />
        </p>
      ) : null}
      <Button className="mt-1" onClick={onAgain}>
        Look again
      </Button>
    </div>
  );
}
