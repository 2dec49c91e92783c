import type { ReportedIssue } from '../finding.ts';
import { boundedText, lineNumberOf } from './coerce.ts';
import type { TextLine } from './lines.ts';
import { readPlace } from './place.ts';

/** What a text says in seed 000's format. */
export type CommentBlocks = {
  readonly issues: readonly ReportedIssue[];
  /** `**APPROVED**` stands alone on exactly one line of the agent's own. */
  readonly approves: boolean;
};

type Label = 'FILE' | 'LINE' | 'SEVERITY' | 'COMMENT';
type Block = Partial<Record<Label, string>>;

const LABEL = /(?:^|\s)(?:[-*+]\s+|\d+[.)]\s+)?\*\*(FILE|LINE|SEVERITY|COMMENT)(?::\*\*|\*\*:)/gi;
const END = /^(?:\*\*APPROVED\*\*|REVIEW_COMPLETE|-{3,}|\*{3,}|#{1,6}\s.*|\*\*Verdict:.*)$/;

/** Reads seed 000's `**FILE:** **LINE:** **SEVERITY:** **COMMENT:**` blocks; fenced ones only where none stand free. */
export function readCommentBlocks(lines: readonly TextLine[]): CommentBlocks {
  const free = blocksOf(lines.filter((line) => !line.code && !/^\s*>/.test(line.text)));
  const blocks = free.length > 0 ? free : blocksOf(lines.filter((line) => line.code));
  return {
    issues: blocks.map(issueOf),
    approves: lines.filter((line) => line.own && line.text.trimEnd() === '**APPROVED**').length === 1,
  };
}

function blocksOf(lines: readonly TextLine[]): readonly Block[] {
  const blocks: Block[] = [];
  let block: Block = {};
  let label: Label | null = null;
  for (const { text } of lines) {
    const found = [...text.matchAll(LABEL)];
    const labels = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?\*\*/.test(text) && text.slice(0, found[0]?.index).trim() === '' ? found : [];
    if (labels.length === 0) {
      if (END.test(text.trim())) label = null;
      else if (label === 'COMMENT') block.COMMENT = `${block.COMMENT ?? ''}\n${text}`;
    }
    for (const [at, match] of labels.entries()) {
      label = labelOf(match[1]);
      if (label in block) {
        blocks.push(block);
        block = {};
      }
      block[label] = text.slice(match.index + match[0].length, labels[at + 1]?.index).trim();
    }
  }
  return [...blocks, block].filter(isBlock);
}

function labelOf(word: string | undefined): Label {
  const upper = word?.toUpperCase();
  return upper === 'FILE' || upper === 'LINE' || upper === 'SEVERITY' ? upper : 'COMMENT';
}

/** The template's own placeholders, echoed, are no finding; a findings document's `File:` lines are none of ours. */
function isBlock(block: Block): boolean {
  if (block.COMMENT === undefined) return block.SEVERITY !== undefined && block.LINE !== undefined;
  return !(/^error\s*\|\s*warning\s*\|\s*suggestion$/.test(block.SEVERITY ?? '') && block.LINE === 'line_number');
}

function issueOf(block: Block): ReportedIssue {
  const place = readPlace(block.FILE ?? '');
  const [, from, to] = /(\d{1,9})(?:\s*[-–]\s*(\d{1,9}))?/.exec(block.LINE ?? '') ?? [];
  const line = lineNumberOf(from) ?? place.line;
  const lineEnd = from === undefined ? place.lineEnd : lineNumberOf(to);
  return {
    file: place.file ?? boundedText(block.FILE ?? ''),
    line,
    lineEnd: lineEnd !== null && line !== null && lineEnd > line ? lineEnd : null,
    severity: boundedText(block.SEVERITY ?? ''),
    category: null,
    type: null,
    description: boundedText(block.COMMENT ?? '') ?? '(the reviewer gave no words)',
    impact: null,
    suggestion: null,
    patch: null,
  };
}
