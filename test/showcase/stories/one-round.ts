import type { Story } from '../story.ts';
import { approves, builds, mends, rejects } from './turns.ts';

const FILE = 'src/charges/limits.ts';

/** A loop with a single round that asks for one more, and is approved in it. */
export const oneRound: Story = {
  title: 'Limit what one account can charge in a day',
  text: 'Ten thousand in the currency of the account, unless somebody says otherwise.',
  maxRounds: 1,
  minutesAgo: 6,
  turns: [
    builds({
      costUsd: 0.2,
      summary: 'A limit for each account',
      write: {
        [FILE]:
          '/** Whether an account may charge so much more today. */\nexport function mayCharge(today: number, amount: number, limit = 10_000): boolean {\n  return today + amount < limit;\n}\n',
      },
    }),
    rejects({
      round: 1,
      costUsd: 0.1,
      issues: [
        {
          file: FILE,
          at: 'today + amount',
          severity: 'high',
          category: 'logic',
          description: 'The limit itself is refused: it has to be `<=`.',
        },
        {
          file: FILE,
          at: '10_000',
          severity: 'high',
          category: 'logic',
          description: 'The amount is in minor units, so this limit is a hundred.',
        },
      ],
    }),
    mends({
      round: 1,
      costUsd: 0.1,
      summary: 'The limit may be reached, in minor units',
      findings: [1, 2],
      replace: [
        [FILE, 'today + amount < limit', 'today + amount <= limit'],
        [FILE, '10_000', '1_000_000'],
      ],
    }),
    approves({ round: 2, costUsd: 0.1 }),
  ],
};
