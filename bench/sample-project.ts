import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeRepository } from '../test/support/repository.ts';
import type { TestRepository } from '../test/support/repository.ts';

/** A small project with two scripted agents that take no time; `env` is what `volley` is started with in it. */
export type SampleProject = AsyncDisposable & {
  readonly repository: TestRepository;
  readonly worker: string;
  readonly reviewer: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Makes one whose worker writes a line and whose reviewer approves in the last round. */
export async function makeSampleProject(rounds: number): Promise<SampleProject> {
  const files = Array.from({ length: 12 }, (_, n) => [`src/part-${n % 3}/code-${n}.txt`, `line of file ${n}\n`.repeat(60)] as const);
  const repository = await makeRepository({ files: Object.fromEntries(files) });
  const beside = (...names: readonly string[]): string => join(repository.beside, ...names);
  const [worker, reviewer] = [beside('worker.sh'), beside('reviewer.sh')];
  await mkdir(beside('config', 'volley'), { recursive: true });
  const agents = { worker: { run: ['sh', worker] }, critic: { run: ['sh', reviewer] } };
  await Promise.all([
    writeFile(worker, WORKER),
    writeFile(reviewer, reviewerScript(rounds)),
    writeFile(beside('config', 'volley', 'config.yaml'), JSON.stringify({ agents, roles: { author: 'worker', reviewer: 'critic' } })),
  ]);
  return {
    repository,
    worker,
    reviewer,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      XDG_STATE_HOME: beside('state'),
      XDG_CONFIG_HOME: beside('config'),
      VOLLEY_CONFINE: 'copy',
    },
    [Symbol.asyncDispose]: async () => await repository[Symbol.asyncDispose](),
  };
}

const WORKER = `
part=$VOLLEY_ROUND
if [ "$VOLLEY_ROLE" = fixer ]; then
  echo "mended $part" > "part-$part.txt"
  part=$((part + 1))
fi
echo "part $part" > "part-$part.txt"
`;

/** Each round has a finding of its own, since one that survives two fixes would stop the loop. */
function reviewerScript(rounds: number): string {
  return `
if [ "$VOLLEY_ROUND" -ge ${rounds} ]; then
  echo '{"passed":true,"summary":"Nothing is wrong."}' > "$VOLLEY_RESULT"
else
  echo '{"passed":false,"summary":"It must change.","issues":[{"severity":"high","category":"logic","file":"part-'"$VOLLEY_ROUND"'.txt","line":1,"description":"Part '"$VOLLEY_ROUND"' is wrong."}]}' > "$VOLLEY_RESULT"
fi
`;
}
