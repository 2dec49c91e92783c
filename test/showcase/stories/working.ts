import type { Story } from '../story.ts';
import { approves, builds, mends, rejects, works } from './turns.ts';

const RUN = 'October hardening';
const ROTATE = 'Rotate webhook signing secrets without downtime';
const DELIVER = 'src/webhooks/deliver.ts';

/** Loops at work as long as a server or a worker drives them, and one that waits for another. */
export const WORKING: readonly Story[] = [
  {
    title: 'Dead-letter queue for failed webhooks',
    minutesAgo: 3,
    until: 'gated-1',
    turns: [
      builds({
        costUsd: 0.39,
        summary: 'Lost webhooks are kept',
        write: {
          'src/webhooks/dead-letter.ts':
            "import type { Db } from '../db.ts';\nimport type { Delivery } from './deliver.ts';\n\n/** Keeps a webhook that could not be delivered. */\nexport async function bury(db: Db, delivery: Delivery): Promise<void> {\n  await db.run('insert into dead_letters (url, body) values ($1, $2)', delivery.url, delivery.body);\n}\n",
        },
      }),
      rejects({
        round: 1,
        costUsd: 0.24,
        issues: [
          {
            file: 'src/webhooks/dead-letter.ts',
            at: 'await db.run',
            severity: 'high',
            category: 'logic',
            description: 'Nothing calls `bury`: a lost webhook is still lost.',
          },
          {
            file: 'src/webhooks/dead-letter.ts',
            at: "'insert into dead_letters",
            severity: 'medium',
            category: 'architecture',
            description: 'No migration makes the table `dead_letters`.',
          },
          {
            file: DELIVER,
            at: 'const MAX_ATTEMPTS',
            severity: 'low',
            category: 'documentation',
            description: 'Five attempts within which time? A comment would help.',
          },
        ],
      }),
      mends({
        round: 1,
        costUsd: 0.24,
        summary: 'Bury what is lost',
        findings: [1, 2],
        replace: [
          ['src/webhooks/dead-letter.ts', '/** Keeps', '/** Called where the last attempt failed. Keeps'],
          [
            'src/webhooks/dead-letter.ts',
            "'insert into dead_letters (url, body) values ($1, $2)'",
            "'insert into dead_letters (url, body, buried_at) values ($1, $2, now())'",
          ],
        ],
        write: {
          'migrations/0043_dead_letters.sql':
            'create table dead_letters (\n  url text not null,\n  body text not null,\n  buried_at timestamptz not null\n);\n',
        },
      }),
      works({
        role: 'reviewer',
        round: 2,
        say: ['Reading the change: 2 files.'],
        while: ['codex reads src/webhooks/dead-letter.ts', 'codex reads src/webhooks/deliver.ts', 'codex runs node --test'],
      }),
    ],
  },
  {
    title: 'Paginate the disputes list by cursor',
    reviewer: ['opencode'],
    ceilingUsd: 2,
    minutesAgo: 2,
    until: 'reviewed-1',
    turns: [
      builds({
        costUsd: 0.3,
        summary: 'A page at a time',
        replace: [
          [
            'src/disputes/list.ts',
            "  const rows = await db.all('select * from disputes where account = $1 order by due_at', account);\n",
            "  const rows = await db.all('select * from disputes where account = $1 and due_at > $2 order by due_at limit 50', account, after);\n",
          ],
          ['src/disputes/list.ts', 'account: string): Promise', 'account: string, after: string): Promise'],
        ],
      }),
      rejects({
        round: 1,
        costUsd: 0.11,
        issues: [
          {
            file: 'src/disputes/list.ts',
            at: 'const rows',
            severity: 'high',
            category: 'logic',
            description: 'Two disputes with the same `due_at` on a page’s border: one of them is never listed.',
          },
          {
            file: 'src/disputes/list.ts',
            at: 'const rows',
            severity: 'medium',
            category: 'performance',
            description: 'There is no index on `(account, due_at)`.',
          },
          {
            file: 'src/disputes/list.ts',
            at: 'export async function listDisputes',
            severity: 'medium',
            category: 'architecture',
            description: 'The cursor is a bare date, which clients will take apart.',
          },
        ],
      }),
      works({
        role: 'fixer',
        round: 1,
        say: ['I order by due_at and id.'],
        while: ['editing src/disputes/list.ts', 'writing migrations/0044_disputes_by_due.sql', 'node --test: 4 pass'],
      }),
    ],
  },
  {
    title: ROTATE,
    group: RUN,
    minutesAgo: 1,
    until: 'start',
    turns: [
      {
        role: 'author',
        write: {
          'src/webhooks/secrets.ts':
            '/** The secrets of an account: the newest signs, all of them verify. */\nexport type Secrets = readonly [string, ...string[]];\n',
        },
        result: { summary: 'Several secrets at a time', taskComplete: false, usage: { costUsd: 0.38 } },
      },
      works({
        role: 'author',
        say: ['iteration 2'],
        while: ['editing src/webhooks/sign.ts', 'reading src/webhooks/deliver.ts', 'node --test: 3 pass'],
      }),
    ],
  },
  {
    title: 'Reject currencies the acquirer cannot settle',
    author: 'opencode',
    reviewer: ['codex'],
    maxRounds: 2,
    ceilingUsd: 1,
    minutesAgo: 1,
    until: 'start',
    turns: [
      works({
        role: 'author',
        say: ['I look for where currencies are checked.'],
        while: ['reading src/charges/charge-routes.ts', 'editing src/acquirer/currency.ts'],
      }),
    ],
  },
  {
    title: 'Card fingerprint without the PAN in memory',
    reviewer: ['codex', 'opencode'],
    group: RUN,
    minutesAgo: 2,
    until: 'gated-2',
    turns: [
      builds({
        costUsd: 0.4,
        summary: 'Hash card numbers as they come in',
        write: {
          'src/charges/fingerprint.ts':
            "import { createHash } from 'node:crypto';\n\n/** What tells two cards apart, without the number. */\nexport function fingerprint(pan: string): string {\n  return createHash('sha256').update(pan).digest('hex');\n}\n",
        },
      }),
      rejects({
        round: 1,
        agent: 'codex',
        costUsd: 0.14,
        issues: [
          {
            file: 'src/charges/fingerprint.ts',
            at: 'createHash(',
            severity: 'critical',
            category: 'security',
            description: 'A bare hash of a card number is found by trying all of them: there are only 10¹⁰ per issuer.',
            suggestion: 'Use an HMAC with a key of the vault.',
          },
        ],
      }),
      rejects({
        round: 1,
        agent: 'opencode',
        costUsd: 0.06,
        issues: [
          {
            file: 'src/charges/fingerprint.ts',
            at: 'fingerprint(pan: string)',
            severity: 'medium',
            category: 'architecture',
            description: 'The number is in memory as a string, which nothing can wipe.',
          },
        ],
      }),
      mends({
        round: 1,
        costUsd: 0.17,
        summary: 'HMAC with the key of the vault',
        findings: [1],
        write: {
          'src/charges/fingerprint.ts':
            "import { createHmac } from 'node:crypto';\n\n/** What tells two cards apart, without the number. */\nexport function fingerprint(pan: string, key: Buffer): string {\n  return createHmac('sha256', key).update(pan).digest('hex');\n}\n",
        },
      }),
      rejects({
        round: 2,
        agent: 'codex',
        costUsd: 0.13,
        issues: [
          {
            file: 'src/charges/fingerprint.ts',
            at: 'export function fingerprint',
            severity: 'medium',
            category: 'architecture',
            description: 'The number is still a string in memory, which nothing can wipe.',
          },
        ],
      }),
      approves({ round: 2, agent: 'opencode', costUsd: 0.05, summary: 'Nothing to add.' }),
      mends({
        round: 2,
        costUsd: 0.12,
        summary: 'Take bytes, and wipe them',
        findings: [2],
        replace: [
          [
            'src/charges/fingerprint.ts',
            "fingerprint(pan: string, key: Buffer): string {\n  return createHmac('sha256', key).update(pan).digest('hex');\n",
            "fingerprint(pan: Buffer, key: Buffer): string {\n  const digest = createHmac('sha256', key).update(pan).digest('hex');\n  pan.fill(0);\n  return digest;\n",
          ],
        ],
      }),
      works({
        role: 'reviewer',
        round: 3,
        say: ['Reading the change: 1 file.'],
        while: ['reads src/charges/fingerprint.ts', 'runs node --test'],
      }),
    ],
  },
  {
    title: 'Ledger export: cents as integers, never floats',
    group: RUN,
    dependsOn: [ROTATE],
    minutesAgo: 3,
    until: 'start',
    turns: [works({ role: 'author', while: ['reading src/ledger/export.ts'] })],
  },
];
