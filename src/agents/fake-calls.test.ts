import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from './agent.ts';
import { callTool } from './fake-calls.ts';
import { fakeAgent, fakeInput } from './fake.ts';

async function lastOf(bridge: readonly string[] | null): Promise<AgentEvent | undefined> {
  const agent = fakeAgent({ name: 'f', script: (input) => callTool(input, { tool: 'report_fix', arguments: {} }) });
  const events: AgentEvent[] = [];
  for await (const event of agent.run(fakeInput({ bridge }), new AbortController().signal)) events.push(event);
  return events.at(-1);
}

test('a call without a result channel, or one that brings no answer, is a crash of the script', async () => {
  const without = await lastOf(null);
  assert.match(without?.type === 'failed' ? without.message : '', /has no result channel/);
  const broken = await lastOf(['/bin/sh', '-c', 'echo \'{"id":1}\'; echo broken >&2; exit 1']);
  assert.match(broken?.type === 'failed' ? broken.message : '', /brought no answer \(exited\): .*broken/s);
});
