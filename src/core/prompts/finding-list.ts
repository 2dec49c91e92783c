import { bySeverity, type RaisedFinding } from '../finding.ts';
import { fenced, oneLine, quoted, withoutControls } from './fence.ts';
import { shownPlace } from './sections.ts';

/** A finding as prompts list it: with its id, if it has one. */
export type ListedFinding = Omit<RaisedFinding, 'raisedBy' | 'flags'> & { readonly id?: string };

/** Findings in the order of their severity, worst first, each with its id, place, words and quoted lines. */
export function findingList(findings: readonly ListedFinding[]): string {
  return findings
    .toSorted(bySeverity)
    .map((finding) => findingEntry(finding))
    .join('\n\n');
}

function findingEntry(finding: ListedFinding): string {
  const lines = [
    `### ${finding.id === undefined ? '' : `${finding.id}: `}${finding.severity}, ${finding.category}${finding.tag === null ? '' : ` (${oneLine(finding.tag)})`}`,
    `Place: ${placeOf(finding)}`,
    quoted(withoutControls(finding.description)),
    ...(finding.impact === null ? [] : [`Impact:\n\n${quoted(withoutControls(finding.impact))}`]),
    ...(finding.suggestion === null ? [] : [`Suggestion:\n\n${quoted(withoutControls(finding.suggestion))}`]),
    ...(finding.snippet === null ? [] : [`The lines as they were:\n\n${fenced(finding.snippet, 'text')}`]),
    ...(finding.patch === null ? [] : [`A patch that was proposed:\n\n${fenced(finding.patch, 'diff')}`]),
  ];
  return lines.join('\n\n');
}

/** Where a finding lies, in words for an agent. */
function placeOf(finding: ListedFinding): string {
  const place = shownPlace(finding);
  if (place === null) return 'no particular place';
  const outside =
    finding.place === 'outside'
      ? ' (outside of the change)'
      : finding.place === 'unplaced'
        ? ' (as the reviewer wrote it; no such place was found)'
        : '';
  return `${place}${outside}`;
}
