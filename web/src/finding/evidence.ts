import type { FindingOutput } from '../../../src/core/output.ts';
import type { ReviewView } from '../../../src/core/view.ts';
import { similarity } from '../../../src/core/similarity.ts';
import { firstSentence } from './first-sentence.ts';

/** What a reviewer ran for a finding, and how it was held while it did. */
export type Shown = ReviewView['evidence'][number] & { readonly agent: string; readonly round: number; readonly sandboxed: boolean };

type About = Pick<FindingOutput, 'id' | 'file' | 'line' | 'lineEnd' | 'description'>;

/** From here on two sentences are taken to say the same. */
const ALIKE = 0.4;

/**
 * What was run for a finding in the newest round in which anything was. Evidence belongs to a whole review; it is shown with the finding
 * that its claim repeats, or whose lines it names, and with no other.
 */
export function evidenceFor(finding: About, reviews: readonly ReviewView[]): readonly Shown[] {
  const shown = reviews
    .filter(({ findingIds }) => findingIds.includes(finding.id))
    .flatMap(({ evidence, agent, round, proof }) =>
      evidence.filter((one) => isAbout(one, finding)).map((one) => ({ ...one, agent, round, sandboxed: proof.confinement === 'os' })),
    );
  const newest = Math.max(...shown.map(({ round }) => round));
  return shown.filter(({ round }) => round === newest);
}

function isAbout({ claim, command }: ReviewView['evidence'][number], finding: About): boolean {
  if (namesPlace(claim, finding) || namesPlace(command, finding) || claim.includes(finding.id)) return true;
  return similarity(claim, firstSentence(finding.description).first) >= ALIKE || similarity(claim, finding.description) >= ALIKE;
}

function namesPlace(text: string, { file, line, lineEnd }: About): boolean {
  if (file === null || line === null) return false;
  for (let at = text.indexOf(`${file}:`); at >= 0; at = text.indexOf(`${file}:`, at + 1)) {
    const named = Number(/^\d+/.exec(text.slice(at + file.length + 1))?.[0] ?? Number.NaN);
    if (named >= line && named <= (lineEnd ?? line)) return true;
  }
  return false;
}
