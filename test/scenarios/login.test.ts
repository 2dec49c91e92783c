import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

/** A scenario with programs in PATH that stand for the agents people have installed: each tells its version and notes its other starts. */
async function makeInstalled(...names: readonly string[]): Promise<{ scenario: Scenario; env: Record<string, string> }> {
  const scenario = await makeScenario();
  const bin = join(scenario.root, '..', 'bin');
  await mkdir(bin);
  for (const name of names) {
    const path = join(bin, name);
    const seen = join(scenario.root, '..', `${name}.seen`);
    await writeFile(path, `#!/bin/sh\n[ "$1" = --version ] && { echo '${name} 9.8.7'; exit 0; }\n{ echo "$@"; pwd; env; } > '${seen}'\n`);
    await chmod(path, 0o755);
  }
  return { scenario, env: { PATH: [bin, process.env['PATH'] ?? ''].join(delimiter), ANTHROPIC_API_KEY: 'canary-of-the-key' } };
}

test('an agent that is not logged in is chosen by nobody; doctor and an explicit choice say what to do', async () => {
  const { scenario, env } = await makeInstalled('claude', 'codex');
  await using _ = scenario;
  const doctor = await scenario.volley(['doctor'], { env });
  assert.match(
    doctor.stdout,
    /! agent +claude \(Claude Code 9\.8\.7\) is installed and plays no role: not logged in: run volley login claude, or name ANTHROPIC_API_KEY/,
  );
  assert.match(doctor.stdout, /! agent +codex \(Codex 9\.8\.7\) is installed and plays no role/);
  assert.match(doctor.stdout, /✓ agent +builtin as reviewer/);
  const refused = await scenario.volley(['run', 'Add mul', '--author', 'claude', '--reviewer', 'codex', '--json'], { env });
  assert.equal(refused.code, 1);
  assert.match(String(refused.objects().at(-1)?.['message']), /^The agent claude is not logged in/);
  const none = await scenario.volley(['run', 'Add mul', '--json'], { env });
  assert.deepEqual([none.code, none.objects().at(-1)?.['code']], [1, 'bad-config']);
});

test('a login runs the program itself, in a home of Volley’s, away from the repository, without the keys of the user', async () => {
  const { scenario, env } = await makeInstalled('claude', 'codex');
  await using _ = scenario;
  for (const [agent, variable] of [
    ['claude', 'CLAUDE_CONFIG_DIR'],
    ['codex', 'CODEX_HOME'],
  ] as const) {
    const login = await scenario.volley(['login', agent, '--', '--device-auth'], { env });
    // It ended well, and nobody is logged in.
    assert.equal(login.code, 1, login.stderr);
    assert.match(login.stdout, new RegExp(`${agent}: not logged in`));
    const [args = '', cwd = '', ...variables] = (await readFile(join(scenario.root, '..', `${agent}.seen`), 'utf8')).split('\n');
    assert.match(args, /login --device-auth$/);
    assert.ok(cwd.startsWith(scenario.state));
    assert.ok(variables.includes(`${variable}=${join(scenario.state, 'volley', 'agents', agent)}`));
    assert.ok(!variables.some((line) => line.includes('canary')));
  }
});

test('who is logged in, and how, is told without a name', async () => {
  const { scenario, env } = await makeInstalled('claude');
  await using _ = scenario;
  const home = join(scenario.state, 'volley', 'agents', 'claude');
  await mkdir(home, { recursive: true });
  const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: Date.now() + 3_600_000, subscriptionType: 'max' };
  await writeFile(join(home, '.credentials.json'), JSON.stringify({ claudeAiOauth: tokens }));
  const told = await scenario.volley(['login'], { env });
  assert.match(told.stdout, /claude +Claude Max, logged in with volley login claude/);
  assert.match(told.stdout, /codex +not installed/);
  const doctor = await scenario.volley(['doctor'], { env });
  assert.match(doctor.stdout, /roles +claude writes, claude reviews; no other agent is logged in/);
  assert.match(
    doctor.stdout,
    /claude as author and reviewer and fixer \(9\.8\.7; Claude Max, logged in with volley login claude, billed by subscription\)/,
  );
  const wrong = await scenario.volley(['login', 'builtin'], { env });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /There is no login for 'builtin'\.\n.*volley login claude, volley login codex/);
});
