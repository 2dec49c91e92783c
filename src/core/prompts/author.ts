import type { Guidance } from '../loop.ts';
import type { GateSpec } from '../settings.ts';
import { type Report, reportSection } from './report.ts';
import { gateCommandsSection, guidanceSection, type PromptTask, standardsSection, taskSection } from './sections.ts';
import { renderTemplate } from './template.ts';

/** All that an author is told. */
export type AuthorInput = {
  readonly loopId: number;
  readonly task: PromptTask;
  readonly standards: string | null;
  readonly gates: readonly Pick<GateSpec, 'name' | 'run' | 'cwd'>[];
  readonly iteration: number;
  readonly maxIterations: number;
  readonly guidance: readonly Guidance[];
  readonly report: Report;
};

const TEMPLATE = `# IMPLEMENTATION PHASE

You are implementing the task below, in the checkout that you were started in.

{{task}}

{{guidance}}

{{standards}}

{{gates}}

{{progress}}

## How to Work

- Read the code around the place first, and follow its patterns.
- Do what the task asks for, wholly, and nothing besides: no unrelated refactoring, no unused code.
- Handle errors and edge cases as a reasonable user would expect.
- Add or change tests that would fail without your work, and run them.
- Do not commit, do not push, do not touch git's own files: Volley commits what you leave in the checkout.
- Leave no secrets, no build products and no scratch files behind.
- Somebody with fresh eyes will review the result against the task.

{{report}}
`;

const SHAPE = `{
  "summary": "what you did, in one line: it becomes the message of the commit",   (optional)
  "taskComplete": true | false,   (false: another iteration is needed; left out means true)
  "usage": { "inputTokens": 0, "outputTokens": 0, "costUsd": 0.0 }   (optional)
}`;

/** The prompt of an author; `override` is the project's own template, from the base branch. */
export function authorPrompt(input: AuthorInput, override: string | null = null): string {
  const values = {
    loopId: String(input.loopId),
    task: taskSection(input.task, input.loopId, { heading: 'Task', label: 'This is the work to do:' }),
    guidance: guidanceSection(input.guidance),
    standards: standardsSection(input.standards),
    gates: gateCommandsSection(input.gates),
    iteration: String(input.iteration),
    maxIterations: String(input.maxIterations),
    progress: progressSection(input),
    report: reportSection(input.report, { role: 'author', shape: SHAPE, notes: null, done: null }),
  };
  return renderTemplate(override ?? TEMPLATE, values, ['task', 'report']);
}

function progressSection({ iteration, maxIterations }: AuthorInput): string {
  const before =
    iteration === 1
      ? 'The checkout is as it was before the task.'
      : 'What earlier iterations did is in the checkout already: look at it first (`git log`, `git diff`), then go on from there.';
  return `## Iteration\n\nThis is iteration ${iteration} of at most ${maxIterations}. ${before} If the task cannot be finished now, leave a state that works and say \`"taskComplete": false\`.`;
}
