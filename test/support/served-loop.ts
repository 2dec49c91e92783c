import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fakeEnded } from '../../src/agents/fake.ts';
import { LoopOutput } from '../../src/core/output.ts';
import { Started } from '../../src/api/contract/tasks.ts';
import type { Answer, Play, ServedProject } from './served.ts';

/** An agent that writes these files, then those of its next session, and so on; the last ones again and again. */
export function writing(...sessions: readonly Readonly<Record<string, string>>[]): Play {
  let session = 0;
  return async function* play({ cwd }) {
    const files = sessions[Math.min(session, sessions.length - 1)] ?? {};
    session += 1;
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), text);
    }
    yield fakeEnded('{}');
  };
}

/** A reviewer that gives these results, one after the other; the last one again and again. */
export function reviewing(...results: readonly object[]): Play {
  let review = 0;
  return () => {
    const result = results[Math.min(review, results.length - 1)];
    review += 1;
    return [fakeEnded(JSON.stringify(result))];
  };
}

/** A loop of an answer, which has to be a success. */
export function loopOf({ status, body }: Answer): LoopOutput {
  assert.ok(status < 300, JSON.stringify(body));
  return LoopOutput.parse(body);
}

/** Starts one task over the API and drives it to rest. */
export async function runTask(project: ServedProject, order: Readonly<Record<string, unknown>> = {}): Promise<LoopOutput> {
  const { status, body } = await project.ask('POST', '/api/tasks', { body: { text: 'Write it', autoReview: true, ...order } });
  assert.equal(status, 201, JSON.stringify(body));
  const [loop] = Started.parse(body).loops;
  assert.ok(loop);
  return await driveTask(project, loop.id);
}

/** Drives a loop to rest, as whoever works would, and gives it as it is then. */
export async function driveTask(project: ServedProject, id: number): Promise<LoopOutput> {
  await project.app.drive([id], new AbortController().signal);
  const { loopOutput } = await import('../../src/core/project-output.ts');
  return loopOutput(await project.app.load(id));
}
