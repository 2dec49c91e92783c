import type { Effect } from '../../core/action.ts';
import { placeIssue } from '../../core/anchor.ts';
import { parsePatch } from '../../core/parse-patch.ts';
import type { Change, Hunk } from '../../core/diff.ts';
import { gatesApply } from '../../core/decide.ts';
import { isRed } from '../../core/event.ts';
import type { Head, NoVerdict, ReviewOutcome, Session } from '../../core/event.ts';
import { shareLine } from '../../core/finding.ts';
import type { RaisedFinding, ReportedIssue } from '../../core/finding.ts';
import type { Loop } from '../../core/loop.ts';
import { reviewerPrompt } from '../../core/prompts/reviewer.ts';
import type { GateRecord, Proof } from '../../core/proof.ts';
import { raiseIssue } from '../../core/readers/raise-issue.ts';
import { readReview } from '../../core/readers/read-review.ts';
import type { ReviewReading } from '../../core/review.ts';
import { withoutValues } from '../../core/secret-mask.ts';
import { isSecretTag } from '../../core/secrets.ts';
import type { AgentSpec } from '../../core/settings.ts';
import { shellPrograms } from '../../core/shell-programs.ts';
import { shellWord } from '../../core/words.ts';
import type { ReviewPlace } from '../../git/workspace.ts';
import { failpoint } from '../../lib/failpoint.ts';
import { sha256 } from '../../lib/ids.ts';
import type { Step, StepResult } from '../engine.ts';
import { readProjectTexts } from '../project-texts.ts';
import { runSession, withUsage } from '../sessions.ts';
import type { SessionEnd } from '../sessions.ts';
import { readContents, readSecretValues, snippetOf } from './read-lines.ts';

type ReviewStep = Step<Extract<Effect, { do: 'review' }>>;

/** One review of the head by fresh eyes, in a throw-away repository with a tripwire around it. */
export async function performReview(step: ReviewStep): Promise<StepResult> {
  const { engine, loop, token } = step;
  const head = loop.head;
  if (head === null) throw new Error('a review without a head');
  const reading = Promise.all([engine.workspace.readChange(loop.base.commit, head.commit), readProjectTexts(engine, loop, 'reviewer')]);
  // It fails where it is awaited, when there is a place to remove.
  reading.catch(() => undefined);
  const place = await engine.workspace.openReview({
    uid: loop.uid,
    mergeBase: loop.base.mergeBase,
    head: head.commit,
    message: loop.task.text,
  });
  try {
    const looking = place.tripwire();
    looking.catch(() => undefined);
    const [change] = await reading;
    const programs = await trustedPrograms(step, change);
    if (programs === null) return lost(step, null, { reason: 'crashed', detail: 'its program is part of the change under review' });
    const ended = await review(step, { place, change, programs, ready: looking });
    await failpoint('reviewer ended');
    const [before, after] = [await looking, await place.tripwire()];
    if (before !== after)
      return lost(step, ended.session, { reason: 'tampered', detail: 'the reviewer changed what it was given to read' });
    if (ended.outcome.kind === 'failed') return lost(step, ended.session, failureOf(ended.outcome));
    const trustText = loop.settings.agents[step.action.agent]?.trustText ?? false;
    const { result, output, structured } = ended.outcome;
    const read = readReview({ result, output, structured, nonce: ended.nonce, trustText });
    if (read.kind === 'unreadable') return lost(step, ended.session, read);
    const session = withUsage(ended.session, read.reading.usage);
    const outcome = await taken(step, {
      head,
      change,
      place,
      reading: read.reading,
      proof: proofOf(step, { change, ended, session, reading: read.reading, tripwire: { before, after } }),
    });
    return { type: 'reviewed', token, outcome, session };
  } finally {
    await place.remove();
  }
}

function failureOf(outcome: Extract<SessionEnd['outcome'], { kind: 'failed' }>): { readonly reason: NoVerdict; readonly detail: string } {
  return { reason: outcome.reason === 'timed-out' ? 'timed-out' : 'crashed', detail: outcome.message };
}

/** What an agent runs, by the base where the change touches it. */
type Programs = Pick<AgentSpec, 'run' | 'sarif'>;

/** A change must not choose what reviews it: a program that it touches is taken from the base; null if there is none. */
async function trustedPrograms({ engine, loop, action }: ReviewStep, change: Change): Promise<Programs | null> {
  const paths = change.files.flatMap((file) => (file.oldPath === null ? [file.path] : [file.path, file.oldPath]));
  const trust = async (run: readonly string[]): Promise<readonly string[] | null> =>
    await engine.workspace.trustedRun(run, { base: loop.base.commit, paths });
  const { run = [], sarif = [] } = loop.settings.agents[action.agent] ?? {};
  const trusted = await trust(run);
  if (trusted === null) return null;
  const lines: string[] = [];
  for (const line of sarif) {
    const programs = shellPrograms(line);
    const own = await trust(programs.map(({ path }) => path));
    if (own === null) return null;
    lines.push(
      programs.reduce(
        (text, { word, path }, index) => (own[index] === path ? text : text.replace(word, () => shellWord(own[index] ?? word))),
        line,
      ),
    );
  }
  return { run: [...trusted], sarif: lines };
}

type Reviewed = {
  readonly place: ReviewPlace;
  readonly change: Change;
  readonly programs: Programs;
  /** The tripwire is set before the reviewer starts. */
  readonly ready: Promise<unknown>;
};

async function review(step: ReviewStep, { place, change, programs, ready }: Reviewed): Promise<SessionEnd> {
  const { engine, loop, action, token, signal } = step;
  const [texts, contents] = await Promise.all([
    readProjectTexts(engine, loop, 'reviewer'),
    loop.settings.review.context === 'files' ? readContents(engine, change) : Promise.resolve([]),
  ]);
  const prompt = reviewerPrompt(
    {
      loopId: loop.id,
      task: loop.task,
      base: place.base,
      head: place.head,
      files: change.files,
      diff: change.patch,
      contents,
      standards: texts.standards,
      gates: gatesApply(loop) ? loop.gates.results : null,
      otherLoops: [],
      depth: loop.settings.policy.depth,
      report: { channel: 'result-file' },
    },
    texts.prompt,
  );
  return await runSession({
    engine,
    loop,
    token,
    role: 'reviewer',
    agent: action.agent,
    programs,
    round: action.round,
    cwd: place.dir,
    base: place.base,
    head: place.head,
    scratch: place.scratch,
    env: {},
    wallMs: loop.settings.policy.timeoutsMs.review,
    signal,
    ready,
    onStop: null,
    subject: { change, findings: [], rules: texts.rules },
    prompt: () => prompt,
  });
}

function lost({ token }: ReviewStep, session: Session | null, why: { readonly reason: NoVerdict; readonly detail: string }): StepResult {
  return { type: 'reviewed', token, outcome: { kind: 'no-verdict', reason: why.reason, detail: why.detail }, session };
}

type Taken = {
  readonly head: Head;
  readonly change: Change;
  readonly place: ReviewPlace;
  readonly reading: ReviewReading;
  readonly proof: Proof;
};

async function taken(step: ReviewStep, given: Taken): Promise<ReviewOutcome> {
  const { engine, loop } = step;
  const last = loop.rounds.at(-1);
  const [raised, touched] = await Promise.all([
    raise(step, given),
    last === undefined ? null : engine.workspace.changedPaths(last.head.commit, given.head.commit),
  ]);
  return { kind: 'review', reading: given.reading, raised, proof: given.proof, touched: touched === null ? null : [...touched] };
}

async function raise(step: ReviewStep, { change, place, reading, head }: Taken): Promise<RaisedFinding[]> {
  const { engine, action } = step;
  if (reading.issues.length === 0) return [];
  const patches = new Map(parsePatch(change.patch).map((file) => [file.path, file.hunks]));
  const hunksOf = (path: string | null): readonly Hunk[] => patches.get(path ?? '') ?? [];
  const within = { files: change.files, hunksOf, roots: [place.dir, place.scratch] };
  const placed = reading.issues.map((issue) => ({ issue, at: placeIssue(issue, within) }));
  const secrets = placed.filter(({ issue }) => isSecretTag(issue.type));
  const values = (await Promise.all(secrets.map(async ({ at }) => await readSecretValues(engine, head.commit, at)))).flat();
  return await Promise.all(
    placed.map(async ({ issue, at }) => {
      // Nothing keeps a line that somebody calls a secret, nor its value where it stands again.
      const isNear = isSecretTag(issue.type) || secrets.some((secret) => shareLine(secret.at, at));
      const lines = isNear ? null : await snippetOf(engine, head.commit, { ...at, hunks: hunksOf(at.file) });
      const isSecret = isNear || values.some((value) => `${lines ?? ''}\n${issue.patch ?? ''}`.includes(value));
      const snippet = isSecret ? null : lines;
      return raiseIssue(withoutSecret(issue, values, isSecret), { ...at, snippet }, { claim: reading.claim, agent: action.agent });
    }),
  );
}

/** An issue without the values of secrets, and without a patch that would show one. */
function withoutSecret(issue: ReportedIssue, values: readonly string[], isSecret: boolean): ReportedIssue {
  return { ...issue, description: withoutValues(issue.description, values), patch: isSecret ? null : issue.patch };
}

type Told = {
  readonly change: Change;
  readonly ended: SessionEnd;
  readonly session: Session;
  readonly reading: ReviewReading;
  readonly tripwire: Proof['tripwire'];
};

function proofOf({ engine, loop, action }: ReviewStep, { change, ended, session, reading, tripwire }: Told): Proof {
  const { usage } = session;
  const tokens =
    usage?.inputTokens === null || usage?.outputTokens === null || usage === null
      ? null
      : { input: usage.inputTokens, output: usage.outputTokens };
  return {
    base: change.base,
    mergeBase: change.mergeBase,
    head: change.head,
    tree: change.tree,
    diffSha256: change.patchSha256,
    promptSha256: sha256(ended.prompt),
    agent: action.agent,
    channel: reading.channel,
    exitState: session.exit,
    startedAt: session.startedAt,
    endedAt: session.endedAt,
    confinement: engine.confinement.level,
    tripwire,
    gates: gateRecords(loop),
    filesDelivered: null,
    agentVersion: null,
    model: loop.settings.agents[action.agent]?.model ?? null,
    billing: null,
    tokens,
    costUsd: usage?.costUsd ?? null,
    network: null,
  };
}

function gateRecords(loop: Loop): GateRecord[] | null {
  if (!gatesApply(loop)) return null;
  const acceptedBy = loop.gates.accepted?.tree === loop.head?.tree ? (loop.gates.accepted?.by ?? null) : null;
  return loop.gates.results.map((result) => {
    const { name, passed, redBefore } = result;
    return { name, passed, redBefore, acceptedBy: isRed(result) ? acceptedBy : null };
  });
}
