import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { z } from 'zod';
import { author, committed, makeLoop, makeRaised, review, step } from '../../test/support/loops.ts';
import { toldUsd } from './ceilings.ts';
import { ErrorOutput, EventOutput, ExportOutput, FindingOutput, ListeningOutput, LoopOutput } from './output.ts';
import { findingOutput, loopOutput } from './project-output.ts';
import { agentReview } from './seed-000.ts';

const PUBLISHED = {
  loop: LoopOutput,
  finding: FindingOutput,
  event: EventOutput,
  listening: ListeningOutput,
  error: ErrorOutput,
  export: ExportOutput,
};

test('a loop at every stage is what its published schema says', () => {
  const loops = [
    makeLoop(),
    step(makeLoop()),
    author(makeLoop(), committed('1')),
    review(author(makeLoop(), committed('1')), { raised: [makeRaised()] }),
  ];
  for (const loop of loops) assert.doesNotThrow(() => LoopOutput.parse(loopOutput(loop)));
});

test('a finding is what its published schema says, and says whether it blocks', () => {
  const loop = review(author(makeLoop(), committed('1')), {
    raised: [makeRaised(), makeRaised({ severity: 'low', description: 'a nit' })],
  });
  const outputs = loop.findings.map((finding) => FindingOutput.parse(findingOutput(loop, finding)));
  assert.deepEqual(
    outputs.map((output) => output.blocking),
    [true, false],
  );
});

test('money is told to the millionth of a dollar', () => {
  const loop = author(makeLoop(), committed('1'));
  const spend = { ...loop.spend, usd: 0.05 + 0.1, subscriptionUsd: 0.1 + 0.2 };
  assert.partialDeepStrictEqual(loopOutput({ ...loop, spend }).spend, { usd: 0.15, subscriptionUsd: 0.3 });
  assert.equal(agentReview({ ...loop, spend }).totalCost, 0.15);
  assert.equal(toldUsd(1.7e308), 1.7e308);
  assert.equal(toldUsd(0.000_000_4), 0);
});

for (const [name, schema] of Object.entries(PUBLISHED)) {
  test(`the published schema of ${name} is current`, async () => {
    const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
    const current = `${JSON.stringify(z.toJSONSchema(schema), null, 2)}\n`;
    if (process.env['VOLLEY_UPDATE'] === '1') await writeFile(file, current);
    assert.equal(await readFile(file, 'utf8'), current);
  });
}
