import type { Effect } from '../../core/action.ts';
import type { Event, Session } from '../../core/event.ts';
import { arbiterPrompt } from '../../core/prompts/arbiter.ts';
import { redactAll } from '../../core/redact-all.ts';
import { readRulings } from '../../core/readers/read-work.ts';
import { isHindered } from '../../core/waiting.ts';
import { failpoint } from '../../lib/failpoint.ts';
import type { Step, StepResult } from '../engine.ts';
import { findingDeltas } from '../finding-deltas.ts';
import { readProjectTexts } from '../project-texts.ts';
import { answerOf } from '../sessions.ts';
import type { SessionEnd } from '../sessions.ts';
import { runLook } from './look-session.ts';
import { trustedPrograms } from './trusted-programs.ts';

type ArbitrateStep = Step<Extract<Effect, { do: 'arbitrate' }>>;
type Outcome = Extract<Event, { type: 'arbitrated' }>['outcome'];

/** One ruling on the disputes of a round, by somebody who belongs to neither side, in a throw-away repository like a reviewer's. */
export async function performArbitration(step: ArbitrateStep): Promise<StepResult> {
  const { engine, loop, action } = step;
  const head = loop.head ?? loop.start;
  const [change, texts, place] = await Promise.all([
    engine.workspace.readChange(loop.base.commit, head.commit),
    readProjectTexts(engine, loop, 'arbiter'),
    engine.workspace.openReview({ uid: loop.uid, mergeBase: loop.base.mergeBase, head: head.commit, message: loop.task.text }),
  ]);
  try {
    const disputed = loop.findings.filter(({ id }) => action.findingIds.includes(id));
    const programs = await trustedPrograms(engine, loop.settings.agents[action.agent], change);
    if (programs === null) return await arbitrated(step, failed('its program is part of the change under review'), null);
    const before = await place.tripwire();
    const ended = await runLook(step, {
      role: 'arbiter',
      agent: action.agent,
      place,
      programs,
      subject: { change, findings: disputed, rules: texts.rules },
      prompt: ({ report }) =>
        arbiterPrompt(
          {
            loopId: loop.id,
            task: loop.task,
            standards: texts.standards,
            base: place.base,
            head: place.head,
            files: change.files,
            diff: change.patch,
            disputes: disputed.map((finding) => ({ finding, evidence: finding.resolution?.note ?? '' })),
            guidance: loop.guidance,
            report,
          },
          texts.prompt,
        ),
    });
    await failpoint('arbiter ended');
    if (before !== (await place.tripwire()))
      return await arbitrated(step, failed('the arbiter changed what it was given to read'), ended.session);
    return await arbitrated(step, rulingsOf(ended, action.findingIds), ended.session);
  } finally {
    await place.remove();
  }
}

/** Silence is no ruling: an arbiter that says nothing about any dispute has failed. */
function rulingsOf(ended: SessionEnd, findingIds: readonly string[]): Outcome {
  const { outcome } = ended;
  if (outcome.kind === 'failed') {
    const isTold = outcome.reason === 'over-budget' || outcome.reason === 'timed-out' || isHindered(outcome.reason);
    return { kind: 'failed', reason: isTold ? outcome.reason : 'agent-failed', message: outcome.message, until: outcome.until ?? null };
  }
  const rulings = readRulings({ nonce: ended.nonce, ...answerOf(ended) }, findingIds).filter(({ findingId }) =>
    findingIds.includes(findingId),
  );
  return rulings.length === 0 ? failed('the arbiter gave no ruling') : { kind: 'rulings', rulings: redactAll([...rulings]) };
}

function failed(message: string): Outcome {
  return { kind: 'failed', reason: 'agent-failed', message };
}

async function arbitrated({ engine, loop, token }: ArbitrateStep, outcome: Outcome, session: Session | null): Promise<StepResult> {
  const deltas = outcome.kind === 'rulings' ? await findingDeltas(engine, loop) : [];
  return { type: 'arbitrated', token, outcome, deltas, session };
}
