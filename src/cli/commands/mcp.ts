import { VolleyError } from '../../core/errors.ts';
import { refuseWords } from '../command.ts';
import type { Command } from '../command.ts';
import { stopOnSignals } from '../drive.ts';
import { clean } from '../print.ts';
import { readVersion } from '../../lib/version.ts';

/** `volley mcp`: the tools for agents on standard input and output, which carry nothing else. */
export const command: Command = {
  usage: 'mcp',
  options: {},
  more: 'Started by a client of the Model Context Protocol, such as Claude Code or Codex, in the folder of the project; docs/mcp.md tells how. A client that cannot start it asks volley serve at /mcp, with the token in the agent-token file that it names.',
  run: async (typed, io) => {
    refuseWords(typed, 'mcp');
    const { serveMcp } = await import('../../app-mcp.ts');
    const stop = stopOnSignals(io, () => null);
    // The client has gone.
    process.stdin.once('end', () => stop.end()).once('close', () => stop.end());
    await serveMcp({
      cwd: io.cwd,
      version: readVersion(),
      signal: stop.signal,
      broke: (error) => io.err(clean(error instanceof VolleyError ? `${error.message} ${error.remedy}` : String(error))),
    });
    return 0;
  },
};
