import type { FindingOutput } from '../../../src/core/output.ts';
import type { FindingStep } from '../../../src/core/view.ts';

/** Where the line of a finding goes: up where it is asked, down where it is answered, on the net where it is settled or yours. */
export type Beat = 'asked' | 'answered' | 'settled' | 'you';

/** One thing that happened to a finding, in words: what, and the rest of it. */
export type ToldStep = { readonly verb: string; readonly rest: string };

/** The life of a finding as it is drawn and told. */
export type Story = { readonly beats: readonly Beat[]; readonly steps: readonly ToldStep[] };

type Step = Pick<FindingStep, 'seq' | 'round' | 'what' | 'status' | 'severity' | 'by' | 'commit' | 'note'>;
type About = Pick<FindingOutput, 'provenance' | 'status' | 'firstRound' | 'raisedBy' | 'blocking'>;

/** What happened to a finding, from its history; `waits` says that a person is asked about the loop now. */
export function storyOf(finding: About, history: readonly Step[], waits: boolean): Story {
  const known = history.length > 0 ? history : [firstStep(finding)];
  const moments = groupBySeq(known);
  const beats: Beat[] = [];
  const steps: ToldStep[] = [];
  for (const [index, moment] of moments.entries()) {
    const told = tell(moment, { finding, before: moments[index - 1] });
    if (told === null) continue;
    if (told.beat !== null) beats.push(told.beat);
    if (told.replaces) steps.pop();
    steps.push(told.told);
  }
  const isYours = waits && (finding.blocking || finding.status === 'disputed') && !isClosed(finding.status);
  if (isYours) beats.push('you');
  if (isYours && finding.status === 'disputed') steps.push({ verb: 'waits for a person', rest: '' });
  return { beats, steps };
}

/** A story on one line, for a finding that is settled: "raised in round 1, fixed in 9c41e7a". */
export function storyLine({ steps }: Story): string {
  return steps.map(({ verb, rest }, index) => `${index === 0 ? verb.toLowerCase() : verb}${rest === '' ? '' : ` ${rest}`}`).join(', ');
}

function isClosed(status: FindingOutput['status']): boolean {
  return status === 'fixed' || status === 'refuted' || status === 'accepted';
}

/** All that is known before its history is. */
function firstStep({ firstRound, raisedBy }: About): Step {
  return { seq: 0, round: firstRound, what: 'raised', status: 'open', severity: 'low', by: raisedBy, commit: null, note: '' };
}

type Moment = readonly Step[];

/** What one event did to a finding is several steps, and one moment of its story. */
function groupBySeq(history: readonly Step[]): readonly Moment[] {
  const moments: Step[][] = [];
  for (const step of history) {
    const last = moments.at(-1);
    if (last?.[0]?.seq === step.seq) last.push(step);
    else moments.push([step]);
  }
  return moments;
}

type Turned = { readonly beat: Beat | null; readonly told: ToldStep; readonly replaces?: boolean };

function tell(moment: Moment, { finding, before }: { readonly finding: About; readonly before: Moment | undefined }): Turned | null {
  const found = (what: Step['what']): Step | undefined => moment.find((step) => step.what === what);
  const raised = found('raised');
  if (raised !== undefined) return { beat: 'asked', told: tellRaised(raised, finding) };
  const ruled = found('ruled');
  if (ruled !== undefined) return tellRuled(ruled);
  const again = found('raised-again');
  if (again !== undefined)
    return { beat: 'asked', told: { verb: again.status === 'reopened' ? 'reopened' : 'persists', rest: `in round ${again.round}` } };
  const answered = found('answered');
  if (answered !== undefined) return tellAnswered(answered);
  const status = found('status');
  if (status !== undefined) return tellStatus(status, before);
  const changed = found('changed');
  return changed === undefined ? null : { beat: null, told: { verb: `became ${changed.severity}`, rest: `in round ${changed.round}` } };
}

function tellRaised({ round, by, commit }: Step, { provenance }: About): ToldStep {
  if (provenance === 'fix-induced')
    return { verb: 'New', rest: `in round ${round}, on lines that ${commit === null ? 'a fix' : short(commit)} changed` };
  if (provenance === 'late') return { verb: 'Raised', rest: `in round ${round} on unchanged lines` };
  return { verb: 'Raised', rest: `in round ${round}${by.length === 0 ? '' : ` by ${by.join(' and ')}`}` };
}

function tellRuled({ by, note }: Step): Turned {
  const ruling = /^(?:refuted|upheld|accepted|reopened)/.exec(note)?.[0] ?? 'ruled on';
  const rest = by.length === 0 ? '' : `by ${by.join(' and ')}`;
  return { beat: ruling === 'refuted' || ruling === 'accepted' ? 'settled' : 'asked', told: { verb: ruling, rest } };
}

function tellAnswered(step: Step): Turned {
  const who = step.by.length === 0 ? '' : `by ${step.by.join(' and ')}`;
  if (answerOf(step) === 'disputed') return { beat: 'answered', told: { verb: 'disputed', rest: who } };
  if (answerOf(step) === 'needs_person') return { beat: 'answered', told: { verb: 'left to a person', rest: who } };
  return { beat: 'answered', told: { verb: 'answered', rest: step.commit === null ? who : `in ${short(step.commit)}` } };
}

function tellStatus(step: Step, before: Moment | undefined): Turned | null {
  if (step.status === 'fixed') {
    const answer = before?.find(({ what }) => what === 'answered');
    const isClaimed = answer !== undefined && answerOf(answer) === 'fixed';
    const rest = isClaimed && answer.commit !== null ? `in ${short(answer.commit)}` : `in round ${step.round}`;
    return { beat: 'settled', told: { verb: 'fixed', rest }, replaces: isClaimed };
  }
  if (step.status === 'reopened' || step.status === 'persisting')
    return { beat: 'asked', told: { verb: step.status === 'reopened' ? 'reopened' : 'persists', rest: `in round ${step.round}` } };
  return isClosed(step.status) ? { beat: 'settled', told: { verb: step.status, rest: '' } } : null;
}

/** What a fixer said about it; the core writes that before its reason. */
export function answerOf({ note }: Pick<FindingStep, 'note'>): 'fixed' | 'disputed' | 'needs_person' {
  return note.startsWith('disputed') ? 'disputed' : note.startsWith('needs_person') ? 'needs_person' : 'fixed';
}

/** A commit as people name it. */
export function short(commit: string): string {
  return commit.slice(0, 7);
}
