import { applyPatches } from '../../core/exact-patch.ts';
import type { PatchAnswer } from '../../core/exact-patch.ts';
import type { Finding } from '../../core/finding.ts';
import { counted, someOf } from '../../core/words.ts';
import { openOwnFile } from '../../lib/own-file.ts';

/** Applies the exact patches of findings in a checkout and answers each one, as the result of a fixer. */
export async function fixFindings(
  findings: readonly Finding[],
  dir: string,
): Promise<{ readonly result: object; readonly told: readonly string[] }> {
  const byFile = Map.groupBy(findings, ({ file }) => file ?? '');
  const answers = new Map<string, PatchAnswer>();
  for (const [file, own] of byFile) for (const [id, answer] of await fixFile(file, own, dir)) answers.set(id, answer);
  const fixed = findings.filter(({ id }) => answers.get(id)?.kind === 'applied');
  return {
    told: findings.map((finding) => `${finding.id} ${wordsFor(answers.get(finding.id))}`),
    result: {
      summary:
        fixed.length === 0
          ? 'no exact fix'
          : `${counted(fixed.length, 'exact fix', 'exact fixes')}: ${someOf([...new Set(fixed.map(({ tag, category }) => tag ?? category))])}`,
      resolutions: findings.flatMap((finding) => resolutionOf(finding, answers.get(finding.id))),
    },
  };
}

async function fixFile(file: string, findings: readonly Finding[], dir: string): Promise<ReadonlyMap<string, PatchAnswer>> {
  const opened = await openOwnFile(dir, file);
  if (opened.kind === 'refused') {
    const why = (patch: string | null): string => (patch === null ? 'it has no exact fix' : opened.why);
    return new Map(findings.map(({ id, patch }) => [id, { kind: 'refused', why: why(patch) }]));
  }
  const patched = applyPatches(file, opened.text, findings);
  if (patched.text !== opened.text) await opened.write(patched.text);
  return patched.answers;
}

function resolutionOf(finding: Finding, answer: PatchAnswer | undefined): object[] {
  switch (answer?.kind) {
    case 'applied':
      return [{ findingId: finding.id, status: 'fixed', note: wordsFor(answer), places: [{ file: finding.file, line: answer.line }] }];
    case 'refused':
    case 'outdated':
    case undefined:
      return [
        {
          findingId: finding.id,
          status: 'needs_person',
          note: `The built-in fixer cannot fix it: ${answer?.why ?? 'it was not looked at'}. Fix it by hand, or give it to another agent.`,
        },
      ];
    case 'overlaps':
      // Not answered: the next review raises it again, with a patch for the lines as they are then.
      return [];
  }
}

function wordsFor(answer: PatchAnswer | undefined): string {
  switch (answer?.kind) {
    case 'applied':
      return `Its exact patch was applied at line ${answer.line}.`;
    case 'overlaps':
      return `It waits for the next round: the fix of ${answer.with} just changed the same lines.`;
    case 'refused':
    case 'outdated':
    case undefined:
      return `Not fixed: ${answer?.why ?? 'it was not looked at'}.`;
  }
}
