import { isRed } from './event.ts';
import type { GateResult } from './event.ts';
import { isClosed } from './finding.ts';
import type { Finding, RaisedFinding } from './finding.ts';
import type { Loop } from './loop.ts';
import { newFinding } from './new-finding.ts';
import { HOOKS_GATE } from './settings.ts';

/** The findings after gates ran. Gates live outside of the rounds: red opens their finding, anything else closes it. */
export function findingsAfterGates(loop: Loop, results: readonly GateResult[]): readonly Finding[] {
  const red = results.filter(isRed);
  const settled = loop.findings.map((one): Finding => {
    const isOpenGate = one.source === 'gate' && !isClosed(one);
    return isOpenGate && !red.some((result) => result.name === one.tag) ? { ...one, status: 'fixed' } : one;
  });
  return red.reduce<readonly Finding[]>((findings, result) => withRed({ ...loop, findings }, result), settled);
}

/** The findings after a person took red gates for this head into account. */
export function acceptGateFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((one) => (one.source === 'gate' && !isClosed(one) ? { ...one, status: 'accepted' } : one));
}

function withRed(loop: Loop, result: GateResult): readonly Finding[] {
  const known = loop.findings.find((one) => one.source === 'gate' && one.tag === result.name);
  if (known === undefined) return [...loop.findings, redFinding(loop, result)];
  const again: Finding = { ...known, status: reopened(known), impact: lastLines(result), lastRound: roundOf(loop) };
  return loop.findings.map((one) => (one === known ? again : one));
}

function reopened(known: Finding): Finding['status'] {
  return known.status === 'fixed' ? 'reopened' : 'persisting';
}

function redFinding(loop: Loop, result: GateResult): Finding {
  const round = roundOf(loop);
  const raised: RaisedFinding = {
    source: 'gate',
    severity: result.name === HOOKS_GATE ? 'critical' : 'high',
    category: 'testing',
    tag: result.name,
    file: null,
    line: null,
    lineEnd: null,
    place: 'unplaced',
    description: `The gate ${result.name} failed${result.timedOut ? ': it ran out of time' : result.exitCode === null ? '' : ` with exit code ${result.exitCode}`}.`,
    impact: lastLines(result),
    suggestion: null,
    patch: null,
    snippet: null,
    flags: [],
    raisedBy: [result.name],
    codeHash: null,
  };
  return newFinding(loop, raised, { round, provenance: round === 1 ? 'original' : 'fix-induced', commit: null });
}

/** Gate fixes belong to the coming round. */
function roundOf(loop: Loop): number {
  return loop.rounds.length + 1;
}

function lastLines(result: GateResult): string | null {
  const text = result.output.trim().split('\n').slice(-5).join('\n');
  return text === '' ? null : text;
}
