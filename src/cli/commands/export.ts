import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { exportHistory } from '../../app-export.ts';
import { VolleyError } from '../../core/errors.ts';
import { ExportedLine } from '../../core/export-line.ts';
import { counted } from '../../core/words.ts';
import { safeJson } from '../../core/safe-json.ts';
import { writeLines } from '../../lib/write-lines.ts';
import { bytesText } from '../bytes.ts';
import { hasFlag, textOption } from '../command.ts';
import type { Command, Io } from '../command.ts';
import { parseId } from '../loop-id.ts';
import { clean } from '../print.ts';
import { readVersion } from '../../lib/version.ts';

/** `volley export`: the history of the project as JSON lines. */
export const command: Command = {
  usage: 'export [ID…] [--output FILE] [--force] [--transcripts]',
  options: {
    output: { type: 'string', value: 'FILE', help: 'write to a file instead of standard output' },
    force: { type: 'boolean', help: 'replace the file if it exists' },
    transcripts: { type: 'boolean', help: 'also what agents were asked and said' },
  },
  run: async (typed, io) => {
    const ids = typed.positionals.map(parseId);
    const output = textOption(typed, 'output');
    const history = exportHistory({ cwd: io.cwd, ids, transcripts: hasFlag(typed, 'transcripts'), version: readVersion() });
    if (output === undefined) await print(history);
    else await save(history, { output, replace: hasFlag(typed, 'force'), io });
    return 0;
  },
};

/** Waits for whoever reads, so that no more than a line is held; one who stops reading has had enough. */
async function print(history: AsyncIterable<object>): Promise<void> {
  for await (const line of history) {
    const problem = await new Promise<Error | null | undefined>((done) => process.stdout.write(`${safeJson(line)}\n`, done));
    if (problem !== null && problem !== undefined) return;
  }
}

type Saving = { readonly output: string; readonly replace: boolean; readonly io: Io };

async function save(history: AsyncIterable<object>, { output, replace, io }: Saving): Promise<void> {
  const file = resolve(io.cwd, output);
  if (!existsSync(dirname(file)))
    throw new VolleyError('not-accessible', `There is no folder ${dirname(output)}.`, 'Make it first, or name another file.');
  if (!replace && existsSync(file)) throw taken(output);
  let last: object = {};
  async function* texts(): AsyncGenerator<string, void, undefined> {
    for await (const line of history) {
      last = line;
      yield safeJson(line);
    }
  }
  if (!(await writeLines(file, texts(), { replace }))) throw taken(output);
  const { size } = await stat(file);
  const { loops, events } = ExportedLine.parse(last);
  io.object({ ...last, file, bytes: size });
  io.out(`${counted(loops, 'task')} with ${counted(events, 'event')}: ${clean(output)} (${bytesText(size)})`);
}

function taken(output: string): VolleyError {
  return new VolleyError('refused', `There is a file ${output} already.`, 'Choose another name, or replace it with --force.');
}
