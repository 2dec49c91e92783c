import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** A task that is being written: fields as they are typed. Empty ones are as the configuration says. */
export type TaskDraft = {
  readonly text: string;
  readonly what: 'implement' | 'working-tree' | 'branch';
  readonly branch: string;
  /** Whether what is built is left without a review until somebody asks for one. */
  readonly unreviewed: boolean;
  /** Whether a fixer answers what a review finds. */
  readonly fix: boolean;
  readonly author: string;
  readonly reviewers: readonly string[];
  readonly rounds: string;
  readonly ceiling: string;
  readonly group: string;
  readonly after: string;
};

/** A task about which nothing was said yet. */
export const BLANK: TaskDraft = {
  text: '',
  what: 'implement',
  branch: '',
  unreviewed: false,
  fix: false,
  author: '',
  reviewers: [],
  rounds: '',
  ceiling: '',
  group: '',
  after: '',
};

const STORED = 'volley-task';

/** What is being written on this browser; it stays until it is started. */
export const useTaskDraft = create<{ readonly draft: TaskDraft }>()(persist(() => ({ draft: BLANK }), { name: STORED }));

/** Changes some of its fields. */
export function writeDraft(change: Partial<TaskDraft>): void {
  useTaskDraft.setState(({ draft }) => ({ draft: { ...draft, ...change } }));
}

/** Forgets what was started; what somebody has written since stays. */
export function forgetStarted(started: TaskDraft): void {
  useTaskDraft.setState(({ draft }) => (JSON.stringify(draft) === JSON.stringify(started) ? { draft: { ...BLANK } } : { draft }));
}

/** Reads what is written in other tabs of this browser, so that none of them overwrites it. Returns how to stop. */
export function shareDraft(): () => void {
  // A browser that stores nothing has nothing to read.
  const { persist: stored }: Partial<typeof useTaskDraft> = useTaskDraft;
  const read = ({ key }: StorageEvent): void => {
    if (key === STORED) void stored?.rehydrate();
  };
  void stored?.rehydrate();
  addEventListener('storage', read);
  return () => removeEventListener('storage', read);
}

/** What happens to a task as it is being written, in general. */
export function leadWords({ what, unreviewed, fix }: Pick<TaskDraft, 'what' | 'unreviewed' | 'fix'>): string {
  const settles = 'You are asked when they cannot settle it.';
  if (what !== 'implement') return fix ? `It is reviewed, and a fixer answers. ${settles}` : 'It is reviewed once, and nothing is changed.';
  return unreviewed
    ? 'An agent builds it. Nobody reviews it until you ask for that.'
    : `One agent builds it, another reviews it. ${settles}`;
}
