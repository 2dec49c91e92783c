import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { JSX, ReactNode, SyntheticEvent } from 'react';
import { useConnection } from '../api/live.ts';
import { ask, asking } from '../api/queries.ts';
import { MOD } from '../shell/keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, TextArea, TextField } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { toast } from '../ui/toast.tsx';
import { refresh } from './loops.ts';
import { Mistake } from './mistake.tsx';
import { forgetStarted, shareDraft, useTaskDraft, writeDraft } from './task-draft.ts';
import type { TaskDraft } from './task-draft.ts';
import { orderOf } from './task-order.ts';
import type { Order } from './task-order.ts';
import { TaskOptions } from './task-options.tsx';
import { TaskPreview } from './task-preview.tsx';

const WHAT: readonly { readonly value: TaskDraft['what']; readonly label: string }[] = [
  { value: 'implement', label: 'Build it' },
  { value: 'working-tree', label: 'Review my working tree' },
  { value: 'branch', label: 'Review a branch' },
];

/** Where a task is written and started. Its words are kept on this browser until it is. */
export function TaskForm({ onStarted, leave }: { readonly onStarted: () => void; readonly leave?: ReactNode }): JSX.Element {
  const { draft } = useTaskDraft();
  const offline = useConnection(({ state }) => state === 'offline');
  const { error, isStarting, start } = useStart(onStarted);
  const order = orderOf(draft);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (order !== null && !offline && !isStarting) void start(order);
  };
  const field = useRef<HTMLTextAreaElement>(null);
  // Who comes here comes to write.
  useEffect(() => field.current?.focus(), []);
  useEffect(shareDraft, []);
  return (
    <form className="grid gap-3.5 text-left" onSubmit={submit}>
      <TextArea
        ref={field}
        aria-label={draft.what === 'implement' ? 'What should be built' : 'What the reviewers should know'}
        placeholder={
          draft.what === 'implement' ? 'Add idempotency keys to POST /charges' : 'What is the change for? (nothing has to be said)'
        }
        rows={3}
        maxLength={200_000}
        className="max-h-[40vh] text-lead"
        value={draft.text}
        readOnly={isStarting}
        onChange={({ target }) => writeDraft({ text: target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit(event);
        }}
      />
      <Segmented label="What should happen" value={draft.what} options={WHAT} onChange={(what) => writeDraft({ what })} />
      {draft.what === 'branch' ? (
        <Field name="Branch" note="Left empty: the current one.">
          <TextField
            value={draft.branch}
            onChange={({ target }) => writeDraft({ branch: target.value })}
            placeholder="feature/refunds"
            spellCheck={false}
          />
        </Field>
      ) : null}
      <TaskOptions draft={draft} />
      {error === null ? <TaskPreview order={order} /> : <Mistake error={error} />}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {leave}
        <Button kind="primary" type="submit" keys={[MOD, '↵']} disabled={order === null || offline || isStarting}>
          {isStarting ? 'Starting…' : 'Start'}
        </Button>
      </div>
    </form>
  );
}

function useStart(onStarted: () => void): {
  readonly error: unknown;
  readonly isStarting: boolean;
  readonly start: (order: Order) => Promise<void>;
} {
  const navigate = useNavigate();
  const { data: health } = useQuery(asking('health'));
  const draft = useTaskDraft((one) => one.draft);
  const [failure, setFailure] = useState<{ readonly of: TaskDraft; readonly error: unknown } | null>(null);
  const [isStarting, setIsStarting] = useState(false);
  const setError = (error: unknown): void => setFailure({ of: draft, error });
  const start = async (order: Order): Promise<void> => {
    setIsStarting(true);
    try {
      const { loops, note } = await ask('startTasks', { body: order });
      const [first] = loops;
      if (first === undefined) {
        setError(new Error(note ?? 'Nothing was started.'));
        return;
      }
      forgetStarted(draft);
      await refresh(loops.map(({ id }) => id)).catch(() => undefined);
      const nobody = health?.works === false ? ' Nobody works here yet: run volley work.' : '';
      const watch = { label: 'Watch', run: () => void navigate({ to: '/loop/$id', params: { id: String(first.id) } }) };
      toast({ kind: 'done', text: `Started #${first.id}.${nobody}`, act: watch });
      onStarted();
    } catch (mistake) {
      setError(mistake);
    } finally {
      setIsStarting(false);
    }
  };
  // What was wrong was wrong with what stood there.
  return { error: failure?.of === draft ? failure.error : null, isStarting, start };
}
