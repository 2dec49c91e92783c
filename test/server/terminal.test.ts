import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLive } from '../support/live-listener.ts';
import { answers, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';
import { startShownServer } from '../support/server-process.ts';

// T17 of the threats: what others say is printed as text, and no terminal obeys it.

const EVIL =
  '\u001b]52;c;ZXZpbA==\u0007\u001b]8;;javascript:alert(1)\u001b\\x\u001b]8;;\u001b\\\u001b[6n\u001b[c\u009b5n\u001b]0;owned\u0007\u202etxt.exe\u2066\u0000\u0008';

/** What a terminal would obey, our own colours and movements not counted. */
// oxlint-disable-next-line no-control-regex -- That is what is looked for.
const OBEYED = /\u001b[\]P_^X]|\u001b\[[0-9;]*[cnt]|[\u0080-\u009f\u202a-\u202e\u2066-\u2069\u0000\u0007\u0008]/;
// oxlint-disable-next-line no-control-regex -- The same where there are no colours and movements either.
const RAW = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/;

/** Sequences in everything that an agent can give a name to, and one that comes byte by byte. */
async function makeHostile(): Promise<Scenario> {
  const bytes = [...Buffer.from(EVIL)].map((byte) => `printf '\\${byte.toString(8).padStart(3, '0')}'`).join('; ');
  const shell = `touch "$(printf 'a\\033]52;c;x\\007b\\342\\200\\256.txt')"; ${bytes}; echo; { ${bytes}; echo; } >&2`;
  return await makeScenario({
    agents: {
      author: turns({ write: { 'code.txt': 'wrong\n' }, run: shell, result: { summary: `Done ${EVIL}` } }),
      reviewer: answers({ ...rejected(issue(`Bad ${EVIL}`, { file: 'code.txt', line: 1, suggestion: EVIL })), summary: EVIL }),
      crasher: turns({ run: `{ ${bytes}; echo; } >&2; exit 9` }),
    },
  });
}

test('the server prints no sequence that somebody else wrote, and its answers carry them escaped', async () => {
  await using scenario = await makeHostile();
  await scenario.repository.git('branch', 'a\u202e\u2066b');
  const server = await startShownServer(scenario);
  const order = { autoReview: true, maxRounds: 1 };
  for (const body of [
    { text: `Write ${EVIL}\n${EVIL}`, ...order, group: EVIL, ref: EVIL },
    { text: 'Crash', author: 'crasher', ...order },
    { kind: 'review', change: { kind: 'branch', branch: 'a\u202e\u2066b', base: null } },
    { kind: 'review', change: { kind: 'branch', branch: EVIL, base: null } },
    { text: 'x', author: EVIL },
  ])
    await server.ask('POST', '/api/tasks', body);
  const isResting = async (id: number): Promise<boolean> =>
    /"state":"needs_human"/.test(JSON.stringify((await server.ask('GET', `/api/loops/${id}`)).body));
  await eventually('both rest', async () => (await isResting(1)) && (await isResting(2)), 60_000);
  const live = openLive(server);
  live.send({ type: 'subscribe', topics: ['journal', 'review-loop', 'output'], loops: [1, 2], after: 0, outputAfter: {} });
  await live.until('what an agent said', (frame) => frame.type === 'output' && frame.text.includes('owned'));
  await live.until('what the review said', (frame) => frame.type === 'review-loop:review-completed');
  for (const text of live.texts) assert.doesNotMatch(text, RAW);
  live.close();
  for (const path of [
    '/api/loops',
    '/api/loops/1',
    '/api/loops/1/findings',
    '/api/loops/1/change',
    '/api/loops/2/journal',
    '/api/loops/1/journal',
    '/api/nothing',
  ]) {
    const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${server.token}` } });
    const text = await response.text();
    assert.doesNotMatch(text, RAW, path);
    if (path === '/api/loops/1') assert.ok(text.includes('\\u001b]52') && text.includes('\\u202e'));
  }
  const wrong = await fetch(`${server.url}/api/settings/${encodeURIComponent(`policy.${EVIL}`)}`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  assert.doesNotMatch(await wrong.text(), RAW);
  server.process.kill('SIGTERM');
  const { stdout, stderr } = await server.ended;
  assert.match(stdout, /Bad/);
  assert.doesNotMatch(stdout, RAW);
  assert.doesNotMatch(stderr, RAW);
});

test('nor does it on a terminal, while an agent speaks', async () => {
  await using scenario = await makeHostile();
  await scenario.volley(['add', `Write ${EVIL.replace('\u0000', '')}`, '-a', '--max-rounds', '1']);
  const { code, screen } = await scenario.onTerminal(['serve', '--port', '0'], [{ at: 'CHANGES_REQUESTED', press: '\u0003' }]);
  assert.equal(code, 0, screen);
  assert.match(screen, /Bad/);
  assert.doesNotMatch(screen, OBEYED);
});
