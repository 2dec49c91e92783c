import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ExportOutput } from '../../src/core/output.ts';
import { answers, APPROVED, eventually, issue, makeScenario, rejected, turns } from '../support/scenario.ts';
import { assertMistake } from '../support/whole-loop.ts';

test('a history is exported line by line, and goes on in another clone as far as that has its commits', async () => {
  await using scenario = await makeScenario({
    agents: {
      author: turns({ write: { 'a.txt': 'a\n' } }),
      hanging: turns({ run: 'sleep 600' }, { write: { 'a.txt': 'a\n' } }),
      reviewer: answers(rejected(issue('It is wrong.', { file: 'a.txt', line: 1 })), APPROVED),
      fixer: turns({ write: { 'a.txt': 'b\n' } }),
    },
    config: { policy: { maxRounds: 2 } },
  });
  const { repository } = scenario;
  // 1 is approved in two rounds, 2 was killed while its author worked.
  assert.equal((await scenario.volley(['run', 'One'])).code, 0);
  const running = scenario.start(['run', 'Two', '--author', 'hanging']);
  await eventually('an author at work', async () => (await scenario.calls('hanging'))[0]);
  running.process.kill('SIGKILL');
  await running.ended;

  const file = join(repository.beside, 'history.jsonl');
  const [saved, printed] = [await scenario.volley(['export', '--transcripts', '--output', file]), await scenario.volley(['export', '1'])];
  assert.match(saved.stdout, /^2 tasks with \d+ events: .*history\.jsonl \([\d.]+ KB\)\n$/);
  await assertMistake(scenario, ['export', '--output', file], {
    code: 'refused',
    message: `There is a file ${file} already.`,
    remedy: 'Choose another name, or replace it with --force.',
  });
  const text = await readFile(file, 'utf8');
  const lines = text.trimEnd().split('\n');
  assert.deepEqual(ExportOutput.parse(JSON.parse(lines[0] ?? '')).loops, 2);
  assert.doesNotMatch(lines[0] ?? '', /\//, 'the first line tells no path');
  const types = printed.objects().map(({ type }) => String(type));
  assert.deepEqual(types.slice(0, 3), ['export', 'loop', 'event']);
  assert.equal(types.at(-1), 'exported');
  assert.deepEqual(
    printed.objects().slice(1, -1),
    lines
      .map((line) => Object(JSON.parse(line)))
      .filter((line) => (line.loop === 1 && line.type === 'event') || (line.type === 'loop' && line.id === 1)),
  );

  // The one clone has all branches, the other one only what it was cloned for.
  const [whole, narrow] = [join(repository.beside, 'whole'), join(repository.beside, 'narrow')];
  await repository.git('clone', '--quiet', repository.root, whole);
  await repository.git('clone', '--quiet', '--no-local', '--single-branch', '--branch', 'main', repository.root, narrow);
  await writeFile(join(repository.beside, 'cut'), lines.slice(0, -1).join('\n'));
  await assertMistake(scenario, ['import', '../cut'], {
    cwd: whole,
    code: 'refused',
    message: `Line ${lines.length} of ../cut cannot be imported: the end of the export is missing.`,
    remedy: 'Nothing was written. Volley 0.1.0 wrote this one. Export it again, whole.',
  });
  assert.ok(!existsSync(join(whole, '.volley')), 'nothing is written');

  const [complete, stranded] = [
    await scenario.volley(['import', '-'], { cwd: whole, input: text }),
    await scenario.volley(['import', file], { cwd: narrow }),
  ];
  assert.match(complete.stdout, /^Imported 2 tasks and \d transcripts\.\n {2}volley work goes on with 2, with the agents/);
  assert.match(stranded.stdout, /not all in this repository, so they can be looked at and no more: 1\.\n/);
  assert.equal((await scenario.volley(['verify', '1'], { cwd: whole })).code, 0);
  assert.equal(
    (await readdir(join(whole, '.volley/transcripts'))).length,
    lines.filter((line) => line.startsWith('{"type":"transcript"')).length,
  );
  const again = (await scenario.volley(['export', '--transcripts'], { cwd: whole })).objects();
  const isSaid = ({ type, event }: Readonly<Record<string, unknown>>): boolean =>
    type === 'transcript' || (type === 'event' && Object(event).type !== 'imported');
  const sent = lines.map((line) => Object(JSON.parse(line)));
  assert.deepEqual(again.filter(isSaid), sent.filter(isSaid), 'what was imported is exported as it was');
  assert.equal(again.filter(({ type }) => type === 'event').length, sent.filter(({ type }) => type === 'event').length + 2);

  assert.equal((await scenario.volley(['work', '2'], { cwd: whole })).code, 0);
  const repeated = await scenario.volley(['import', file], { cwd: whole });
  assert.equal(repeated.stdout, 'Nothing was imported.\n  Here already, and left as they are: 1, 2.\n');
  const other = text.replaceAll(/(?<="uid":")\w{4}/g, '0000');
  await writeFile(join(repository.beside, 'other'), other);
  await assertMistake(scenario, ['import', '../other'], {
    cwd: whole,
    code: 'conflict',
    message: 'This project has another task 1 already.',
    remedy: 'Nothing was written. Export the tasks whose numbers are free here: volley export ID….',
  });

  // What a file claims is not believed: an approval lands only if the journal and git bear it out.
  const forged = join(repository.beside, 'forged');
  await repository.git('clone', '--quiet', repository.root, forged);
  const lie = text.replaceAll(/(?<="diffSha256":")\w{8}/g, '00000000');
  await scenario.volley(['import', '-'], { cwd: forged, input: lie });
  assert.match((await scenario.volley(['show', '1'], { cwd: forged })).stdout, /imported by Test Person on .*was written elsewhere\n/);
  await assertMistake(scenario, ['land', '1'], {
    cwd: forged,
    code: 'refused',
    message: /^Task 1 was imported, and the approval does not hold: round 1, diff: /,
    remedy: /^See volley verify 1; merge volley\/1-one by hand/,
  });
  assert.equal((await scenario.volley(['land', '1'], { cwd: whole })).code, 0);
});
