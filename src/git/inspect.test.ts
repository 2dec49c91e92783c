import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mirrored } from '../../test/support/mirrored.ts';
import { makeMirrored, readFiles, writeFiles } from '../../test/support/mirrored.ts';
import { TEST_IDENTITY } from '../../test/support/repository.ts';
import { resetCheckout } from './checkout.ts';
import type { CommitResult } from './commit.ts';
import { commitAll } from './commit.ts';
import { restorePartial } from './partial.ts';

const SECRET = `${'gh'}p_${'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2'}`;

async function commit(mirrored: Mirrored): Promise<CommitResult> {
  const checkout = await mirrored.open();
  const message = 'feat: a change';
  return await commitAll({
    checkout,
    id: 7,
    parent: mirrored.start,
    message,
    trailers: {},
    identity: TEST_IDENTITY,
    at: new Date(0),
    exclude: [],
  });
}

async function withheld(mirrored: Mirrored): Promise<Extract<CommitResult, { kind: 'withheld' }>> {
  const result = await commit(mirrored);
  return result.kind === 'withheld' ? result : assert.fail(`not withheld but ${result.kind}`);
}

test('a secret in an added line holds the commit back and names the line, not the value', async () => {
  await using mirrored = await makeMirrored({ 'a.ts': 'one\ntwo\nthree\n' });
  const { dir } = await mirrored.open();
  await writeFiles(dir, { 'a.ts': `one\ntwo\nconst key = "${SECRET}";\nthree`, 'new "q".ts': `\n\n${SECRET}\n` });
  const { findings } = await withheld(mirrored);
  assert.deepEqual(
    findings.map(({ source, severity, category, file, line, place }) => ({ source, severity, category, file, line, place })),
    [
      { source: 'engine', severity: 'critical', category: 'security', file: 'a.ts', line: 3, place: 'changed' },
      { source: 'engine', severity: 'critical', category: 'security', file: 'new "q".ts', line: 3, place: 'changed' },
    ],
  );
  assert.ok(!JSON.stringify(findings).includes(SECRET.slice(4)));
});

test('a secret that was there before does not hold a change elsewhere in the file back', async () => {
  await using mirrored = await makeMirrored({ 'a.ts': `${SECRET}\ntwo\n` });
  const { dir } = await mirrored.open();
  await writeFiles(dir, { 'a.ts': `${SECRET}\nchanged\n` });
  assert.equal((await commit(mirrored)).kind, 'committed');
});

test('attributes cannot hide a secret, and content that looks like a patch cannot move it', async () => {
  await using mirrored = await makeMirrored({ 'a.ts': 'x\n' });
  const { dir } = await mirrored.open();
  await writeFiles(dir, { '.gitattributes': '* binary -diff\n', 'a.ts': `++ b/elsewhere\n@@ -1 +1 @@\n${SECRET}\n` });
  const { findings } = await withheld(mirrored);
  assert.deepEqual(
    findings.map(({ file, line }) => [file, line]),
    [['a.ts', 3]],
  );
});

test('a new file over 5 MB holds the commit back, a grown one does not', async () => {
  await using mirrored = await makeMirrored({ 'old.bin': 'small' });
  const { dir } = await mirrored.open();
  const large = Buffer.alloc(5 * 1024 * 1024 + 1, 'x');
  await writeFiles(dir, { 'old.bin': large });
  const grown = await commit(mirrored);
  assert.equal(grown.kind, 'committed');
  const checkout = await mirrored.open();
  await resetCheckout(checkout, mirrored.start);
  await writeFiles(dir, { 'new.bin': large });
  const { findings } = await withheld(mirrored);
  assert.deepEqual(
    findings.map(({ severity, category, file, line }) => [severity, category, file, line]),
    [['high', 'architecture', 'new.bin', null]],
  );
});

test('a tree that was held back is kept and can be put back for the fixer, whose answer is compared with the parent', async () => {
  await using mirrored = await makeMirrored({ 'a.ts': 'x\n', 'b.ts': 'x\n' });
  const checkout = await mirrored.open();
  await writeFiles(checkout.dir, { 'a.ts': `${SECRET}\n`, 'b.ts': 'better\n' });
  const { ref, tree } = await withheld(mirrored);
  assert.equal(ref, 'refs/volley/7/partial-1');
  assert.equal(await mirrored.git('rev-parse', `${ref}^{tree}`), tree);
  await resetCheckout(checkout, mirrored.start);
  await restorePartial(checkout, ref, mirrored.start);
  assert.deepEqual(await readFiles(checkout.dir), { 'a.ts': `${SECRET}\n`, 'b.ts': 'better\n' });
  await writeFiles(checkout.dir, { 'a.ts': 'x\n' });
  const result = await commit(mirrored);
  assert.deepEqual(result.kind === 'committed' ? result.files : null, ['b.ts']);
});
