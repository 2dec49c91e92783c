import { nonceInfo } from '../readers/nonce-block.ts';

/** How the agent hands its result back. */
export type Report = { readonly channel: 'result-file' } | { readonly channel: 'nonce'; readonly nonce: string };

/** What is handed back: the shape of the JSON, what else there is to say about it, and the word that ends a text. */
export type ReportShape = { readonly shape: string; readonly notes: string | null; readonly done: string | null };

/**
 * Tells the agent how to hand back a result of this shape. The block with the nonce is described, never shown: an
 * echo of the prompt must not be readable as a result. For the same reason shapes are no valid JSON.
 */
export function reportSection(report: Report, { shape, notes, done }: ReportShape): string {
  const parts = ['## How to Report Results', channelText(report), `\`\`\`\n${shape}\n\`\`\``, ...(notes === null ? [] : [notes])];
  if (report.channel === 'nonce' && done !== null) parts.push(`When done, output: ${done}`);
  return parts.join('\n\n');
}

function channelText(report: Report): string {
  switch (report.channel) {
    case 'result-file':
      return 'When you are finished, write one JSON object to the file that the environment variable `VOLLEY_RESULT` names, and nothing else into that file. The shape, in which `|` separates alternatives and everything marked optional may be left out:';
    case 'nonce':
      return `When you are finished, print one JSON object in one code block of its own. The block's opening line is three backticks directly followed by \`${nonceInfo(report.nonce)}\`, its closing line is three backticks. Print exactly one such block, and never inside another one. The shape, in which \`|\` separates alternatives and everything marked optional may be left out:`;
  }
}
