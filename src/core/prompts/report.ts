import { nonceInfo } from '../readers/nonce-block.ts';
import { RESULT_TOOLS } from '../readers/tool-inputs.ts';
import type { Role } from '../settings.ts';

/** How the agent hands its result back. */
export type Report =
  | { readonly channel: 'mcp'; readonly loopId: number }
  | { readonly channel: 'structured' }
  | { readonly channel: 'result-file' }
  | { readonly channel: 'nonce'; readonly nonce: string };

/** What is handed back: the shape of the JSON, what else there is to say about it, and the word that ends a text. */
export type ReportShape = {
  readonly role: Role;
  readonly shape: string;
  readonly notes: string | null;
  readonly done: string | null;
};

/**
 * Tells the agent how to hand back a result of this shape. The block with the nonce is described, never shown: an
 * echo of the prompt must not be readable as a result. For the same reason shapes are no valid JSON.
 */
export function reportSection(report: Report, given: ReportShape): string {
  const shape = report.channel === 'mcp' ? given.shape.replace('{', `{\n  "loopId": "${report.loopId}",`) : given.shape;
  const { notes, done } = given;
  const parts = [
    '## How to Report Results',
    channelText(report, RESULT_TOOLS[given.role].name),
    `\`\`\`\n${shape}\n\`\`\``,
    ...(notes === null ? [] : [notes]),
  ];
  if (report.channel === 'nonce' && done !== null) parts.push(`When done, output: ${done}`);
  return parts.join('\n\n');
}

const SHAPE = 'The shape, in which `|` separates alternatives and everything marked optional may be left out:';

function channelText(report: Report, tool: string): string {
  switch (report.channel) {
    case 'mcp':
      return `When you are finished, call the tool \`${tool}\` of the MCP server \`volley\`, once. A call that is refused says what to correct: correct it and call again. Only a call that was accepted counts, and it is final; what you print counts for nothing. ${SHAPE}`;
    case 'structured':
      return `When you are finished, your final answer is one JSON object and nothing else; its schema is enforced, and what may be left out may be null. ${SHAPE}`;
    case 'result-file':
      return `When you are finished, write one JSON object to the file that the environment variable \`VOLLEY_RESULT\` names, and nothing else into that file. ${SHAPE}`;
    case 'nonce':
      return `When you are finished, print one JSON object in one code block of its own. The block's opening line is three backticks directly followed by \`${nonceInfo(report.nonce)}\`, its closing line is three backticks. Print exactly one such block, and never inside another one. ${SHAPE}`;
  }
}
