import { differences, isSame } from './differences.ts';
import type { Event } from './event.ts';
import type { Loop, MemberReview, Round } from './loop.ts';
import { jsonValue } from './parse-json.ts';
import { gateRecords, sessionParts } from './proof-parts.ts';
import { proofProblem } from './proof.ts';
import type { GateRecord, Proof } from './proof.ts';
import type { Replay } from './replay.ts';
import { redact } from './secrets.ts';
import { BUILTIN } from './settings.ts';
import { cannotTell, changeKey, fails, holds, short } from './verify-facts.ts';
import type { Check, Outcome, VerifyFacts } from './verify-facts.ts';
import { rowsHold } from './verify-rows.ts';
import { counted, someOf } from './words.ts';
import { writeReviewTwin } from './writers/review-twin.ts';

/** Everything that one round claims. */
export function roundChecks(facts: VerifyFacts, round: Round): readonly Check[] {
  const isPanel = round.reviews.length > 1;
  const reviews = round.reviews.flatMap((review) =>
    Object.entries(reviewOutcomes(facts, round, review)).map(([what, { ok, detail }]) => ({
      round: round.round,
      what,
      ok,
      detail: isPanel ? `${review.agent}: ${detail}` : detail,
    })),
  );
  return [
    { round: round.round, what: 'verdict', ...rowsHold(facts, round.round) },
    ...reviews,
    { round: round.round, what: 'twin', ...twinHolds(facts, round) },
  ];
}

function reviewOutcomes(facts: VerifyFacts, round: Round, review: MemberReview): Readonly<Record<string, Outcome>> {
  const { proof } = review;
  return {
    commit: commitHolds(facts, proof),
    base: baseHolds(facts, proof),
    diff: diffHolds(facts, proof),
    files: filesHold(facts, proof),
    proof: proofHolds(proof, round),
    session: sessionHolds(facts, review),
    gates: gatesHold(facts, proof),
    prompt: promptHolds(facts, review),
  };
}

function commitHolds({ trees }: VerifyFacts, { head, tree }: Proof): Outcome {
  const found = trees.get(head) ?? null;
  if (found === null) return fails(`the commit ${short(head)} is in no repository here`);
  return found === tree
    ? holds(`${short(head)} has the tree ${short(tree)}`)
    : fails(`the tree of ${short(head)} is ${short(found)}, not ${short(tree)}`);
}

function baseHolds(facts: VerifyFacts, { base, mergeBase, head }: Proof): Outcome {
  const { loop } = facts.replay;
  if (base !== loop.base.commit) return fails(`the proof names the base ${short(base)}, and the task that of ${short(loop.base.commit)}`);
  if ((facts.trees.get(base) ?? null) === null) return fails(`the base ${short(base)} is in no repository here`);
  const change = facts.changes.get(changeKey({ base, head }));
  if (change === undefined || typeof change === 'string') return cannotTell('the change cannot be read');
  if (change.mergeBase === mergeBase) return holds(`${short(base)}, merge base ${short(mergeBase)}`);
  return fails(`the merge base with ${short(base)} is ${short(change.mergeBase)}, not ${short(mergeBase)}`);
}

function diffHolds({ trees, changes }: VerifyFacts, proof: Proof): Outcome {
  const change = changes.get(changeKey(proof));
  const isHere = [proof.head, proof.base].every((commit) => (trees.get(commit) ?? null) !== null);
  if (change === undefined || typeof change === 'string') {
    // Where the commits are there and their contents are not, nothing bears the review out.
    return isHere
      ? fails(`the diff cannot be made again: ${change ?? 'nobody tried'}`)
      : cannotTell('there is no diff without its commits');
  }
  if (change.patchSha256 === proof.diffSha256) return holds(`sha-256 ${short(proof.diffSha256)}`);
  return fails(`the sha-256 of the diff is ${short(change.patchSha256)}, not ${short(proof.diffSha256)}`);
}

function filesHold({ changes }: VerifyFacts, proof: Proof): Outcome {
  const change = changes.get(changeKey(proof));
  if (change === undefined || typeof change === 'string') return cannotTell('the change cannot be read');
  const given = new Set([...proof.filesDelivered, ...proof.filesNamed]);
  const changed = change.files.map(({ path }) => path);
  const unseen = [...changed.filter((path) => !given.has(path)), ...proof.filesMissing];
  if (unseen.length > 0) return fails(`the reviewer was not given ${someOf([...new Set(unseen)])}`);
  const strange = [...given].filter((path) => !changed.includes(path));
  if (strange.length > 0) return fails(`${someOf(strange)} is not part of the change`);
  const texts = change.files.filter(({ path, binary, submodule }) => !binary && !submodule && proof.filesNamed.includes(path));
  if (texts.length > 0) return fails(`the reviewer was given no more than the name of ${someOf(texts.map(({ path }) => path))}`);
  const named = proof.filesNamed.length === 0 ? '' : `, ${proof.filesNamed.length} of them by name, as they have no text`;
  return holds(`${counted(changed.length, 'file')} of ${changed.length}${named}`);
}

function proofHolds(proof: Proof, round: Round): Outcome {
  const problem = proofProblem(proof, round.head);
  if (problem !== null) return fails(problem.detail);
  const nulls = Object.entries(proof).flatMap(([part, value]) => (value === null ? [part] : []));
  const unnamed = nulls.filter((part) => proof.absent[part] === undefined);
  if (unnamed.length > 0) return fails(`the proof does not say why it lacks ${someOf(unnamed)}`);
  const { exitState, channel, confinement } = proof;
  return holds(`complete: ${exitState}, tripwire untouched, by ${channel}, confinement ${confinement}`);
}

/** What the proof says about the session, against the session itself and the settings of the agent. */
function sessionHolds({ replay }: VerifyFacts, { agent, proof, reading, session }: MemberReview): Outcome {
  if (session === null) return cannotTell('the journal has no session of it');
  const spec = replay.loop.settings.agents[agent];
  const said = {
    agent: proof.agent,
    channel: proof.channel,
    exitState: proof.exitState,
    startedAt: proof.startedAt,
    endedAt: proof.endedAt,
  };
  const seen = { agent, channel: reading.channel, exitState: session.exit, startedAt: session.startedAt, endedAt: session.endedAt };
  const { driver, model, billing, confinement, network } = proof;
  const wrong = differences({ ...said, driver, model, billing, confinement, network }, { ...seen, ...sessionParts(session, spec) });
  if (wrong.length > 0) return fails(`the proof and the journal differ in ${someOf(wrong)}`);
  return holds(`${agent}, ${session.startedAt} to ${session.endedAt}`);
}

/** The gates as the journal had them when the answer came. */
function gatesHold({ replay }: VerifyFacts, proof: Proof): Outcome {
  const before = replay.steps.find(({ entry: { event } }) => isAnswer(event, proof))?.before ?? null;
  if (before === null) return fails('the journal has no answer with this proof');
  const ran = gateRecords(before);
  if (!isSame(proof.gates, ran)) return fails(`the proof says of the gates ${gateWords(proof.gates)}, and the journal ${gateWords(ran)}`);
  if (ran !== null && before.gates.tree !== proof.tree) return fails(`the gates ran on the tree ${short(before.gates.tree ?? 'none')}`);
  return holds(gateWords(ran));
}

function isAnswer(event: Event, proof: Proof): boolean {
  return event.type === 'reviewed' && event.outcome.kind === 'review' && event.outcome.proof === proof;
}

function gateWords(gates: readonly GateRecord[] | null): string {
  if (gates === null) return 'none were asked for';
  if (gates.length === 0) return 'none ran';
  return gates
    .map(({ name, passed, acceptedBy }) => `${name} ${passed ? 'passed' : acceptedBy === null ? 'red' : `red, accepted by ${acceptedBy}`}`)
    .join(', ');
}

function promptHolds({ prompts }: VerifyFacts, { proof, session }: MemberReview): Outcome {
  if (proof.driver === BUILTIN) return cannotTell('the built-in agent reads no prompt');
  const transcript = session?.transcript ?? null;
  const found = transcript === null ? null : (prompts.get(transcript) ?? null);
  if (found === null) return cannotTell(`there is no transcript ${transcript ?? ''}`.trimEnd());
  if (found.hashes.includes(proof.promptSha256)) return holds(`sha-256 ${short(proof.promptSha256)}, as in ${transcript ?? ''}`);
  if (!found.whole)
    return cannotTell(
      `${transcript ?? ''} does not hold the prompt in a way that can be told: secrets are taken out of it, what is too long is cut`,
    );
  return fails(`${transcript ?? ''} holds another prompt than the proof names`);
}

/** A twin holds what the journal said when it was written; rulings and fixes come later. */
function twinHolds({ replay, twins }: VerifyFacts, round: Round): Outcome {
  const twin = twins.get(round.round);
  if (twin === undefined || twin.text === null) return cannotTell(`there is no ${twin?.path ?? 'twin'}`);
  const texts = writtenTwins(replay, round);
  const newest = texts.at(-1) ?? '';
  if (twin.text === newest) return holds(`${twin.path} is as it was written`);
  const read = jsonValue(twin.text);
  if (!texts.includes(twin.text)) {
    if (read === undefined) return fails(`${twin.path} is no JSON`);
    const [fewest = []] = texts.map((text) => differences(read, jsonValue(text))).toSorted((a, b) => a.length - b.length);
    return fewest.length === 0
      ? holds(`${twin.path} says the same in another form`)
      : fails(`${twin.path} differs from the journal in ${someOf(fewest)}`);
  }
  const isStale = differences(read, jsonValue(newest)).includes('verdict');
  return isStale
    ? cannotTell(`${twin.path} was written before the verdict became ${round.verdict}`)
    : holds(`${twin.path} is as it was written`);
}

/** Every text that the twin of a round can have had, oldest first. */
function writtenTwins({ steps }: Replay, { round, at }: Round): readonly string[] {
  const texts = steps.flatMap(({ before, after }) => {
    const now = after.rounds[round - 1];
    if (now === undefined || now.at !== at) return [];
    if (before !== null && before.rounds[round - 1] === now && saysTheSame(before, after)) return [];
    return [redact(writeReviewTwin({ loop: after, round: now }))];
  });
  return [...new Set(texts)];
}

/** Whether an entry changed nothing of what a twin tells beside its round. */
function saysTheSame(before: Loop, after: Loop): boolean {
  return before.findings === after.findings && before.decisions === after.decisions && before.comments === after.comments;
}
