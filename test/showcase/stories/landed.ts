import type { Story } from '../story.ts';
import { approves, builds, mends, rejects } from './turns.ts';

const SIGN = 'src/webhooks/sign.ts';
const DELIVER = 'src/webhooks/deliver.ts';
const CLIENT = 'src/acquirer/client.ts';

/** Loops that are over and lie on the branch. */
export const LANDED: readonly Story[] = [
  {
    title: 'Charge webhooks carry the request id',
    reviewer: ['gemini'],
    minutesAgo: 60 * 26,
    lands: true,
    turns: [
      builds({
        costUsd: 0.15,
        summary: 'Name the request in every webhook',
        replace: [
          [DELIVER, 'readonly body: string; readonly attempt', 'readonly body: string; readonly requestId: string; readonly attempt'],
          [
            DELIVER,
            "'x-signature': sign(delivery.body, secret) }",
            "'x-signature': sign(delivery.body, secret), 'x-request-id': delivery.requestId }",
          ],
        ],
      }),
      approves({ round: 1, costUsd: 0.09 }),
    ],
  },
  {
    title: 'Typed errors for acquirer declines',
    minutesAgo: 60 * 22,
    lands: true,
    turns: [
      builds({
        costUsd: 0.48,
        summary: 'Say why a charge was declined',
        write: {
          'src/acquirer/decline.ts':
            "/** Why the acquirer declined, in words that clients can act on. */\nexport type Decline = 'insufficient_funds' | 'expired_card' | 'do_not_honour' | 'unknown';\n\nconst CODES: Record<string, Decline> = { '51': 'insufficient_funds', '54': 'expired_card', '05': 'do_not_honour' };\n\nexport function declineOf(code: string): Decline {\n  return CODES[code]!;\n}\n",
        },
      }),
      rejects({
        round: 1,
        costUsd: 0.22,
        issues: [
          {
            file: 'src/acquirer/decline.ts',
            at: 'return CODES[code]',
            severity: 'high',
            category: 'logic',
            description: 'A code that is not in the table gives undefined, although `unknown` exists.',
          },
          {
            file: 'src/acquirer/decline.ts',
            at: 'const CODES',
            severity: 'medium',
            category: 'architecture',
            description: 'The table can be changed by whoever imports it at run time: freeze it, or keep it in the function.',
          },
        ],
      }),
      mends({
        round: 1,
        costUsd: 0.2,
        summary: 'Unknown codes are unknown',
        findings: [1],
        replace: [['src/acquirer/decline.ts', 'CODES[code]!', "CODES[code] ?? 'unknown'"]],
      }),
      rejects({
        round: 2,
        costUsd: 0.2,
        issues: [
          {
            file: 'src/acquirer/decline.ts',
            at: 'const CODES',
            severity: 'medium',
            category: 'architecture',
            description: 'The table of codes can be changed at run time by whoever imports it.',
          },
        ],
      }),
      mends({
        round: 2,
        costUsd: 0.18,
        summary: 'Freeze the table',
        findings: [2],
        replace: [
          [
            'src/acquirer/decline.ts',
            "const CODES: Record<string, Decline> = { '51': 'insufficient_funds', '54': 'expired_card', '05': 'do_not_honour' };",
            "const CODES: Readonly<Record<string, Decline>> = Object.freeze({\n  '51': 'insufficient_funds',\n  '54': 'expired_card',\n  '05': 'do_not_honour',\n});",
          ],
        ],
      }),
      approves({ round: 3, costUsd: 0.19 }),
    ],
  },
  {
    title: 'Deduplicate chargeback notifications',
    author: 'codex',
    reviewer: ['claude'],
    fixer: 'codex',
    minutesAgo: 60 * 7,
    lands: true,
    turns: [
      builds({
        costUsd: 0.36,
        summary: 'Tell an account once',
        write: {
          'src/disputes/notify.ts':
            "import type { Dispute } from './list.ts';\n\nconst told = new Set<string>();\n\n/** The disputes that nobody was told about yet. */\nexport function untold(disputes: readonly Dispute[]): readonly Dispute[] {\n  const fresh = disputes.filter(({ id }) => !told.has(id));\n  for (const { id } of fresh) told.add(id);\n  return fresh;\n}\n",
        },
      }),
      rejects({
        round: 1,
        costUsd: 0.18,
        issues: [
          {
            file: 'src/disputes/notify.ts',
            at: 'const told',
            severity: 'high',
            category: 'logic',
            description: 'After a restart everybody is told again: the set lives in this process.',
          },
        ],
      }),
      mends({
        round: 1,
        costUsd: 0.19,
        summary: 'Remember in the database',
        findings: [1],
        write: {
          'src/disputes/notify.ts':
            "import type { Db } from '../db.ts';\nimport type { Dispute } from './list.ts';\n\n/** The disputes that nobody was told about yet; they count as told from now on. */\nexport async function untold(db: Db, disputes: readonly Dispute[]): Promise<readonly Dispute[]> {\n  const ids = disputes.map(({ id }) => id);\n  const rows = await db.all('insert into told (dispute) select unnest($1::text[]) on conflict do nothing returning dispute', ids);\n  const fresh = new Set(rows.map((row) => row['dispute']));\n  return disputes.filter(({ id }) => fresh.has(id));\n}\n",
        },
      }),
      approves({ round: 2, costUsd: 0.15 }),
    ],
  },
  {
    title: 'Fail fast on expired acquirer certificates',
    minutesAgo: 60 * 5,
    lands: true,
    turns: [
      builds({
        costUsd: 0.2,
        summary: 'An expired certificate is no reason to try again',
        replace: [
          [
            CLIENT,
            '      last = error;\n',
            "      if (error instanceof Error && 'code' in error && error.code === 'CERT_HAS_EXPIRED') throw error;\n      last = error;\n",
          ],
        ],
      }),
      approves({
        round: 1,
        costUsd: 0.11,
        issues: [
          {
            file: CLIENT,
            at: 'CERT_HAS_EXPIRED',
            severity: 'suggestion',
            category: 'style',
            description: 'A name for this condition would read better.',
          },
        ],
      }),
    ],
  },
  {
    title: 'Compare signatures without a length oracle',
    author: 'opencode',
    reviewer: ['codex'],
    minutesAgo: 60 * 4,
    lands: true,
    turns: [
      builds({
        costUsd: 0.12,
        summary: 'Compare digests of equal length',
        replace: [
          [
            SIGN,
            '  const expected = Buffer.from(sign(body, secret));\n  const given = Buffer.from(signature);\n  return expected.length === given.length && timingSafeEqual(expected, given);\n',
            "  const digest = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();\n  return timingSafeEqual(digest(sign(body, secret)), digest(signature));\n",
          ],
        ],
      }),
      approves({ round: 1, costUsd: 0.1 }),
    ],
  },
];
