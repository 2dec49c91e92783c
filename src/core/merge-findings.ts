import { isBlocking } from './convergence.ts';
import { canHaveFixed, gapBetween, isTouched, NEAR_LINES } from './delta.ts';
import type { Delta } from './delta.ts';
import type { Finding, FindingStatus, Origin, Place, Provenance, RaisedFinding } from './finding.ts';
import { bySeverity, isAtLeast, isClosed, isSettled, isUnplaced } from './finding.ts';
import { AROUND_LINES, identify, isSameForSure, saysTheSame } from './identity.ts';
import type { Loop } from './loop.ts';
import type { Memory } from './memory.ts';
import { STRAY_EDIT } from './own-findings.ts';
import type { Policy } from './policy.ts';
import { reanchor } from './re-anchor.ts';

/** What the members of a panel raised about one head. */
export type RaisedRound = {
  readonly head: string;
  readonly raised: readonly RaisedFinding[];
  readonly deltas: readonly Delta[];
  readonly memories: readonly Memory[];
  /** The files of the change as it is now. */
  readonly files: readonly string[];
};

/** The findings of a loop after a round, and which of them each raised one became. */
export type Merged = { readonly findings: readonly Finding[]; readonly idOf: ReadonlyMap<RaisedFinding, string> };

type Context = RaisedRound & {
  readonly round: number;
  readonly last: Delta | null;
  readonly outlived: ReadonlySet<string>;
  readonly blocked: ReadonlySet<string>;
};

const MAX_WORDINGS = 5;

/** Gives what a round raised its identity: which finding of an earlier round it is, and what became of those that nobody raised. */
export function mergeFindings(loop: Loop, given: RaisedRound): Merged {
  const last = loop.rounds.at(-1);
  const context: Context = {
    ...given,
    round: loop.rounds.length + 1,
    last: given.deltas.find(({ from }) => from === last?.head.commit) ?? null,
    outlived: new Set(last === undefined || last.fix === null ? [] : last.blockingIds),
    blocked: new Set(last?.blockingIds ?? []),
  };
  const placed = loop.findings.map((one) => (one.source === 'gate' ? one : anchored(one, context)));
  const known = placed.filter(({ source }) => source !== 'gate');
  const byId = new Map(placed.map((one) => [one.id, one]));
  const idOf = new Map<RaisedFinding, string>();
  const repeating = (members: readonly RaisedFinding[], knownId: string | null): readonly RaisedFinding[] => {
    const earlier = placed.find(({ id }) => id === knownId);
    return earlier === undefined ? [] : members.filter((one) => repeats(one, members, { earlier, policy: loop.settings.policy }));
  };
  for (const { members, known: knownId } of identify(given.raised, known, (some, { id }) => repeating(some, id).length > 0)) {
    const earlier = byId.get(knownId ?? '') ?? null;
    const again = repeating(members, knownId);
    if (earlier !== null && again.length > 0) byId.set(earlier.id, raisedAgain(earlier, leadOf(again), context));
    for (const one of again) idOf.set(one, earlier?.id ?? '');
    // Only those whose own words were refuted before are closed by that.
    const others = Map.groupBy(
      members.filter((one) => !again.includes(one)),
      (one) => context.memories.find((memory) => recalls(memory, one)) ?? null,
    );
    for (const [memory, some] of others) {
      const id = `${loop.id}.${byId.size + 1}`;
      byId.set(id, newFinding({ id, memory, members: some }, context));
      for (const one of some) idOf.set(one, id);
    }
  }
  const raisedIds = new Set(idOf.values());
  const findings = [...byId.values()].map((one) => (raisedIds.has(one.id) ? one : notRaised(one, context)));
  return { findings, idOf };
}

type Against = { readonly earlier: Finding; readonly policy: Policy };

/**
 * Whether what looks like a finding of before counts as it. A mistake would hide something where that one was closed by somebody, or
 * where it blocks and these words would not: then it must be the very same.
 */
function repeats(one: RaisedFinding, group: readonly RaisedFinding[], { earlier, policy }: Against): boolean {
  // A word about something mild says nothing about something grave.
  if (isSettled(earlier))
    return isSameForSure(one, earlier) && isNear(one, earlier, NEAR_LINES) && isAtLeast(earlier.severity, one.severity);
  if (!isBlocking(earlier, policy)) return true;
  const { severity, category } = leadOf(group);
  const isRelieved = !isBlocking({ ...earlier, severity, category }, policy);
  if (isRelieved) return saysTheSame(one, earlier) && isNear(one, earlier, NEAR_LINES);
  // Lines that are still there speak for themselves: the same words far away are about something else.
  const isThere = earlier.anchor === 'exact' || earlier.anchor === 'moved';
  return !isThere || one.line === null || earlier.line === null || isNear(one, earlier, AROUND_LINES);
}

/** What was decided about one place says nothing about another one with the same words. */
function isNear(one: RaisedFinding, earlier: Finding, lines: number): boolean {
  const gap = gapBetween(one, earlier);
  return gap === null ? one.line === earlier.line : gap <= lines;
}

function anchored(finding: Finding, { deltas, head }: Context): Finding {
  const { origin } = finding;
  if (isUnplaced(finding)) return { ...finding, anchor: 'unplaced' };
  if (origin === null || origin.commit === head) return finding;
  const delta = deltas.find(({ from }) => from === origin.commit);
  return delta === undefined ? finding : { ...finding, ...reanchor(origin, delta) };
}

/** The worst that anyone said of it holds, and everyone who said it is named. */
function leadOf(members: readonly RaisedFinding[]): RaisedFinding & { readonly also: readonly string[] } {
  const [lead, ...others] = members.toSorted(bySeverity);
  if (lead === undefined) throw new Error('a group of findings without a finding');
  const placed = members.toSorted((a, b) => PLACE_RANK[a.place] - PLACE_RANK[b.place])[0] ?? lead;
  const { file, line, lineEnd, place, snippet, codeHash } = lead.place === placed.place ? lead : placed;
  return {
    ...lead,
    file,
    line,
    lineEnd,
    place,
    snippet,
    codeHash,
    category: members.some(({ category }) => category === 'security') ? 'security' : lead.category,
    patch: lead.patch ?? others.find(({ patch }) => patch !== null)?.patch ?? null,
    suggestion: lead.suggestion ?? others.find(({ suggestion }) => suggestion !== null)?.suggestion ?? null,
    flags: [...new Set(members.flatMap(({ flags }) => flags))],
    raisedBy: [...new Set(members.flatMap(({ raisedBy }) => raisedBy))],
    also: otherWords(
      lead.description,
      others.map(({ description }) => description),
    ),
  };
}

const PLACE_RANK: Record<Place, number> = { changed: 0, file: 1, outside: 2, unplaced: 3 };

function otherWords(description: string, others: readonly string[]): readonly string[] {
  return [...new Set(others)].filter((words) => words !== description).slice(0, MAX_WORDINGS);
}

type Lead = ReturnType<typeof leadOf>;

type Group = { readonly id: string; readonly memory: Memory | null; readonly members: readonly RaisedFinding[] };

function newFinding({ id, memory, members }: Group, context: Context): Finding {
  const { round } = context;
  const lead = leadOf(members);
  return {
    ...lead,
    id,
    status: memory === null ? 'open' : 'refuted',
    provenance: provenanceOf(members, context),
    firstRound: round,
    lastRound: round,
    anchor: isUnplaced(lead) ? 'unplaced' : 'exact',
    origin: originOf(lead, context),
    reopenings: 0,
    survived: 0,
    firm: false,
    resolution: null,
    ruling:
      memory === null
        ? null
        : { ruling: 'refuted', by: memory.by, person: memory.person, note: memory.note, from: memory.findingId, remembered: false },
  };
}

/** Whether this was refuted before about the very same code. What touches security stays closed by a person's word only. */
function recalls(memory: Memory, one: RaisedFinding): boolean {
  if (memory.codeHash !== one.codeHash || (one.category === 'security' && !memory.person)) return false;
  if (!isAtLeast(memory.severity, one.severity)) return false;
  return isSameForSure(one, { ...memory, id: memory.findingId, lineEnd: null, snippet: null, source: one.source });
}

/** The fix brought it if it touched any of the places that members point at. */
function provenanceOf(members: readonly RaisedFinding[], { round, last }: Context): Provenance {
  if (round === 1) return 'original';
  return last !== null && members.some((one) => one.file !== null && isTouched(last, one, 'new')) ? 'fix-induced' : 'late';
}

function originOf(lead: Pick<Lead, 'file' | 'line' | 'lineEnd'>, { head }: Context): Origin {
  return { commit: head, file: lead.file, line: lead.line, lineEnd: lead.lineEnd };
}

function raisedAgain(earlier: Finding, lead: Lead, context: Context): Finding {
  const status = statusAfterRaise(earlier, lead);
  const wordings = [...lead.also, earlier.description, ...earlier.also];
  return {
    ...earlier,
    ...lead,
    ...(earlier.source === 'person' ? personsOwn(earlier) : {}),
    category: earlier.category === 'security' ? 'security' : lead.category,
    also: otherWords(lead.description, wordings),
    raisedBy: [...new Set([...earlier.raisedBy, ...lead.raisedBy])],
    // What is closed stays closed for the code that it was closed about.
    codeHash: status === earlier.status && isClosed(earlier) ? earlier.codeHash : lead.codeHash,
    status,
    lastRound: context.round,
    ...placeAgain(earlier, lead, context),
    reopenings: earlier.reopenings + (earlier.status === 'fixed' || (earlier.status === 'refuted' && status === 'reopened') ? 1 : 0),
    survived: earlier.survived + (context.outlived.has(earlier.id) ? 1 : 0),
    firm: earlier.firm || status === 'reopened' || context.blocked.has(earlier.id),
    resolution: null,
  };
}

/** A reviewer who says the same does not make a person's finding milder, nor one of its own. */
function personsOwn({ source, severity, description }: Finding): Pick<Finding, 'source' | 'severity' | 'description'> {
  return { source, severity, description };
}

/** Where it is now. Whoever names no place again has not moved it, and the better of two places holds. */
function placeAgain(
  earlier: Finding,
  lead: Lead,
  context: Context,
): Pick<Finding, 'file' | 'line' | 'lineEnd' | 'place' | 'snippet' | 'anchor' | 'origin'> {
  const isLost = isUnplaced(lead) && !isUnplaced(earlier);
  const { file, line, lineEnd, place, snippet, anchor, origin } = earlier;
  if (isLost) return { file, line, lineEnd, place, snippet, anchor, origin };
  return {
    file: lead.file,
    line: lead.line,
    lineEnd: lead.lineEnd,
    place: PLACE_RANK[place] < PLACE_RANK[lead.place] ? place : lead.place,
    snippet: lead.snippet,
    anchor: isUnplaced(lead) ? 'unplaced' : 'exact',
    origin: originOf(lead, context),
  };
}

function statusAfterRaise(earlier: Finding, lead: Lead): FindingStatus {
  // What touches security stays closed by a person's word only.
  const isBeyond = lead.category === 'security' && earlier.ruling?.person === false;
  const isSameCode = earlier.codeHash !== null && earlier.codeHash === lead.codeHash;
  if (isSettled(earlier)) return isSameCode && !isBeyond ? earlier.status : 'reopened';
  return earlier.status === 'fixed' ? 'reopened' : 'persisting';
}

/** A reviewer's silence closes nothing: only a change that can have fixed the finding does. */
function notRaised(finding: Finding, context: Context): Finding {
  if (finding.source === 'gate' || isClosed(finding)) return finding;
  if (finding.source === 'engine') return isGone(finding, context) ? { ...finding, status: 'fixed' } : persisting(finding, context);
  if (finding.awaits === true) return { ...persisting(finding, context), origin: originOf(finding, context) };
  const { origin } = finding;
  const delta = context.deltas.find(({ from }) => from === origin?.commit);
  const fixed = delta !== undefined && canHaveFixed({ ...finding, ...origin }, delta);
  return fixed ? { ...finding, status: 'fixed' } : persisting(finding, context);
}

/** What the engine itself found is gone when it finds it no more, or the file is no longer part of the change. */
function isGone(finding: Finding, { files }: Context): boolean {
  return finding.tag !== STRAY_EDIT || finding.file === null || !files.includes(finding.file);
}

function persisting(finding: Finding, { outlived, blocked }: Context): Finding {
  const survived = finding.survived + (outlived.has(finding.id) ? 1 : 0);
  return { ...finding, status: 'persisting', survived, firm: finding.firm || blocked.has(finding.id) };
}
