import { oneLine, withoutControls } from '../prompts/fence.ts';

/** Words of agents on one line of Markdown of ours. */
export function inline(text: string): string {
  return harmless(oneLine(text));
}

/** Words of agents in which nothing begins an HTML tag or comment, moves a terminal's cursor, or looks like a verdict line. */
export function harmless(text: string): string {
  return noVerdict(withoutControls(text)).replace(/<(?=[!/?a-zA-Z])/g, '\\<');
}

/** Even a reader that looks for seed 004's verdict anywhere finds only ours. */
export function noVerdict(text: string): string {
  return text.replace(/(\*\*[ \t]{0,4}verdict)(\\*:)/gi, '$1\\$2');
}
