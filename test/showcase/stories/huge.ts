import type { Story } from '../story.ts';
import { approves, builds, mends, rejects } from './turns.ts';

/** Changes that a reader should not have to wait for: 150,000 lines in 1,500 files, and 30,000 lines in one. */
export const HUGE: readonly Story[] = [
  {
    title: 'Generate a typed rate table for every acquirer',
    minutesAgo: 12,
    maxRounds: 2,
    turns: [
      { ...builds({ costUsd: 0.9, summary: 'Rates, by acquirer' }), generate: { folder: 'src/rates', files: 1500, lines: 100 } },
      rejects({
        round: 1,
        costUsd: 0.6,
        issues: [3, 480, 977, 1490].map((file) => ({
          file: `src/rates/part-${String(file).padStart(4, '0')}.ts`,
          at: 'return Math.round',
          severity: file === 977 ? ('high' as const) : ('medium' as const),
          category: 'logic' as const,
          description: `The rate of file ${file} is rounded before it is used.`,
        })),
      }),
      mends({
        round: 1,
        costUsd: 0.4,
        summary: 'Round at the end',
        findings: [1, 2],
        replace: [3, 977].map(
          (file) => [`src/rates/part-${String(file).padStart(4, '0')}.ts`, 'return Math.round', 'return Math.fround'] as const,
        ),
      }),
      rejects({
        round: 2,
        costUsd: 0.6,
        issues: [
          {
            file: 'src/rates/part-0480.ts',
            at: 'return Math.round',
            severity: 'medium',
            category: 'logic',
            description: 'The rate of file 480 is rounded before it is used.',
          },
        ],
      }),
    ],
  },
  {
    title: 'Ship the table of issuer ranges',
    minutesAgo: 5,
    maxRounds: 2,
    turns: [
      { ...builds({ costUsd: 0.5, summary: 'Issuer ranges' }), generate: { folder: 'src/issuers', files: 1, lines: 30_000 } },
      approves({
        round: 1,
        costUsd: 0.3,
        issues: [
          {
            file: 'src/issuers/part-0001.ts',
            at: 'rate15001(',
            severity: 'low',
            category: 'style',
            description: 'The names say nothing about issuers.',
          },
        ],
      }),
    ],
  },
];
