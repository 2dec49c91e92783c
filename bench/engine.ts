import { z } from 'zod';
import { makeSettings } from '../test/support/loops.ts';
import type { BuiltPackage } from './built-package.ts';
import { median } from './median.ts';
import { judge } from './row.ts';
import type { Row } from './row.ts';
import { runForOutput } from './run-timed.ts';

const Answer = z.object({ loops: z.number(), engineRates: z.array(z.number()), rawRates: z.array(z.number()), peakMb: z.number() });

/** Many loops at once on SQLite, with agents and a workspace that cost nothing, beside bare commits of the same rows. */
export async function measureEngine(built: BuiltPackage): Promise<Row[]> {
  const program = await built.addProgram(new URL('./engine-child.ts', import.meta.url));
  const answer = Answer.parse(JSON.parse(await runForOutput(process.execPath, [program, JSON.stringify(makeSettings())], { cwd: '/' })));
  return [
    judge({
      row: `engine, ${answer.loops} loops at once`,
      ours: { value: median(answer.engineRates), unit: 'steps/s' },
      baseline: { value: median(answer.rawRates), unit: 'commits/s' },
      budget: { of: 'ratio', bound: 'at least', limit: 0.5 },
      note: 'SQLite with synchronous=FULL; fake agents and workspace; against one bare transaction per step with the same rows',
    }),
    judge({
      row: 'engine, peak memory',
      ours: { value: answer.peakMb, unit: 'MB' },
      baseline: null,
      budget: { of: 'ours', bound: 'at most', limit: 150 },
      note: 'the whole process, after the first time that all loops ran',
    }),
  ];
}
