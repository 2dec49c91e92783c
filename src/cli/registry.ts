import type { Command } from './command.ts';

type Entry = { readonly summary: string; load(): Promise<{ readonly command: Command }> };

/** Every command, loaded only when it is used. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  run: { summary: 'build a task: author, reviewer and fixer until it is approved', load: async () => await import('./commands/run.ts') },
  review: { summary: 'review a branch, a range, the working tree or a task', load: async () => await import('./commands/review.ts') },
  add: { summary: 'put tasks into the queue', load: async () => await import('./commands/add.ts') },
  work: { summary: 'drive what is pending, or the tasks named', load: async () => await import('./commands/work.ts') },
  status: { summary: 'the tasks of this project and where they stand', load: async () => await import('./commands/status.ts') },
  show: { summary: 'one task: where it stands and what to do', load: async () => await import('./commands/show.ts') },
  why: { summary: 'the reason of every step of a task', load: async () => await import('./commands/why.ts') },
  log: { summary: 'every event and state of a task', load: async () => await import('./commands/log.ts') },
  findings: { summary: 'the findings of a task', load: async () => await import('./commands/findings.ts') },
  diff: { summary: 'the change of a task, whole or of one round', load: async () => await import('./commands/diff.ts') },
  decide: { summary: 'answer what a task asks', load: async () => await import('./commands/decide.ts') },
  finding: {
    summary: 'refute, uphold, accept or reopen one finding, or apply its patch',
    load: async () => await import('./commands/finding.ts'),
  },
  comment: {
    summary: 'say something about a change: a comment, a request, an approval',
    load: async () => await import('./commands/comment.ts'),
  },
  memory: { summary: 'what was refuted and stays closed in this project', load: async () => await import('./commands/memory.ts') },
  improve: { summary: 'one fix from the open findings and your guidance', load: async () => await import('./commands/improve.ts') },
  refine: { summary: 'let the fixer answer the findings, and go on', load: async () => await import('./commands/refine.ts') },
  retry: { summary: 'try the current stage again', load: async () => await import('./commands/retry.ts') },
  cancel: { summary: 'end a task; its branch stays', load: async () => await import('./commands/cancel.ts') },
  skip: { summary: 'end the reviews; it is ready for people, not reviewed', load: async () => await import('./commands/skip.ts') },
  ready: { summary: 'mark a task as ready for people', load: async () => await import('./commands/ready.ts') },
  edit: { summary: 'set a verdict, or change a task and its limits', load: async () => await import('./commands/edit.ts') },
  takeover: { summary: 'pause a task and work on its branch yourself', load: async () => await import('./commands/takeover.ts') },
  handback: { summary: 'give a task that you took over back to its loop', load: async () => await import('./commands/handback.ts') },
  land: { summary: 'bring approved work to your branch', load: async () => await import('./commands/land.ts') },
  verify: { summary: 'whether an approval is what it says', load: async () => await import('./commands/verify.ts') },
  stats: { summary: 'what the loops came to: rounds, findings, time and money', load: async () => await import('./commands/stats.ts') },
  export: { summary: 'the whole history as JSON lines', load: async () => await import('./commands/export.ts') },
  import: { summary: 'take over a history that export wrote', load: async () => await import('./commands/import.ts') },
  gc: { summary: 'remove what no task needs any more', load: async () => await import('./commands/gc.ts') },
  config: {
    summary: 'show, get, set, unset: every setting and where it comes from',
    load: async () => await import('./commands/config.ts'),
  },
  serve: {
    summary: 'the API, live events and tools for agents; drives what is pending',
    load: async () => await import('./commands/serve.ts'),
  },
  mcp: { summary: 'tools for agents, over the Model Context Protocol', load: async () => await import('./commands/mcp.ts') },
  hook: { summary: 'review what is pushed, or what an agent stops with', load: async () => await import('./commands/hook.ts') },
  skill: { summary: 'how a coding agent uses Volley, to be read by one', load: async () => await import('./commands/skill.ts') },
  init: { summary: 'look at this project and write a first volley.yaml', load: async () => await import('./commands/init.ts') },
  doctor: { summary: 'what loops need here, and whether it is there', load: async () => await import('./commands/doctor.ts') },
  login: { summary: 'log an agent in, once, for Volley alone', load: async () => await import('./commands/login.ts') },
  bench: { summary: 'bench loops: whether loops end as they should', load: async () => await import('./commands/bench.ts') },
  demo: { summary: 'three loops on a sample project, nothing to install', load: async () => await import('./commands/demo.ts') },
};
