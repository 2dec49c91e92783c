import type { Effect } from '../../core/action.ts';
import { authorPrompt } from '../../core/prompts/author.ts';
import type { Report } from '../../core/prompts/report.ts';
import { redactAll } from '../../core/redact-all.ts';
import { readAuthor } from '../../core/readers/read-work.ts';
import type { Step, StepResult } from '../engine.ts';
import { CheckoutLost } from '../prepare-checkout.ts';
import { readProjectTexts } from '../project-texts.ts';
import type { ProjectTexts } from '../project-texts.ts';
import { answerOf } from '../sessions.ts';
import { commitWork, subjectLine } from './commit-work.ts';
import { openWork, runWork } from './work-session.ts';

type AuthorStep = Step<Extract<Effect, { do: 'author' }>>;

/** One turn of the author: a fresh session in the loop's checkout, whose work the engine commits. */
export async function performAuthor(step: AuthorStep): Promise<StepResult> {
  const { engine, loop, action, token } = step;
  try {
    const texts = await readProjectTexts(engine, loop, 'author');
    const checkout = await openWork(step, loop.resumeFrom);
    const ended = await runWork(step, checkout, {
      role: 'author',
      round: loop.rounds.length + 1,
      wallMs: loop.settings.policy.timeoutsMs.author,
      subject: { change: null, findings: [], rules: [] },
      prompt: ({ report }) => promptFor(step, texts, report),
    });
    const reading = redactAll(readAuthor({ nonce: ended.nonce, ...answerOf(ended) }));
    const outcome = await commitWork({
      loop,
      checkout,
      ended,
      step: `author-${action.iteration}`,
      message: messageFor(step, reading.summary),
      groups: [],
    });
    const { summary, taskComplete } = reading;
    return { type: 'authored', token, outcome, summary, taskComplete, session: ended.session };
  } catch (error) {
    if (error instanceof CheckoutLost) return { type: 'checkout-lost', token, why: error.message };
    throw error;
  }
}

function promptFor({ loop, action }: AuthorStep, texts: ProjectTexts, report: Report): string {
  return authorPrompt(
    {
      loopId: loop.id,
      task: loop.task,
      standards: texts.standards,
      gates: loop.settings.gates,
      iteration: action.iteration,
      maxIterations: loop.settings.policy.maxAuthorIterations,
      guidance: loop.guidance,
      report,
    },
    texts.prompt,
  );
}

function messageFor({ loop, action }: AuthorStep, summary: string | null): string {
  const subject = subjectLine(action.iteration === 1 ? loop.task.title : `${loop.task.title} (iteration ${action.iteration})`);
  const body = (summary ?? '').trim();
  return body === '' ? subject : `${subject}\n\n${body}`;
}
