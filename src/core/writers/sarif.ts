import { isClosed } from '../finding.ts';
import type { FindingStatus } from '../finding.ts';
import type { Verdict } from '../review.ts';
import { redact } from '../secrets.ts';
import { openHead } from './sarif-head.ts';
import { resultOf, SOURCE_ROOT } from './sarif-result.ts';
import type { ResultFrame, SarifFinding } from './sarif-result.ts';
import { rulesOf } from './sarif-rules.ts';

/** What a SARIF log tells of a review. */
export type SarifReport = {
  readonly toolVersion: string;
  /** What was reviewed, where that is known. */
  readonly root: { readonly repositoryUri: string | null; readonly revision: string | null; readonly branch: string | null };
  readonly findings: readonly SarifFinding[];
  /** Null: no review came to a verdict. */
  readonly verdict: Verdict | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly exitCode: number;
  readonly exitCodeDescription: string | null;
  /** A changed file that stands for findings without a place, because GitHub refuses a whole log for one result without a location. */
  readonly unplacedAt?: string | null;
  /** The text of a file at the head; null where there is none. */
  textOf(path: string): string | null;
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * A review as a SARIF 2.1.0 log: a result for each finding that still stands. What was fixed, refuted or accepted is only counted,
 * because code scanning shows suppressed results as open ones.
 */
export function writeSarif(report: SarifReport): object {
  const standing = report.findings.filter((finding) => !isClosed(finding));
  const rules = rulesOf(standing);
  const frame: ResultFrame = {
    head: openHead((path) => report.textOf(path), report.findings),
    ruleIndexes: new Map(rules.map(({ id }, index) => [id, index])),
    unplacedAt: report.unplacedAt ?? null,
    distinct: numbered(),
  };
  const run = {
    tool: {
      driver: { name: 'Volley', fullName: `Volley ${report.toolVersion}`, semanticVersion: report.toolVersion, rules },
    },
    automationDetails: { id: 'volley/review/' },
    invocations: [invocationOf(report)],
    ...provenanceOf(report.root),
    originalUriBaseIds: { [SOURCE_ROOT]: { description: { text: 'The root of the repository.' } } },
    columnKind: 'utf16CodeUnits',
    results: standing.map((finding) => resultOf(finding, frame)),
    properties: { verdict: report.verdict, findings: countsOf(report.findings) },
  };
  return { $schema: SCHEMA, version: '2.1.0', runs: [run] };
}

/** Whoever reads no verdict must not take an empty list of results for an approval. */
function invocationOf({ verdict, startedAt, endedAt, exitCode, exitCodeDescription }: SarifReport): object {
  const executionSuccessful = exitCode === 0 || (verdict !== null && (exitCode === 2 || exitCode === 3));
  const words = exitCodeDescription === null ? null : redact(exitCodeDescription);
  const text = words ?? 'The review came to no verdict.';
  return {
    executionSuccessful,
    startTimeUtc: startedAt,
    endTimeUtc: endedAt,
    exitCode,
    ...(words === null ? {} : { exitCodeDescription: words }),
    ...(executionSuccessful ? {} : { toolExecutionNotifications: [{ level: 'error', message: { text }, timeUtc: endedAt }] }),
  };
}

function provenanceOf({ repositoryUri, revision, branch }: SarifReport['root']): object {
  const uri = repositoryUri === null ? null : publicUri(repositoryUri.trim());
  if (uri === null) return {};
  const mappedTo = { uriBaseId: SOURCE_ROOT };
  const version = { ...(revision === null ? {} : { revisionId: revision }), ...(branch === null ? {} : { branch }) };
  return { versionControlProvenance: [{ repositoryUri: uri, ...version, mappedTo }] };
}

/** A remote's address without the name and password that may stand in it; null for a folder, which means nothing elsewhere. */
function publicUri(remote: string): string | null {
  const [, scheme, host, path = ''] = /^(https?|ssh|git):\/\/(?:[^/\s]*@)?([^/\s@?#]+)(\/[^\s?#]*)?/i.exec(remote) ?? [];
  if (scheme !== undefined && host !== undefined) return encodeURI(`${scheme.toLowerCase()}://${host}${path}`).replaceAll('%25', '%');
  const [, server, folder] = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]{2,}):(?!\/\/)\/?([^\s?#]+)$/.exec(remote) ?? [];
  return server === undefined || folder === undefined ? null : encodeURI(`ssh://${server}/${folder}`);
}

function countsOf(findings: readonly SarifFinding[]): Partial<Record<FindingStatus, number>> {
  const counts: Partial<Record<FindingStatus, number>> = {};
  for (const { status } of findings) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The second thing of the same name gets `:2`, as code scanning does it. */
function numbered(): (name: string) => string {
  const seen = new Map<string, number>();
  return (name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name}:${count}`;
  };
}
