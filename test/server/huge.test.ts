import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { openLive } from '../support/live-listener.ts';
import { eventually, makeScenario, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startServer } from '../support/server-process.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { standsFirm } from '../support/stands-firm.ts';

// T21 of the threats: an agent that says far too much neither fells the server nor makes it large.

let scenario: Scenario;
let server: ServerProcess;

before(async () => {
  scenario = await makeScenario({
    agents: {
      loud: turns({ run: `head -c 200000000 /dev/zero | tr '\\0' x` }),
      many: turns({ run: 'mkdir many; cd many; seq 1 50000 | split -l 1 -a 4 - f', result: {} }),
      reviewer: turns({ result: { passed: true } }),
      raver: turns({ run: 'cat "$0".findings; cp "$0".findings "$VOLLEY_RESULT"' }, { run: 'cp "$0".fewer "$VOLLEY_RESULT"' }),
    },
  });
  const script = join(scenario.root, '..', 'agents', 'raver', 'agent.sh');
  // The second fits into what a result may have.
  await writeFile(`${script}.findings`, JSON.stringify({ passed: false, issues: issues(1_000_000) }));
  await writeFile(`${script}.fewer`, JSON.stringify({ passed: false, issues: issues(200_000) }));
  server = await startServer(scenario, ['--parallel', '1']);
});

function issues(count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => ({ file: 'a.txt', line: 1, severity: 'high', description: `Wrong ${index}` }));
}

after(async () => await scenario[Symbol.asyncDispose]());

describe('a loop', () => {
  const Started = z.object({ loops: z.array(z.object({ id: z.number() })) });
  const Listed = z.object({ files: z.array(z.unknown()), totals: z.object({ files: z.number() }), next: z.string().nullable() });
  const Resting = z.object({ state: z.string() });

  async function start(order: object): Promise<number> {
    const { body } = await server.ask('POST', '/api/tasks', { ...order });
    const [loop] = Started.parse(body).loops;
    assert.ok(loop, JSON.stringify(body));
    return loop.id;
  }

  async function rests(id: number, state: string): Promise<void> {
    await eventually(`${id} rests`, async () => Resting.parse((await server.ask('GET', `/api/loops/${id}`)).body).state === state, 120_000);
  }

  test('whose agent prints a line of 200 MB leaves a transcript that is cut, and can be followed', async () => {
    await standsFirm(server, async () => await rests(await start({ text: 'Say much', author: 'loud', autoReview: true }), 'needs_human'));
    const live = openLive(server);
    live.send({ type: 'subscribe', topics: ['output'], loops: [1], outputAfter: {} });
    await live.until('the cut', (frame) => frame.type === 'output' && frame.text.includes('volley: cut here'));
    live.close();
  });

  test('with 50,000 new files is listed page by page', async () => {
    await standsFirm(
      server,
      async () => await rests(await start({ text: 'Write much', author: 'many', autoReview: false }), 'pending_self_review'),
    );
    const { status, body } = await server.ask('GET', '/api/loops/2/change');
    assert.equal(status, 200);
    const { files, totals, next } = Listed.parse(body);
    assert.deepEqual([files.length < 5000, totals.files, next !== null], [true, 50_000, true]);
  });

  test('whose reviewer raises a million findings keeps some of them, and lists them page by page', async () => {
    await scenario.repository.write('a.txt', 'one\n');
    const order = { kind: 'review', change: { kind: 'working-tree' }, reviewer: ['raver'] };
    await standsFirm(server, async () => await rests(await start(order), 'self_review_failed'));
    for (const path of ['/api/loops/3', '/api/loops/3/findings', '/api/loops/3/reviews', '/api/loops/3/journal']) {
      const { status, body } = await server.ask('GET', path);
      assert.equal(status, 200);
      assert.ok(JSON.stringify(body).length < 2_000_000, `${path}: ${JSON.stringify(body).length}`);
    }
    const { body } = await server.ask('GET', '/api/loops/3/findings');
    // One of them says that there were more.
    assert.equal(z.object({ total: z.number() }).parse(body).total, 1001);
  });
});
