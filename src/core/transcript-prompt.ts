const BEGIN = '# prompt\n';
const END = '\n# answer\n';

/** The head of a transcript: what the agent was told, before what it answers. */
export function transcriptHead(prompt: string): string {
  return `${BEGIN}${prompt}${END}`;
}

const TRIED = 20;

/** The stretches of a transcript that may be the prompt, and whether these are all. */
export type PromptStretches = { readonly prompts: readonly string[]; readonly all: boolean };

/** A prompt may itself hold the lines that enclose it, and a transcript what a former project wrote, so there may be several. */
export function promptsIn(transcript: string): PromptStretches {
  const begins = positions(transcript, BEGIN).filter((at) => at === 0 || transcript[at - 1] === '\n');
  const ends = positions(transcript, END);
  const prompts = begins.slice(0, TRIED).flatMap((begin) =>
    ends
      .filter((end) => end > begin)
      .slice(0, TRIED)
      .map((end) => transcript.slice(begin + BEGIN.length, end)),
  );
  return { prompts, all: begins.length <= TRIED && ends.length <= TRIED };
}

function positions(text: string, wanted: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}
