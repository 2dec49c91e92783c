import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePatch } from '../core/parse-patch.ts';
import { FAKE_FILE, fakeStart, fakeWorkspace } from './fake.ts';

const REQUEST = { loopId: 1, uid: 'one', commit: fakeStart().commit, copy: [] };

async function commitSteps(workspace: ReturnType<typeof fakeWorkspace>, ...steps: readonly string[]): Promise<string> {
  const checkout = await workspace.openCheckout(REQUEST);
  let parent = fakeStart().commit;
  for (const step of steps) {
    const made = await checkout.commit({ parent, message: 'm', step, sign: 'off', groups: [] });
    if (made.kind === 'committed') parent = made.head.commit;
  }
  return parent;
}

test('every commit makes the file one line longer', async () => {
  const workspace = fakeWorkspace();
  const head = await commitSteps(workspace, 'author-1', 'fix-1');
  assert.equal(await workspace.readText(head, FAKE_FILE), 'author-1\nfix-1\n');
  assert.equal(await workspace.readText(head, 'other.txt'), null);
  assert.deepEqual(await workspace.changedPaths(fakeStart().commit, head), [FAKE_FILE]);
});

test('the change that it gives can be read as a patch', async () => {
  const workspace = fakeWorkspace();
  const head = await commitSteps(workspace, 'author-1', 'fix-1');
  const change = await workspace.readChange(fakeStart().commit, head);
  const [file] = parsePatch(change.patch);
  assert.deepEqual([file?.path, file?.status, file?.hunks[0]?.lines.map((line) => line.text)], [FAKE_FILE, 'added', ['author-1', 'fix-1']]);
  assert.deepEqual(
    change.files.map(({ path, added, status }) => ({ path, added, status })),
    [{ path: FAKE_FILE, added: 2, status: 'added' }],
  );
});

test('a commit that changes nothing is an empty change', async () => {
  const { commit } = fakeStart();
  const { files, patch } = await fakeWorkspace().readChange(commit, commit);
  assert.deepEqual({ files, patch }, { files: [], patch: '' });
});
