// Has a branch reviewed and fixed by Volley, follows the loop live and prints the verdict. Exits with 0 only if it is approved.
//   volley serve                                                 in one terminal, and in another one
//   node review.ts "$(volley serve --running --json)" refunds    without a branch, the current one
import { readFileSync } from 'node:fs';
import { ApiError, createClient, follow, ListeningOutput } from 'volley';

process.on('uncaughtException', (error) => stop(error instanceof ApiError ? `${error.message} ${error.remedy}` : error.message));
const [place = '{}', branch = 'HEAD'] = process.argv.slice(2);
const { url, tokenFile } = ListeningOutput.safeParse(JSON.parse(place)).data ?? stop('Start the server first: volley serve.');
const server = { url, token: readFileSync(tokenFile, 'utf8').trim() };
const { ask } = createClient(server);

const { seq: after, works } = await ask('health');
const { loops, note } = await ask('startTasks', { body: { kind: 'review', fix: true, change: { kind: 'branch', branch } } });
const { id, task } = loops[0] ?? stop(note ?? 'Nothing was started.');
console.log(`Task ${id}: ${task.title}${works ? '' : ` (this server drives nothing: volley work ${id} does)`}`);

for await (const frame of follow({ ...server, topics: ['journal', 'review-loop'], loops: [id], after })) {
  if (frame.type === 'review-loop:state-changed') console.log(`  ${frame.payload.newState}`);
  if (frame.type === 'review-loop:review-completed') console.log(`  ${frame.payload.result.verdict}: ${frame.payload.result.summary}`);
  if (frame.type !== 'event' && frame.type !== 'snapshot') continue;
  const loop = await ask('showLoop', { params: { id } });
  if (!loop.atRest || (frame.type === 'event' && frame.payload.seq < loop.seq)) continue;
  for (const one of loop.findings.filter(({ blocking }) => blocking))
    console.log(`  ✗ ${one.id} ${one.severity} ${one.file}:${one.line} ${one.description}`);
  const verdict = loop.approval === null ? `✗ ${loop.finalVerdict ?? loop.state}` : `✓ APPROVED by ${loop.approval.by}`;
  console.log(`${verdict}, next: ${loop.next ?? `volley show ${id}`}`);
  process.exit(loop.approval === null ? 1 : 0);
}

function stop(why: string): never {
  console.error(why);
  process.exit(1);
}
