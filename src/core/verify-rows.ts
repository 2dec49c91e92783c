import { fails, holds, shown } from './verify-facts.ts';
import type { Outcome, RowFact, VerifyFacts } from './verify-facts.ts';

/** The rows of one round, or those that belong to no round that still counts. */
export function rowsHold({ rows, replay }: VerifyFacts, round: number | null): Outcome {
  const isCounted = (one: number | null): boolean => one !== null && one <= replay.loop.rounds.length;
  const own = rows.filter((row) => (round === null ? !isCounted(row.round) : row.round === round));
  const [first, ...others] = own.flatMap(rowProblems);
  if (first === undefined) return holds('the tables say what the journal comes to');
  return fails(others.length === 0 ? first : `${first}; and ${others.length} more`);
}

/** What is compared of the rows beside the journal: what is claimed, not how it is worded. */
const COLUMNS = {
  loops: ['id', 'seq', 'state', 'final_verdict', 'approved_by', 'approver', 'rounds', 'branch'],
  loop_reviews: ['verdict', 'passed', 'round', 'agent', 'channel', 'confinement', 'head', 'intent_satisfied'],
  review_issues: ['finding_id', 'severity', 'category', 'source', 'provenance', 'blocking', 'status', 'file', 'line', 'description'],
} as const;

function rowProblems({ table, stored, folded }: RowFact): readonly string[] {
  if (stored === null) return [`${table} lacks a row that the journal makes`];
  if (folded === null) return [`${table} has a row that the journal does not make`];
  const differing = COLUMNS[table].filter((column) => stored[column] !== folded[column]);
  return differing.map((column) => `${table}.${column} is ${shown(stored[column])}, and the journal comes to ${shown(folded[column])}`);
}
