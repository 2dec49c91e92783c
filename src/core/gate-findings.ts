import type { GateResult } from './event.ts';
import type { Finding } from './finding.ts';
import type { Loop } from './loop.ts';
import { HOOKS_GATE } from './settings.ts';

/** The findings after gates ran. Gates live outside of the rounds: red opens their finding, green closes it. */
export function findingsAfterGates(loop: Loop, results: readonly GateResult[]): readonly Finding[] {
  return results.reduce((findings, result) => withResult({ ...loop, findings }, result), loop.findings);
}

/** The findings after a person took red gates for this head into account. */
export function acceptGateFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((one) => (one.source === 'gate' && one.status !== 'fixed' ? { ...one, status: 'accepted' } : one));
}

function withResult(loop: Loop, result: GateResult): readonly Finding[] {
  const known = loop.findings.find((one) => one.source === 'gate' && one.tag === result.name);
  const isRed = !result.passed && !result.redBefore;
  if (known === undefined) return isRed ? [...loop.findings, newFinding(loop, result)] : loop.findings;
  const changed: Finding = isRed
    ? { ...known, status: reopened(known), impact: lastLines(result), lastRound: roundOf(loop) }
    : { ...known, status: 'fixed' };
  return loop.findings.map((one) => (one === known ? changed : one));
}

function reopened(known: Finding): Finding['status'] {
  return known.status === 'fixed' ? 'reopened' : 'persisting';
}

function newFinding(loop: Loop, result: GateResult): Finding {
  const round = roundOf(loop);
  return {
    id: `${loop.id}.${loop.findings.length + 1}`,
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
    status: 'open',
    provenance: round === 1 ? 'original' : 'fix-induced',
    firstRound: round,
    lastRound: round,
    resolution: null,
  };
}

/** Gate fixes belong to the coming round. */
function roundOf(loop: Loop): number {
  return loop.rounds.length + 1;
}

function lastLines(result: GateResult): string | null {
  const text = result.output.trim().split('\n').slice(-5).join('\n');
  return text === '' ? null : text;
}
