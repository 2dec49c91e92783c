import type { App } from '../app.ts';
import { isClosed } from '../core/finding.ts';
import type { Finding } from '../core/finding.ts';
import { exitCodeOf } from '../core/exit-code.ts';
import type { Loop, Round } from '../core/loop.ts';
import { summaryOf } from '../core/round.ts';
import type { SarifReport } from '../core/writers/sarif.ts';
import type { Io } from './command.ts';
import { oneLine, paint } from './print.ts';

const SUMMARY_WIDTH = 400;

/** A review as one document for programs. */
export type DocumentFormat = 'sarif' | 'markdown';

/** Prints what a review found and nobody has settled, with the code that it is about, and what the reviewer says of it all. */
export async function printReport(app: App, loop: Loop, io: Io): Promise<void> {
  const round = loop.rounds.at(-1);
  if (round === undefined || io.json) return;
  const findings = loop.findings.filter((finding) => !isClosed(finding));
  if (findings.length > 0) {
    io.out('');
    for (const line of await reportLines(app, { loop, round, findings }, io)) io.out(line);
  }
  const summary = summaryOf(round);
  if (summary !== null)
    io.out(`${findings.length === 0 ? '  ' : ''}${paint(io, 'dim', oneLine(summary.replaceAll('\n', ' '), SUMMARY_WIDTH))}`);
  if (findings.length > 0) io.out('');
}

type Reported = { readonly loop: Loop; readonly round: Round; readonly findings: readonly Finding[] };

async function reportLines(app: App, { loop, round, findings }: Reported, io: Io): Promise<string[]> {
  const { reviewReport } = await import('./report/report.ts');
  const texts = await textsOf(app, loop, findings);
  return reviewReport(
    {
      loopId: loop.id,
      findings,
      blockingIds: new Set(round.blockingIds),
      filesChanged: (await app.changedPaths(loop)).length,
      verdict: null,
      isComplete: !app.recorded,
      textOf: (path) => texts.get(path) ?? null,
    },
    io,
  );
}

/** The newest review of a loop as a document; where there is none, the loop says why. */
export async function documentOf(app: App, loop: Loop, format: DocumentFormat): Promise<string> {
  const round = loop.rounds.at(-1);
  if (format === 'markdown') {
    if (round === undefined) return `## No verdict\n\n${loop.escalation?.why ?? loop.ending?.why ?? ''}`;
    const { writeReviewMarkdown } = await import('../core/writers/review-markdown.ts');
    return writeReviewMarkdown({ loop, round, files: (await app.changedPaths(loop)).length }).trimEnd();
  }
  return await sarifOf(app, loop);
}

/** The document of a review that had nothing to look at. */
export async function emptyDocument(app: App, format: DocumentFormat): Promise<string> {
  if (format === 'markdown') return '## Nothing to review';
  const at = app.engine.now();
  return await sarifText({
    root: { repositoryUri: null, revision: null, branch: null },
    findings: [],
    verdict: null,
    startedAt: at,
    endedAt: at,
    exitCode: 0,
    exitCodeDescription: 'There was nothing to review.',
    textOf: () => null,
  });
}

async function textsOf(app: App, loop: Loop, findings: readonly Finding[]): Promise<ReadonlyMap<string, string>> {
  return await app.readFiles(loop, [...new Set(findings.flatMap(({ file }) => file ?? []))]);
}

async function sarifOf(app: App, loop: Loop): Promise<string> {
  const [texts, paths] = await Promise.all([textsOf(app, loop, loop.findings), app.changedPaths(loop)]);
  const round = loop.rounds.at(-1);
  const exitCode = exitCodeOf(loop);
  return await sarifText({
    root: { repositoryUri: null, revision: (loop.head ?? loop.start).commit, branch: null },
    findings: loop.findings,
    verdict: round?.verdict ?? null,
    startedAt: loop.createdAt,
    endedAt: round?.at ?? app.engine.now(),
    exitCode,
    exitCodeDescription: exitCode === 0 ? null : (loop.escalation?.why ?? loop.ending?.why ?? null),
    unplacedAt: paths[0] ?? null,
    textOf: (path) => texts.get(path) ?? null,
  });
}

async function sarifText(report: Omit<SarifReport, 'toolVersion'>): Promise<string> {
  const [{ writeSarif }, { readVersion }] = await Promise.all([import('../core/writers/sarif.ts'), import('../lib/version.ts')]);
  return JSON.stringify(writeSarif({ toolVersion: readVersion(), ...report }), null, 2);
}
