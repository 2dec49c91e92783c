import type { Effect } from '../../core/action.ts';
import type { Change } from '../../core/diff.ts';
import { blockingIn } from '../../core/convergence.ts';
import { isRed } from '../../core/event.ts';
import type { WorkOutcome } from '../../core/event.ts';
import { isClosed } from '../../core/finding.ts';
import type { Finding, RaisedFinding, Resolution } from '../../core/finding.ts';
import type { Loop } from '../../core/loop.ts';
import { fixLimitMs } from '../../core/ordered-fix.ts';
import { strayFindings } from '../../core/own-findings.ts';
import { fixerPrompt } from '../../core/prompts/fixer.ts';
import type { Report } from '../../core/prompts/report.ts';
import { readFix } from '../../core/readers/read-work.ts';
import type { FixReading, Ruling } from '../../core/review.ts';
import { redactAll } from '../../core/redact-all.ts';
import { BUILTIN } from '../../core/settings.ts';
import { counted } from '../../core/words.ts';
import type { Step, StepResult } from '../engine.ts';
import { CheckoutLost } from '../prepare-checkout.ts';
import { readProjectTexts } from '../project-texts.ts';
import type { ProjectTexts } from '../project-texts.ts';
import { answerOf } from '../sessions.ts';
import type { SessionEnd } from '../sessions.ts';
import { commitWork, subjectLine } from './commit-work.ts';
import { applyExactFixes } from './exact-fixes.ts';
import { openWork, runWork } from './work-session.ts';

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
    const checkout = await openWork(step, loop.resumeFrom ?? loop.withheld?.ref ?? null);
    const exact = await exactFixes(step, checkout.dir, findings);
    const ended = isAllFixed(loop, exact)
      ? null
      : await runWork(step, checkout, {
          role: 'fixer',
          round: action.round,
          wallMs: fixLimitMs(loop, action.cause),
          subject: { change, findings, rules: texts.rules },
          prompt: ({ report }) => promptFor(step, { findings, change, texts, report, exact }),
        });
    const reading = readingOf(ended, findings, exact);
    const work = { loop, checkout, ended, step: `fix-${action.round}-${token}` };
    const outcome = await commitWork({ ...work, ...messagesFor(step, reading) });
    const resolutions = [...reading.resolutions];
    const strayed = strayedOf(step, { outcome, change, findings });
    return { type: 'fixed', token, outcome, summary: reading.summary, resolutions, strayed, session: ended?.session ?? null };
  } catch (error) {
    if (error instanceof CheckoutLost) return { type: 'checkout-lost', token, why: error.message };
    throw error;
  }
}

function openFindings(loop: Loop): readonly Finding[] {
  return loop.findings.filter((finding) => !isClosed(finding));
}

/** Exact patches of the reviewers come before anybody is paid; the built-in fixer applies them itself. */
async function exactFixes({ loop, action }: FixStep, dir: string, findings: readonly Finding[]): Promise<readonly Resolution[]> {
  const isForReview = action.cause === 'review' || action.cause === 'order';
  if (!isForReview || action.again || loop.settings.agents[action.agent]?.driver === BUILTIN) return [];
  return await applyExactFixes(dir, findings);
}

/** Whether the exact fixes answer everything that blocks, so that no fixer is needed; guidance of a person needs one. */
function isAllFixed(loop: Loop, exact: readonly Resolution[]): boolean {
  const blocking = blockingIn(loop);
  return loop.guidance.length === 0 && blocking.length > 0 && blocking.every(({ id }) => exact.some(({ findingId }) => findingId === id));
}

/** What the fixer says, and for what was mended exactly what we know; its own word about that comes first. */
function readingOf(ended: SessionEnd | null, findings: readonly Finding[], exact: readonly Resolution[]): FixReading {
  if (ended === null) {
    const summary = `${counted(exact.length, 'exact fix', 'exact fixes')} of the review`;
    return { summary, resolutions: exact, commits: [], usage: null };
  }
  const ids = findings.map((finding) => finding.id);
  const reading = readFix({ nonce: ended.nonce, ...answerOf(ended) }, ids);
  const asked = reading.resolutions.filter(({ findingId }) => ids.includes(findingId));
  const silent = exact.filter(({ findingId }) => !reading.resolutions.some((one) => one.findingId === findingId));
  return redactAll({ ...reading, resolutions: [...asked, ...silent] });
}

type Work = { readonly outcome: WorkOutcome; readonly change: Change; readonly findings: readonly Finding[] };

/** Edits outside of what the fixer was asked about; before there is a change, there is nothing to be outside of. */
function strayedOf({ loop, action }: FixStep, { outcome, change, findings }: Work): RaisedFinding[] {
  if (outcome.kind !== 'committed' || loop.head === null) return [];
  const changeFiles = change.files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath]));
  const findingFiles = findings.flatMap(({ file }) => file ?? []);
  return strayFindings({ edited: outcome.files, changeFiles, findingFiles, fixer: action.agent });
}

type Prompted = {
  readonly findings: readonly Finding[];
  readonly change: Change;
  readonly texts: ProjectTexts;
  readonly report: Report;
  readonly exact: readonly Resolution[];
};

function promptFor({ loop, action }: FixStep, given: Prompted): string {
  const { findings, change, texts, report, exact } = given;
  return fixerPrompt(
    {
      loopId: loop.id,
      task: loop.task,
      standards: texts.standards,
      gates: loop.settings.gates,
      files: change.files,
      diff: change.patch,
      findings,
      blockingIds: blockingIn({ ...loop, findings }).map((finding) => finding.id),
      rulings: findings.flatMap(rulingOf),
      applied: exact.map(({ findingId }) => findingId),
      guidance: loop.guidance,
      gateFailures: action.cause === 'gates' ? loop.gates.results.filter(isRed) : [],
      withheld: loop.withheld?.findings ?? [],
      again: action.again,
      report,
    },
    texts.prompt,
  );
}

/** A dispute that was upheld goes to the next fixer with the ruling. */
function rulingOf({ id, ruling }: Finding): Ruling[] {
  return ruling?.ruling === 'upheld' ? [{ findingId: id, ruling: 'upheld', note: ruling.note }] : [];
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
  const [first] = blockingIn(loop);
  return oneLine(first?.description ?? 'findings');
}

function oneLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').trim();
}
