import { parsePatch } from '../src/core/parse-patch.ts';
import { alternate } from './median.ts';
import { samplePatch } from './sample-patch.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';

const FILES = 1_500;
const TIMES = 9;

/** Reading a large patch, beside a plain split of its text into lines. */
export async function measureDiff(): Promise<Row[]> {
  const text = samplePatch(FILES);
  const megabytes = Buffer.byteLength(text) / 1e6;
  const read = (): number => parsePatch(text).length;
  const split = (): number => text.split('\n').length;
  if (read() !== FILES) throw new Error(`the patch was read as ${read()} files`);
  const [ours = 0, plain = 0] = await alternate(TIMES, [() => timed(read), () => timed(split)]);
  return [
    judge({
      row: `diff reading, ${megabytes.toFixed(0)} MB`,
      ours: { value: (megabytes * 1000) / ours, unit: 'MB/s' },
      baseline: { value: (megabytes * 1000) / plain, unit: 'MB/s' },
      budget: { of: 'ours', bound: 'at least', limit: 100 },
      note: `${FILES} files; against text.split('\\n')`,
    }),
  ];
}

function timed(work: () => unknown): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
