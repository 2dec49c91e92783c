import { EscalationReason } from '../core/action.ts';
import type { FindingCount, LoopCount, SessionCount } from '../core/counts.ts';
import { Category, FindingSource, FindingStatus, Severity } from '../core/finding.ts';
import { LoopState } from '../core/loop-state.ts';
import { Role } from '../core/settings.ts';
import type { LoopRecord } from './loop-row.ts';
import type { IssueRecord } from './review-rows.ts';
import type { SessionRecord } from './session-rows.ts';

type Group = { readonly count: number };

/** What a group of rows of the table `loops` says. */
export function loopCount({
  state,
  approved_by: approvedBy,
  rounds,
  landed,
  count,
}: Group & Pick<LoopRecord, 'state' | 'approved_by' | 'rounds' | 'landed'>): LoopCount {
  return { state: LoopState.parse(state), approvedBy, rounds, landed: landed === 1, count };
}

/** What a group of rows of the table `review_issues` says. */
export function findingCount(record: Group & Pick<IssueRecord, 'category' | 'severity' | 'source' | 'status' | 'raised_by'>): FindingCount {
  return {
    category: Category.parse(record.category),
    severity: Severity.parse(record.severity),
    source: FindingSource.parse(record.source),
    status: FindingStatus.parse(record.status),
    raisedBy: (record.raised_by ?? '').split(', '),
    count: record.count,
  };
}

/** What a group of rows of the table `sessions` says; its amounts are sums. */
export function sessionCount(
  record: Group & { readonly timed: number } & Omit<SessionRecord, 'loop_id' | 'seq' | 'seat' | 'at'>,
): SessionCount {
  return {
    day: record.day,
    agent: record.agent,
    role: Role.parse(record.role),
    model: record.model,
    estimated: record.estimated === 1,
    outcome: record.outcome,
    count: record.count,
    timed: record.timed,
    usd: record.usd,
    subscriptionUsd: record.subscription_usd,
    inputTokens: record.input_tokens,
    outputTokens: record.output_tokens,
    durationMs: record.duration_ms,
  };
}

/** Why an entry of this type hands its loop to a person; null where it does not. */
export function escalationIn(type: string, reason: string | null): EscalationReason | null {
  if (type === 'checkout-lost') return 'checkout-missing';
  if (type === 'dependency-lost') return 'dependency';
  return type === 'escalated' ? EscalationReason.parse(reason) : null;
}
