import { applyPatches } from '../../core/exact-patch.ts';
import type { Finding, Resolution } from '../../core/finding.ts';
import { openOwnFile } from '../../lib/own-file.ts';

/** Applies the exact patches of findings in a checkout, each only inside of its file and only if it applies to the letter. */
export async function applyExactFixes(dir: string, findings: readonly Finding[]): Promise<readonly Resolution[]> {
  const byFile = Map.groupBy(
    findings.filter(({ file, patch }) => file !== null && patch !== null),
    ({ file }) => file ?? '',
  );
  const resolutions: Resolution[] = [];
  for (const [file, own] of byFile) resolutions.push(...(await fixFile(dir, file, own)));
  return resolutions;
}

async function fixFile(dir: string, file: string, findings: readonly Finding[]): Promise<Resolution[]> {
  const opened = await openOwnFile(dir, file);
  if (opened.kind === 'refused') return [];
  const { text, answers } = applyPatches(file, opened.text, findings);
  if (text !== opened.text) await opened.write(text);
  return findings.flatMap(({ id: findingId }) => {
    const answer = answers.get(findingId);
    if (answer?.kind !== 'applied') return [];
    const note = `The exact patch of the finding was applied at line ${answer.line}.`;
    return [{ findingId, status: 'fixed', note, places: [{ file, line: answer.line }] }];
  });
}
