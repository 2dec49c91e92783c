import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeScenario } from '../support/scenario.ts';
import type { Scenario } from '../support/scenario.ts';

const STRICT = `echo '{"passed": false, "issues": [{"file": "a.txt", "line": 1, "severity": "high", "description": "no"}]}' >"$VOLLEY_RESULT"\n`;
const LAX = `echo '{"passed": true}' >"$VOLLEY_RESULT"\n`;

/** A project that keeps its own agents in the tree, as many do. */
async function withOwnAgents(agents: {
  readonly author?: string;
  readonly reviewer?: string;
  readonly run?: readonly string[];
}): Promise<Scenario> {
  return await makeScenario({
    files: { 'a.txt': 'a\n', 'tools/author.sh': agents.author ?? 'echo b >>a.txt\n', 'tools/review.sh': agents.reviewer ?? STRICT },
    config: {
      agents: {
        author: { driver: 'command', run: ['sh', 'tools/author.sh'] },
        reviewer: { driver: 'command', run: agents.run ?? ['sh', 'tools/review.sh'] },
      },
      roles: { author: 'author', reviewer: 'reviewer', fixer: 'author' },
    },
  });
}

test('a branch that rewrites its reviewer is reviewed by the one of the base', async () => {
  await using scenario = await withOwnAgents({});
  await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
  await scenario.repository.commit('be kind', { 'tools/review.sh': LAX, 'a.txt': 'b\n' });
  const ran = await scenario.volley(['review']);
  assert.equal(ran.code, 3, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /read from the base commit, because the change touches tools\/review\.sh/);
  // Once its files were tidied away they are made again for whoever is asked again.
  const [name = ''] = await readdir(join(scenario.state, 'volley'));
  await rm(join(scenario.state, 'volley', name, 'trees'), { recursive: true });
  assert.equal((await scenario.volley(['review', '1'])).code, 3);
  assert.deepEqual(
    (await scenario.loop()).rounds.map(({ verdict }) => verdict),
    ['changes_requested', 'changes_requested'],
  );
});

test('an author that rewrites the reviewer does not change who reviews, whatever is checked out', async () => {
  await using scenario = await withOwnAgents({
    author: `printf '%s' '${LAX.replaceAll("'", `'"'"'`)}' >tools/review.sh\necho b >>a.txt\n`,
  });
  const ran = await scenario.volley(['run', 'Add b', '--max-rounds', '1']);
  assert.equal(ran.code, 2, ran.stdout + ran.stderr);
  await scenario.repository.git('checkout', '--quiet', 'volley/1-add-b');
  const again = await scenario.volley(['retry', '1']);
  assert.notEqual(again.code, 0, again.stdout + again.stderr);
  assert.equal((await scenario.loop()).approval, null);
});

test('a reviewer that only the change has is refused before anything runs', async () => {
  await using scenario = await withOwnAgents({ run: ['sh', 'tools/missing.sh'] });
  await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
  await scenario.repository.commit('bring my own', { 'tools/missing.sh': LAX, 'a.txt': 'b\n' });
  const ran = await scenario.volley(['review']);
  assert.equal(ran.code, 1);
  assert.match(ran.stderr, /there is no file tools\/missing\.sh beside the configuration/);
});

test('a critical finding stays critical although the same answer calls it low', async () => {
  const finding = (severity: string): string => `{"file": "a.txt", "line": 2, "severity": "${severity}", "description": "an injection"}`;
  const reviewer = `echo '{"passed": true, "issues": [${finding('critical')}, ${finding('low')}]}' >"$VOLLEY_RESULT"\n`;
  await using scenario = await withOwnAgents({ reviewer });
  const ran = await scenario.volley(['run', 'Add b', '--max-rounds', '1']);
  assert.equal(ran.code, 2, ran.stdout + ran.stderr);
  assert.deepEqual(
    (await scenario.loop()).findings.map((one) => one.severity),
    ['critical'],
  );
});

test('a review of the current branch lands on that branch, whatever is current then', async () => {
  await using scenario = await withOwnAgents({ reviewer: LAX });
  const main = (await scenario.repository.git('rev-parse', 'main')).trim();
  await scenario.repository.git('checkout', '--quiet', '-b', 'feature');
  await scenario.repository.commit('a feature', { 'a.txt': 'b\n' });
  assert.equal((await scenario.volley(['review'])).code, 0);
  await scenario.repository.git('checkout', '--quiet', 'main');
  const landed = await scenario.volley(['land', '1']);
  assert.match(landed.stdout, /on feature already/);
  assert.equal((await scenario.repository.git('rev-parse', 'main')).trim(), main);
});

test('a question is answered by the letter that it is listed under', async () => {
  await using scenario = await withOwnAgents({});
  assert.equal((await scenario.volley(['run', 'Add b', '--max-rounds', '1'])).code, 2);
  const decided = await scenario.volley(['decide', '1', 'b', '--reason', 'good enough']);
  assert.equal(decided.code, 0, decided.stdout + decided.stderr);
  assert.match(decided.stdout, /APPROVED by Test Person, not by a review/);
});
