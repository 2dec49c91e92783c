import { readFile } from 'node:fs/promises';
import { refuseWords } from '../command.ts';
import type { Command } from '../command.ts';

/** `volley skill`: how a coding agent uses Volley; the words are those of the plugin for Claude Code. */
export const command: Command = {
  usage: 'skill',
  options: {},
  run: async (typed, io) => {
    refuseWords(typed, 'skill');
    const file = new URL('../../../integrations/claude-code/skills/using-volley/SKILL.md', import.meta.url);
    // What stands between the first two lines of dashes is for the client that loads it.
    const text = (await readFile(file, 'utf8')).replace(/^---\n.*?\n---\n/s, '').trim();
    for (const line of text.split('\n')) io.out(line);
    io.object({ type: 'skill', v: 1, text });
    return 0;
  },
};
