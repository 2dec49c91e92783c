import type { FieldName } from './findings-item.ts';
import { fieldName } from './findings-item.ts';
import { severityWord } from './severity.ts';

/** A part of a document that lists findings; `severity` is what its heading says, null if it says none. */
export type Section = { readonly level: number; readonly severity: string | null };

/** What a heading begins. */
export type HeadingKind =
  | { readonly kind: 'section'; readonly section: Section }
  | { readonly kind: 'item'; readonly title: string; readonly severity: string | null }
  | { readonly kind: 'field'; readonly field: FieldName }
  | { readonly kind: 'other' };

const FILLERS =
  /\b(?:issues?|findings?|problems?|concerns?|bugs?|items?|errors?|warnings?|blockers?|suggestions?|improvements?|nits?|nitpicks?|comments?|notes?|priority|severity|level|must|should|fix|nice|to|have|be|fixed|address|before|merge|code|review|optional|critical|important|minor|major|high|medium|moderate|low|blocking|info|informational|trivial|found|identified|none|and|or|the|p[0-4])\b/g;
const NOT_FINDINGS =
  /\b(?:summary|conclusion|verdict|recommendations?|positives?|strengths?|praise|overview|evidence|intent|scope|metadata|came back|next steps?|statistics|scorecard|holds|resolved|refuted|checklist|tests? run|test results|files (?:reviewed|examined|changed)|what .{0,20}(?:good|well|right)|good|context|appendix|acceptance criteria|previous|approach)\b/i;
const FINDINGS =
  /^(?:the |all |detailed |code |review |open |specific )*(?:review )?(?:findings?|issues?|problems?|review comments|comments)\b/i;
const NUMBERING = /^(?!p[0-4]\b)(?:(?:finding|issue|problem|comment|bug)\s*)?#?(?:[A-Z]{1,3}-?)?\d{1,4}(?:[.):\]]|\s*[–—:-])(?!\d)\s*/i;
const LEADING_TAG = /^[[(*\s]*([A-Za-z][A-Za-z0-9 -]{0,20}?)\s*(?:[\])*]+\s*[:–—-]?|:|\s[–—|-]\s)\s*(?=\S)/;
const TRAILING_TAG = /\s{0,4}[[(]([^[\]()]{1,30})[\])]\s*$/;

/** Tells a section of findings, a finding of its own, a field of the finding at hand, and all else apart. */
export function headingKind(written: string, level: number, section: Section | null): HeadingKind {
  const title = written.replace(/\s{1,4}#{1,6}\s*$/, '').trim();
  const inside = section !== null && level > section.level;
  const field = inside ? fieldName(title.replace(/[*:]/g, '').trim()) : null;
  if (field !== null) return { kind: 'field', field };
  const severity = severityWord(title);
  if (severity !== null && isOnlySeverity(title)) return { kind: 'section', section: { level, severity } };
  const tagged = taggedItem(title);
  if (tagged !== null) return tagged;
  if (inside && !NOT_FINDINGS.test(title)) return { kind: 'item', title: title.replace(NUMBERING, ''), severity: null };
  if (NUMBERING.test(title) && level >= 2 && !NOT_FINDINGS.test(title))
    return { kind: 'item', title: title.replace(NUMBERING, ''), severity: null };
  if (level >= 2 && FINDINGS.test(title) && !/\bsummary\b/i.test(title)) return { kind: 'section', section: { level, severity: null } };
  return { kind: 'other' };
}

/** Nothing but a severity, counts and words like "issues" or "must fix" is left in the title. */
function isOnlySeverity(title: string): boolean {
  return (
    title
      .toLowerCase()
      .replace(/[^a-z0-9 ]+/g, ' ')
      .replace(FILLERS, '')
      .replace(/[\d\s]+/g, '') === ''
  );
}

function taggedItem(title: string): HeadingKind | null {
  const bare = title.replace(NUMBERING, '');
  const sign = /^(?:🚨|🔴|🟠|🟡|🟢|🔵|💡)\s*/u.exec(bare)?.[0] ?? '';
  const body = bare.slice(sign.length);
  const lead = LEADING_TAG.exec(body);
  if (lead !== null && severityWord(lead[1] ?? '') !== null)
    return { kind: 'item', title: body.slice(lead[0].length), severity: lead[1] ?? null };
  const trail = TRAILING_TAG.exec(body);
  if (trail !== null && severityWord(trail[1] ?? '') !== null)
    return { kind: 'item', title: body.slice(0, trail.index), severity: trail[1] ?? null };
  return sign === '' || body === '' ? null : { kind: 'item', title: body, severity: severityWord(sign) };
}
