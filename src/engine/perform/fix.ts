import type { Effect } from '../../core/action.ts';
import type { Change } from '../../core/diff.ts';
import { isClosed } from '../../core/finding.ts';
import type { Finding } from '../../core/finding.ts';
import { isRed } from '../../core/event.ts';
import { isBlocking } from '../../core/judge.ts';
import type { Loop } from '../../core/loop.ts';
import { fixerPrompt } from '../../core/prompts/fixer.ts';
import { readFix } from '../../core/readers/read-work.ts';
import type { FixReading } from '../../core/review.ts';
import type { Step, StepResult } from '../engine.ts';
import { CheckoutLost } from '../prepare-checkout.ts';
import { readProjectTexts } from '../project-texts.ts';
import type { ProjectTexts } from '../project-texts.ts';
import { answerOf, withUsage } from '../sessions.ts';
import { commitWork, subjectLine } from './commit-work.ts';
import { runWork } from './work-session.ts';

type FixStep = Step<Extract<Effect, { do: 'fix' }>>;

/** One answer of the fixer: a fresh session with all that it needs to know, whose work the engine commits. */
export async function performFix(step: FixStep): Promise<StepResult> {
  const { engine, loop, action, token } = step;
  try {
    const head = loop.head ?? loop.start;
    const [texts, change] = await Promise.all([
      readProjectTexts(engine, loop, 'fixer'),
      engine.workspace.readChange(loop.base.commit, head.commit),
    ]);
    const findings = openFindings(loop);
    const { checkout, ended } = await runWork(step, {
      role: 'fixer',
      round: action.round,
      wallMs: loop.settings.policy.timeoutsMs.fix,
      from: loop.resumeFrom ?? loop.withheld?.ref ?? null,
      subject: { change, findings, rules: texts.rules },
      prompt: () => promptFor(step, { findings, change, texts }),
    });
    const ids = findings.map((finding) => finding.id);
    const reading = readFix({ nonce: ended.nonce, ...answerOf(ended) }, ids);
    const outcome = await commitWork({ loop, checkout, ended, step: `fix-${action.round}-${token}`, ...messagesFor(step, reading) });
    const session = withUsage(ended.session, reading.usage);
    return { type: 'fixed', token, outcome, summary: reading.summary, resolutions: [...reading.resolutions], session };
  } catch (error) {
    if (error instanceof CheckoutLost) return { type: 'checkout-lost', token, why: error.message };
    throw error;
  }
}

function openFindings(loop: Loop): readonly Finding[] {
  return loop.findings.filter((finding) => !isClosed(finding));
}

function promptFor({ loop, action }: FixStep, given: { findings: readonly Finding[]; change: Change; texts: ProjectTexts }): string {
  const { findings, change, texts } = given;
  return fixerPrompt(
    {
      loopId: loop.id,
      task: loop.task,
      standards: texts.standards,
      gates: loop.settings.gates,
      files: change.files,
      diff: change.patch,
      findings,
      blockingIds: findings.filter((finding) => isBlocking(finding, loop.settings.policy)).map((finding) => finding.id),
      rulings: [],
      guidance: loop.guidance,
      gateFailures: action.cause === 'gates' ? loop.gates.results.filter(isRed) : [],
      withheld: loop.withheld?.findings ?? [],
      again: action.again,
      report: { channel: 'result-file' },
    },
    texts.prompt,
  );
}

type Messages = { readonly message: string; readonly groups: readonly { readonly message: string; readonly paths: readonly string[] }[] };

function messagesFor(step: FixStep, reading: FixReading): Messages {
  const { loop, action } = step;
  const isGateFix = action.cause === 'gates' || (action.cause === 'withheld' && action.round > loop.rounds.length);
  const template = isGateFix ? 'fix: make gates pass - {summary}' : loop.settings.commit.message;
  const fill = (summary: string): string => subjectLine(template.replaceAll('{n}', String(action.round)).replaceAll('{summary}', summary));
  const firstCommit = loop.head === null ? subjectLine(loop.task.title) : null;
  return {
    message: firstCommit ?? fill(summaryOf(step, reading)),
    groups: firstCommit === null ? reading.commits.map((group) => ({ message: fill(oneLine(group.summary)), paths: group.paths })) : [],
  };
}

function summaryOf({ loop, action }: FixStep, reading: FixReading): string {
  const said = oneLine(reading.summary ?? '');
  if (said !== '') return said;
  if (action.cause === 'gates')
    return loop.gates.results
      .filter((result) => !result.passed)
      .map((result) => result.name)
      .join(', ');
  const first = loop.findings.find((finding) => isBlocking(finding, loop.settings.policy));
  return oneLine(first?.description ?? 'findings');
}

function oneLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').trim();
}
