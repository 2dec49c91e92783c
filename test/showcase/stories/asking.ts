import type { Story, StoryTurn } from '../story.ts';
import { builds, mends, rejects } from './turns.ts';

const REFUND = 'src/charges/refund.ts';
const CLIENT = 'src/acquirer/client.ts';

const refundRetries: Story = {
  title: 'Refund retries with backoff',
  author: 'claude',
  reviewer: ['gemini'],
  minutesAgo: 57,
  turns: [
    builds({
      costUsd: 0.41,
      summary: 'Refunds are tried again, later each time',
      replace: [
        [
          REFUND,
          "import { HttpError } from '../http/http-error.ts';\n",
          "import { withBackoff } from '../acquirer/backoff.ts';\nimport { HttpError } from '../http/http-error.ts';\n",
        ],
        [
          REFUND,
          '  await deps.psp.refund(refund.charge, refund.amount);\n',
          '  await withBackoff(async () => await deps.psp.refund(refund.charge, refund.amount));\n',
        ],
      ],
      write: {
        'src/acquirer/backoff.ts':
          'const STEPS_MS = [100, 400, 1600];\n\n/** Calls again, later each time. */\nexport async function withBackoff<T>(call: () => Promise<T>): Promise<T> {\n  for (const ms of STEPS_MS) {\n    try {\n      return await call();\n    } catch {\n      await new Promise((resolve) => setTimeout(resolve, ms));\n    }\n  }\n  return await call();\n}\n',
      },
    }),
    {
      role: 'reviewer',
      round: 1,
      result: {
        passed: false,
        summary: 'A refund that is tried again can be paid twice.',
        issues: [
          {
            file: REFUND,
            at: 'await withBackoff',
            severity: 'high',
            category: 'logic',
            description: 'A refund that timed out may have been paid: trying again pays it twice.',
            impact: 'We pay customers back more than they paid.',
            suggestion: 'Send a key with it, as charges do.',
          },
        ],
        usage: { inputTokens: 96_000, outputTokens: 3100 },
      },
    },
    {
      role: 'fixer',
      round: 1,
      replace: [
        [
          REFUND,
          '/** Pays a charge back, wholly or in part. */',
          '/** Pays a charge back, wholly or in part; once, however often it is asked. */',
        ],
      ],
      result: {
        summary: 'The key space is not mine to choose',
        resolutions: [
          {
            finding: 1,
            status: 'needs_person',
            note: 'Should refunds share the charge’s key space? If they do, one key names a charge and its refund, and the acquirer answers the refund with the charge. If they do not, clients have to send a second key.',
          },
        ],
        usage: { costUsd: 0.3 },
      },
    },
  ],
};

const settlementExports: Story = {
  title: 'Stream settlement exports instead of buffering',
  author: 'codex',
  reviewer: ['claude'],
  fixer: 'codex',
  ceilingUsd: 2,
  minutesAgo: 22,
  turns: [
    builds({
      costUsd: 0.98,
      summary: 'Export row by row',
      write: {
        'src/ledger/stream.ts':
          "import type { Entry } from './entry.ts';\n\n/** The export, line by line, so that a month of entries is never in memory at once. */\nexport async function* exportLines(entries: AsyncIterable<Entry>): AsyncGenerator<string> {\n  yield 'account;amount;currency\\n';\n  for await (const { account, amount, currency } of entries) yield `${account};${(amount / 100).toFixed(2)};${currency}\\n`;\n}\n",
      },
    }),
    rejects({
      round: 1,
      costUsd: 0.44,
      issues: [
        {
          file: 'src/ledger/stream.ts',
          at: 'for await',
          severity: 'high',
          category: 'logic',
          description: 'A reader that goes away leaves the cursor open: nothing closes `entries`.',
          impact: 'Ten broken downloads use up the pool.',
        },
        {
          file: 'src/ledger/stream.ts',
          at: 'toFixed(2)',
          severity: 'medium',
          category: 'logic',
          description: 'Yen have no cents: `toFixed(2)` divides them by a hundred.',
        },
      ],
    }),
    mends({
      round: 1,
      costUsd: 0.58,
      summary: 'Close the cursor, and know the digits of a currency',
      findings: [1, 2],
      write: {
        'src/ledger/stream.ts':
          "import type { Entry } from './entry.ts';\n\nconst NO_CENTS = new Set(['JPY', 'KRW']);\n\n/** The export, line by line, so that a month of entries is never in memory at once. */\nexport async function* exportLines(entries: AsyncGenerator<Entry>): AsyncGenerator<string> {\n  yield 'account;amount;currency\\n';\n  try {\n    for await (const { account, amount, currency } of entries) yield `${account};${shown(amount, currency)};${currency}\\n`;\n  } finally {\n    await entries.return(undefined);\n  }\n}\n\nfunction shown(amount: number, currency: string): string {\n  return NO_CENTS.has(currency) ? String(amount) : (amount / 100).toFixed(2);\n}\n",
      },
    }),
  ],
};

const webhookSecrets: Story = {
  title: 'Encrypt webhook secrets at rest',
  author: 'claude',
  reviewer: ['codex', 'gemini'],
  minutesAgo: 38,
  turns: [
    builds({
      costUsd: 0.52,
      summary: 'Seal secrets with the key of the environment',
      write: {
        'src/webhooks/seal.ts':
          "import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';\n\n/** A secret as it may lie in the database. */\nexport function seal(secret: string, key: Buffer): string {\n  const iv = randomBytes(12);\n  const cipher = createCipheriv('aes-256-gcm', key, iv);\n  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);\n  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');\n}\n\n/** The secret again. */\nexport function unseal(text: string, key: Buffer): string {\n  const bytes = Buffer.from(text, 'base64');\n  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));\n  decipher.setAuthTag(bytes.subarray(12, 28));\n  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');\n}\n",
      },
    }),
    rejects({
      round: 1,
      agent: 'codex',
      costUsd: 0.21,
      issues: [
        {
          file: 'src/webhooks/seal.ts',
          at: 'decipher.setAuthTag',
          severity: 'high',
          category: 'security',
          description: 'A tag that is cut short is accepted: `authTagLength` is not given, so 4 bytes are enough to forge a secret.',
          impact: 'Whoever can write the table can try 2³² tags and choose the secret.',
          suggestion: 'Pass `authTagLength: 16` to `createDecipheriv`.',
        },
      ],
    }),
    {
      role: 'reviewer',
      round: 1,
      agent: 'gemini',
      result: {
        passed: false,
        summary: 'The tag has no fixed length.',
        issues: [
          {
            file: 'src/webhooks/seal.ts',
            at: 'decipher.setAuthTag',
            severity: 'high',
            category: 'security',
            description: 'A tag that is cut short is accepted, because `authTagLength` is not set.',
          },
          {
            file: 'src/webhooks/seal.ts',
            at: 'export function seal(',
            severity: 'suggestion',
            category: 'style',
            description: '`sealSecret` would say what is sealed.',
          },
        ],
        usage: { inputTokens: 61_000, outputTokens: 2400 },
      },
    },
    {
      role: 'fixer',
      round: 1,
      result: {
        summary: 'The tag cannot be cut short',
        resolutions: [
          {
            finding: 1,
            status: 'disputed',
            note: 'The tag is always the 16 bytes from 12 to 28. A shorter text leaves no ciphertext, and Node throws:\n\n```\n$ node -e "unseal(Buffer.alloc(20).toString(\'base64\'), key)"\nError: Invalid authentication tag length: 8\n```',
          },
        ],
        usage: { costUsd: 0.19 },
      },
    },
  ],
};

const REJECT_AFTER = `export function rejectAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('no answer in ' + ms + ' ms')), ms).unref());
}
`;

/** A fix that misses the point: nothing of it is imported where it is used. */
function gateFix(summary: string, path: string, text: string): StoryTurn {
  return { role: 'fixer', round: 1, write: { [path]: text }, result: { summary, usage: { costUsd: 0.06 } } };
}

const timeBox: Story = {
  title: 'Time-box acquirer calls at 8 s',
  author: 'codex',
  reviewer: ['claude'],
  fixer: 'codex',
  ceilingUsd: 2,
  minutesAgo: 14,
  turns: [
    builds({
      costUsd: 0.23,
      summary: 'Every call of the acquirer has a limit',
      replace: [
        [CLIENT, 'const TRIES = 3;\n', 'const TRIES = 3;\nconst LIMIT_MS = 8000;\n'],
        [CLIENT, '      return await call();\n', '      return await Promise.race([call(), rejectAfter(LIMIT_MS)]);\n'],
      ],
      write: {
        'test/acquirer/limit.test.ts':
          "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { withRetries } from '../../src/acquirer/client.ts';\n\ntest('a call that never answers is given up', async () => {\n  await assert.rejects(withRetries(async () => await new Promise<never>(() => undefined)), /no answer in 8000 ms/);\n});\n",
      },
    }),
    gateFix('rejectAfter gets a file of its own', 'src/acquirer/reject-after.ts', REJECT_AFTER),
    gateFix('Export it where the others are', 'src/acquirer/index.ts', "export { rejectAfter } from './reject-after.ts';\n"),
    gateFix('Declare it for the whole folder', 'src/acquirer/globals.d.ts', 'declare function rejectAfter(ms: number): Promise<never>;\n'),
  ],
};

/** Loops that wait for a person, each for another reason. */
export const ASKING: readonly Story[] = [refundRetries, settlementExports, webhookSecrets, timeBox];
