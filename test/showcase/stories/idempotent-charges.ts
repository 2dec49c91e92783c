import type { Story, StoryTurn } from '../story.ts';
import { DOCS, KEY, MEMORY, MIGRATION, STORE, SWEEPER, TEST } from './idempotent-files.ts';

const CREATE = 'src/charges/create-charge.ts';
const STORE_FILE = 'src/idempotency/store.ts';

const AUTHOR: readonly StoryTurn[] = [
  {
    role: 'author',
    say: [
      'I read src/charges and src/idempotency first.',
      'A claim has to exist before the acquirer is called, so it gets a table of its own.',
    ],
    write: { 'migrations/0042_idempotency.sql': MIGRATION, 'src/idempotency/key.ts': KEY },
    result: { summary: 'A table for claims, and keys', taskComplete: false, usage: { costUsd: 0.18 } },
  },
  {
    role: 'author',
    say: ['editing src/idempotency/store.ts'],
    write: { [STORE_FILE]: STORE, 'src/idempotency/sweeper.ts': SWEEPER },
    result: { summary: 'Claims that can be completed', taskComplete: false, usage: { costUsd: 0.22 } },
  },
  {
    role: 'author',
    say: ['editing src/charges/create-charge.ts'],
    write: { 'docs/api/idempotency.md': DOCS },
    replace: [
      [
        CREATE,
        "import type { Request } from '../http/request.ts';\n",
        "import { HttpError } from '../http/http-error.ts';\nimport type { Request } from '../http/request.ts';\nimport { fingerprintOf, readIdempotencyKey } from '../idempotency/key.ts';\nimport type { ClaimStore } from '../idempotency/store.ts';\n",
      ],
      [
        CREATE,
        'export type Deps = { readonly db: Db; readonly psp: Acquirer };\n\n',
        'export type Deps = { readonly db: Db; readonly psp: Acquirer; readonly idempotency: ClaimStore };\n\n',
      ],
      [
        CREATE,
        "const SELECT_RESPONSE = 'select response from responses where key = $1';\nconst INSERT_RESPONSE = 'insert into responses (key, response) values ($1, $2)';\n\n",
        '',
      ],
      [
        CREATE,
        "  const key = req.headers['idempotency-key'];\n  if (key) {\n    const seen = await deps.db.get(SELECT_RESPONSE, key);\n    if (seen) return JSON.parse(seen.response);\n  }\n",
        "  const key = readIdempotencyKey(req);\n  const claim = await deps.idempotency.claim({ account: req.account.id, key, fingerprint: fingerprintOf(req.body) });\n  if (claim.state === 'done' && claim.response !== undefined) return claim.response;\n  if (claim.state === 'in_flight') throw new HttpError(409, 'request_in_progress');\n",
      ],
      [CREATE, '    source: req.body.source,\n', '    source: req.body.source,\n    idempotencyKey: claim.token,\n'],
      [
        CREATE,
        '  if (key) await deps.db.run(INSERT_RESPONSE, key, JSON.stringify(charge));\n',
        '  await deps.idempotency.complete(claim, charge);\n',
      ],
    ],
    result: { summary: 'Charges claim their key first', taskComplete: false, usage: { costUsd: 0.19 } },
  },
  {
    role: 'author',
    say: ['node --test: 5 pass'],
    write: { 'test/charges/idempotency.test.ts': TEST, 'test/charges/memory.ts': MEMORY },
    replace: [
      [
        'src/charges/charge-routes.ts',
        '  const charge = await createCharge(req, deps);\n  return { status: 201, body: charge };\n',
        '  const charge = await createCharge(req, deps);\n  // Whoever asks again is told so by the same answer, not by another status.\n  return { status: 201, body: charge };\n',
      ],
      ['package-lock.json', '"version": "3.14.0",\n  "lockfileVersion"', '"version": "3.15.0",\n  "lockfileVersion"'],
      ['package-lock.json', '"version": "3.14.0", "engines"', '"version": "3.15.0", "engines"'],
      ['package.json', '"version": "3.14.0"', '"version": "3.15.0"'],
    ],
    result: { summary: 'Make charge creation idempotent', taskComplete: true, usage: { costUsd: 0.12 } },
  },
];

const INTENT = 'A client that repeats a request with its key must be charged once and always get the first answer, also after a crash.';

const ROUND_1: StoryTurn = {
  role: 'reviewer',
  round: 1,
  say: [
    'Reading the change: 10 files.',
    'Following a claim from createCharge to complete().',
    'What happens if the process dies in between?',
  ],
  result: {
    passed: false,
    summary: 'The claim is right; what happens between the charge and its completion is not.',
    interpretedIntent: INTENT,
    intentSatisfied: true,
    issues: [
      {
        file: CREATE,
        at: 'const charge = await deps.psp.charge({',
        to: 'complete(claim, charge)',
        severity: 'high',
        category: 'logic',
        description:
          'A crash between the charge and `complete()` locks this key for 24 hours.\n\nThe money has moved when `psp.charge` returns, but the claim is completed only afterwards. If the process dies in between, the row stays `in_flight` and every retry answers 409 until the sweeper removes it.',
        impact: 'The caller never learns that the charge went through, which is the one thing this feature promises.',
        suggestion: 'Ask the acquirer by our token when a claim has been in flight for a while, then complete it.',
      },
      {
        file: CREATE,
        at: "'request_in_progress'",
        severity: 'medium',
        category: 'logic',
        description: 'The 409 gives no `Retry-After`, so clients will hammer it.',
        impact: 'A slow acquirer turns into a storm of our own making.',
      },
      {
        file: CREATE,
        at: "claim.state === 'done'",
        severity: 'high',
        category: 'logic',
        description: 'The same key with another body answers with the charge of the first body.',
        impact: 'A client with a bug believes that it charged 500 when it charged 5.',
        suggestion: 'Compare the fingerprint, and answer 422 where it differs.',
      },
      {
        file: STORE_FILE,
        at: 'const row = await db.get(SELECT_CLAIM, input.key);',
        to: 'await db.run(INSERT_CLAIM',
        severity: 'high',
        category: 'logic',
        description: 'Two requests with one key can both see no row, and both charge.',
        impact: 'The customer is charged twice, exactly when their network is bad.',
        suggestion: 'Insert first, with `on conflict do nothing`, and then select.',
      },
      {
        file: 'src/idempotency/sweeper.ts',
        at: 'const timer = setInterval',
        severity: 'medium',
        category: 'performance',
        description: 'The timer keeps the process alive after everything else has been closed.',
        impact: 'Deployments wait for their time limit.',
        becomes: ['  const timer = setInterval(() => void sweep(db), 60 * 60 * 1000).unref();'],
      },
      {
        file: 'docs/api/idempotency.md',
        at: 'Keys are kept for a while.',
        severity: 'low',
        category: 'documentation',
        description: 'The page does not say how long a key is kept.',
        suggestion: 'Say 24 hours, and what happens afterwards.',
      },
      {
        file: 'test/charges/idempotency.test.ts',
        at: "test('the same key charges once'",
        to: 'assert.equal(psp.charges.length, 1);',
        severity: 'medium',
        category: 'testing',
        description: 'Nothing tests two requests with one key at the same time.',
        impact: 'The race above would not have been found by these tests.',
      },
    ],
    evidence: [
      {
        claim: 'A crash between the charge and complete() locks the key',
        command: 'kill -9 after psp.charge, then repeat the request',
        output: '409 request_in_progress\nexpected 200 with ch_01HX…',
      },
    ],
    usage: { costUsd: 0.31 },
  },
};

const FIX_1: StoryTurn = {
  role: 'fixer',
  round: 1,
  say: ['editing src/idempotency/store.ts', 'editing src/charges/create-charge.ts', 'node --test: 6 pass'],
  replace: [
    [
      STORE_FILE,
      "const INSERT_CLAIM = 'insert into idempotency_claims (account, key, fingerprint, token) values ($1, $2, $3, $4)';\n",
      "const INSERT_CLAIM_OR_NOTHING =\n  'insert into idempotency_claims (account, key, fingerprint, token) values ($1, $2, $3, $4) on conflict do nothing';\n",
    ],
    [
      STORE_FILE,
      "  const row = await db.get(SELECT_CLAIM, input.key);\n  if (row !== undefined) return { ...input, ...stateOf(row) };\n  const token = randomUUID();\n  await db.run(INSERT_CLAIM, input.account, input.key, input.fingerprint, token);\n  return { ...input, state: 'new', token };\n",
      "  const token = randomUUID();\n  await db.run(INSERT_CLAIM_OR_NOTHING, input.account, input.key, input.fingerprint, token);\n  const row = await db.get(SELECT_CLAIM, input.key);\n  if (row?.['token'] === token) return { ...input, state: 'new', token };\n  if (row?.['fingerprint'] !== input.fingerprint) return { ...input, state: 'mismatch', token };\n  return { ...input, ...stateOf(row) };\n",
    ],
    [STORE_FILE, "  readonly state: 'new' | 'in_flight' | 'done';\n", "  readonly state: 'new' | 'in_flight' | 'done' | 'mismatch';\n"],
    [
      CREATE,
      "  if (claim.state === 'in_flight') throw",
      "  if (claim.state === 'mismatch') throw new HttpError(422, 'idempotency_key_reused');\n  if (claim.state === 'in_flight') throw",
    ],
    [
      CREATE,
      '\n  const charge = await deps.psp.charge({',
      '\n  // The process may have died after the acquirer took the money: it knows the charge by our token.\n  const found = await deps.psp.findByToken(claim.token);\n  if (found !== null) {\n    await deps.idempotency.complete(claim, found);\n    return found;\n  }\n  const charge = await deps.psp.charge({',
    ],
    [
      'test/charges/idempotency.test.ts',
      "test('another key charges again', async () => {\n",
      "test('another key charges again, whoever asks', async () => {\n",
    ],
  ],
  result: {
    summary: 'Insert first, compare bodies, recover by token',
    resolutions: [
      { finding: 2, status: 'fixed', note: 'Before it charges, it asks the acquirer by our token, and completes what it finds.' },
      { finding: 4, status: 'fixed', note: 'The routes add the header.' },
      { finding: 1, status: 'fixed', note: 'Answers 422 where the fingerprint differs.' },
      { finding: 3, status: 'fixed', note: 'One insert that does nothing on conflict, then the select.' },
      { finding: 6, status: 'fixed', note: 'The test of two keys covers it.' },
    ],
    usage: { costUsd: 0.42 },
  },
};

const ROUND_2: StoryTurn = {
  role: 'reviewer',
  round: 2,
  say: ['Reading the change: 10 files.', 'The insert comes first now; the recovery asks the acquirer.', 'What is in the stored response?'],
  result: {
    passed: false,
    summary: 'The race is closed. What is stored is more than may be stored.',
    interpretedIntent: INTENT,
    intentSatisfied: true,
    issues: [
      {
        file: CREATE,
        at: "'request_in_progress'",
        severity: 'medium',
        category: 'logic',
        description: 'Clients that get the 409 are not told when to come back: there is no `Retry-After` header.',
      },
      {
        file: 'test/charges/idempotency.test.ts',
        at: "test('the same key charges once'",
        to: 'assert.equal(psp.charges.length, 1);',
        severity: 'medium',
        category: 'testing',
        description: 'No test sends two requests with one key at the same time.',
      },
      {
        file: STORE_FILE,
        at: 'await db.run(COMPLETE_CLAIM',
        severity: 'high',
        category: 'security',
        description:
          'The stored response keeps cardholder data outside the vault.\n\n`complete()` writes the whole answer of the acquirer. It carries `source.name` and `source.last4`; the standards, section 4, allow card data in `vault.*` only.',
        impact: 'A dump of this table is a breach that has to be reported.',
        suggestion: 'Store what `redactCharge` leaves.',
      },
      {
        file: 'src/idempotency/key.ts',
        at: 'return key === undefined || key.length > MAX_LENGTH',
        severity: 'suggestion',
        category: 'style',
        description: 'A key that is too long is silently replaced; a 400 would tell the client.',
      },
    ],
    evidence: [
      {
        claim: 'Cardholder data is stored',
        command: "node -e 'await complete(db, claim, charge)' && select response",
        output: '{"id":"ch_1","amount":500,"currency":"EUR","source":{"name":"C. Holder","last4":"4242"}}',
      },
    ],
    usage: { costUsd: 0.28 },
  },
};

const FIX_2: StoryTurn = {
  role: 'fixer',
  round: 2,
  say: ['editing src/charges/create-charge.ts', 'editing test/charges/idempotency.test.ts', 'node --test: 7 pass'],
  replace: [
    [
      CREATE,
      "throw new HttpError(409, 'request_in_progress');\n",
      "throw new HttpError(409, 'request_in_progress', { 'retry-after': '2' });\n",
    ],
    [
      CREATE,
      '  // The process may have died after the acquirer took the money: it knows the charge by our token.\n  const found = await deps.psp.findByToken(claim.token);\n  if (found !== null) {\n    await deps.idempotency.complete(claim, found);\n    return found;\n  }\n',
      '',
    ],
    [
      STORE_FILE,
      "const SELECT_CLAIM = 'select * from idempotency_claims where key = $1';",
      "const SELECT_CLAIM = 'select * from idempotency_claims where account = $1 and key = $2';",
    ],
    [
      STORE_FILE,
      '  const row = await db.get(SELECT_CLAIM, input.key);\n',
      '  const row = await db.get(SELECT_CLAIM, input.account, input.key);\n',
    ],
    [
      'test/charges/idempotency.test.ts',
      '  assert.deepEqual(second, first);\n  assert.equal(psp.charges.length, 1);\n});\n',
      "  assert.deepEqual(second, first);\n  assert.equal(psp.charges.length, 1);\n});\n\ntest('two requests at the same time charge once, and one is told to come back', async () => {\n  const [db, psp] = [memoryDb(), testAcquirer()];\n  const deps = { db, psp, idempotency: claimStore(db) };\n  const both = await Promise.allSettled([createCharge(chargeRequest('key-1'), deps), createCharge(chargeRequest('key-1'), deps)]);\n  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);\n  assert.equal(psp.charges.length, 1);\n});\n",
    ],
    [
      'docs/api/idempotency.md',
      '# Idempotency\n\n',
      '# Idempotency\n\nA request that moves money may be sent twice: a connection breaks, a proxy gives up, a user presses again.\n\n```\nPOST /v1/charges\nIdempotency-Key: 6f1c…\n```\n\n',
    ],
  ],
  result: {
    summary: 'Tell clients when to come back, and test the race',
    resolutions: [
      { finding: 4, status: 'fixed', note: 'The 409 says `Retry-After: 2`.' },
      { finding: 6, status: 'fixed', note: 'Two requests at once; one charge, one 409.' },
      {
        finding: 8,
        status: 'disputed',
        note: 'The client redacts before it returns, so nothing of `source` reaches this line.\n\n```ts\n// src/acquirer/redact.ts:3, unchanged\nconst { source: _source, billing_details: _billing, ...rest } = raw;\n```',
      },
    ],
    usage: { costUsd: 0.46 },
  },
};

const ROUND_3: readonly StoryTurn[] = [
  {
    role: 'reviewer',
    round: 3,
    agent: 'codex',
    say: ["You've hit your usage limit. Try again at 15:00."],
    exit: 1,
  },
  {
    role: 'reviewer',
    round: 3,
    agent: 'gemini',
    say: ['Reading the change: 10 files.', 'Repeating a request after a kill between charge and complete().'],
    result: {
      passed: false,
      summary: 'A crash at the wrong moment still locks a key, and the stored answer still holds card data.',
      interpretedIntent: INTENT,
      intentSatisfied: true,
      issues: [
        {
          file: CREATE,
          at: 'const charge = await deps.psp.charge({',
          to: 'complete(claim, charge)',
          severity: 'high',
          category: 'logic',
          description:
            'A crash between the charge and `complete()` locks this key for 24 hours.\n\nBy the time `psp.charge` returns the money has moved, but the claim is completed only on the last line. If the process dies in between, the row stays `in_flight` and every retry answers 409 until the sweeper removes it.',
          impact: 'The caller never learns that the charge went through, which is the one thing this feature promises.',
        },
        {
          file: STORE_FILE,
          at: 'await db.run(COMPLETE_CLAIM',
          severity: 'high',
          category: 'security',
          description:
            'The stored response keeps cardholder data outside the vault.\n\n`complete()` stores `source.name` and `source.last4`; nobody calls `redactCharge` on the way.',
          impact: 'A dump of this table is a breach that has to be reported.',
        },
        {
          file: STORE_FILE,
          at: 'await db.run(INSERT_CLAIM_OR_NOTHING, input.account',
          to: 'const row = await db.get(SELECT_CLAIM, input.account, input.key);',
          severity: 'low',
          category: 'logic',
          description:
            'The sweeper can delete the row between the insert and the select.\n\nThen `row` is undefined and the request ends in a 422. One statement with `returning` closes the gap and saves a round trip.',
          becomes: ['  const row = await db.get(UPSERT_CLAIM_RETURNING, input.account, input.key, input.fingerprint, token);'],
        },
        {
          file: 'test/charges/idempotency.test.ts',
          at: 'const both = await Promise.allSettled',
          severity: 'suggestion',
          category: 'testing',
          description: 'The test depends on the order in which two promises are started; a gate in the acquirer would make it certain.',
        },
      ],
      evidence: [
        {
          claim: 'A crash between the charge and complete() locks the key',
          command: 'kill -9 after psp.charge, then repeat the request',
          output: '409 request_in_progress\nexpected 200 with ch_01HX…',
        },
      ],
      usage: { inputTokens: 180_000, outputTokens: 5500 },
    },
  },
];

/** Three rounds that end in a question: one finding came back, one was disputed and upheld, some are settled. */
export const idempotentCharges: Story = {
  title: 'Make charge creation idempotent',
  text: 'A client that repeats `POST /v1/charges` with the same `Idempotency-Key` must be charged once.\n\n- the same key and body give the same answer, for 24 hours\n- the same key with another body is an error\n- a crash at any moment leaves nothing that a retry cannot repair',
  author: 'claude',
  reviewer: ['codex'],
  fixer: 'claude',
  maxRounds: 3,
  ceilingUsd: 3,
  minutesAgo: 66,
  words: [
    { do: 'uphold', reason: 'Nothing calls redactCharge on this path. The acquirer client hands over what it gets.' },
    {
      do: 'comment',
      file: CREATE,
      at: 'const charge = await deps.psp.charge({',
      text: 'This one blocks. The acquirer can look a charge up by our token, so recover from that instead of waiting for the sweeper.',
    },
  ],
  turns: [...AUTHOR, ROUND_1, FIX_1, ROUND_2, FIX_2, ...ROUND_3],
};
