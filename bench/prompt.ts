import { reviewerPrompt } from '../src/core/prompts/reviewer.ts';
import { makeTask } from '../test/support/loops.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { samplePatch, samplePath } from './sample-patch.ts';

const FILES = 20;

/** What a reviewer is sent for a change of middling size, beside the diff alone. */
export function measurePrompt(): Row[] {
  const diff = samplePatch(FILES);
  const files = Array.from(
    { length: FILES },
    (_, n) => ({ path: samplePath(n), oldPath: null, status: 'modified', added: 40, removed: 32, binary: false }) as const,
  );
  const prompt = reviewerPrompt({
    loopId: 1,
    task: makeTask(),
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    files,
    diff,
    contents: [],
    standards: null,
    gates: null,
    otherLoops: [],
    depth: 'standard',
    report: { channel: 'result-file' },
  });
  const lines = diff.split('\n').filter((line) => /^[-+] /.test(line));
  const copies = Math.max(occurrences(prompt, diff), ...lines.map((line) => occurrences(prompt, line.slice(1))));
  return [
    judge({
      row: 'copies of the diff sent to a reviewer',
      ours: { value: copies, unit: 'copies' },
      baseline: null,
      budget: { of: 'ours', bound: 'at most', limit: 1 },
      note: `counted over the whole diff and over each of its ${lines.length} changed lines`,
    }),
    judge({
      row: 'characters sent to a reviewer',
      ours: { value: prompt.length, unit: 'chars' },
      baseline: { value: diff.length, unit: 'chars' },
      budget: null,
      note: `${FILES} files, depth standard; against the diff alone`,
    }),
  ];
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
