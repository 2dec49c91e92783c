import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSecrets, isSecretTag, redact } from './secrets.ts';

/** Letters and digits in a fixed, well mixed order, so that no sample stands in this file as a whole. */
function mixed(length: number, alphabet = 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z'): string {
  let out = '';
  for (let i = 0, at = 7; i < length; i += 1, at = (at * 5 + 11 + i) % alphabet.length) out += alphabet[at] ?? '';
  return out;
}

const HEX = 'a1f29c3e84b6d705';
const UPPER = 'QZ7WSX3EDC5RFV2TGB6YHN4UJM';

const SAMPLES: readonly (readonly [kind: string, text: string])[] = [
  ['AWS access key', `key = ${'AK'}IA${mixed(16, 'QZWSX3EDC5RFV2TGB6YHN4UJM7')}`],
  ['AWS secret key', `aws_${'secret'}_access_key = ${mixed(40)}`],
  ['GitHub token', `${'gh'}p_${mixed(36)}`],
  ['GitHub token', `${'github'}_pat_${mixed(22)}_${mixed(59)}`],
  ['GitLab token', `${'glp'}at-${mixed(20)}`],
  ['Slack token', `${'xo'}xb-${mixed(12, '0918273645')}-${mixed(24)}`],
  ['Slack webhook', `https://hooks.${'slack'}.com/services/T${mixed(9, UPPER)}/B${mixed(9, UPPER)}/${mixed(24)}`],
  ['Stripe key', `${'sk'}_live_${mixed(24)}`],
  ['Anthropic key', `${'sk'}-ant-api03-${mixed(90)}`],
  ['OpenAI key', `${'sk'}-proj-${mixed(100)}`],
  ['OpenAI key', `${'sk'}-${mixed(48)}`],
  ['Google API key', `${'AI'}za${mixed(35)}`],
  ['Azure storage key', `DefaultEndpointsProtocol=https;${'Account'}Key=${mixed(86)}==`],
  ['npm token', `//registry.example.invalid/:_authToken=${'np'}m_${mixed(36)}`],
  ['Hugging Face token', `${'h'}f_${mixed(34)}`],
  ['SendGrid key', `${'S'}G.${mixed(22)}.${mixed(43)}`],
  ['Databricks token', `${'da'}pi${mixed(32, HEX)}`],
  ['JSON web token', `Bearer ${'ey'}J${mixed(20)}.${'ey'}J${mixed(40)}.${mixed(43)}`],
  ['private key', `${'-----BEGIN'} RSA PRIVATE KEY-----\n${mixed(64)}\n${mixed(64)}\n${'-----END'} RSA PRIVATE KEY-----`],
  ['private key', `const pem = "${'-----BEGIN'} PRIVATE KEY-----\\n${mixed(64)}\\n${'-----END'} PRIVATE KEY-----"`],
  ['password in a URL', `postgres://app:${mixed(14)}@db.prod.acme.io:5432/app`],
  ['password', `const db = { password: '${'kL9'}#${'vQ2'}!pz' };`],
  ['secret', `client_${'secret'}: "${mixed(40)}"`],
  ['secret', `SESSION_${'SECRET'}=${mixed(32)}`],
  ['secret', `API_${'TOKEN'}=${mixed(32)} npm publish`],
  ['secret', `use ${'token'}: ${mixed(43)} for it`],
  ['secret', `X-Api-${'Key'}: ${mixed(32)}`],
  ['secret', `login --${'token'} ${mixed(32)}`],
  ['secret', `https://api.acme.io/v1?access_${'token'}=${mixed(32)}&page=2`],
  ['secret', `//npm.acme.io/:_auth${'Token'}=${mixed(36)}`],
  ['secret', `${'password'}: ${mixed(20)}`],
  ['authorization', `curl -H 'Authorization: ${'Bearer'} ${mixed(43)}'`],
  ['authorization', `{"authorization": "${'Basic'} ${mixed(32)}"}`],
  ['code of Volley', `http://127.0.0.1:4780/#${'code'}=${mixed(32)}`],
  ['cookie of Volley', `cookie: ${'volley'}-4780=${mixed(16)}.1789000000000.${mixed(43)}`],
];

for (const [kind, text] of SAMPLES) {
  test(`a ${kind} is found and its value is not printed: ${text.slice(0, 12)}…`, () => {
    const found = findSecrets(`first line\n${text}\nlast line`);
    assert.deepEqual(
      found.map((secret) => [secret.kind, secret.line]),
      [[kind, 2]],
    );
    const clean = redact(`first line\n${text}\nlast line`);
    assert.match(clean, new RegExp(`\\[secret: ${kind}\\]`));
    assert.ok(!clean.includes(mixed(14)), clean);
  });
}

const HARMLESS: readonly string[] = [
  'AKIAIOSFODNN7EXAMPLE',
  'password = "changeme"',
  "password: '${DB_PASSWORD}'",
  'password: "your-password-here"',
  'const password = process.env.PASSWORD;',
  'const token = "access-token-cookie-name-v2";',
  "const secretKey = 'session.secret.key.name';",
  'API_KEY=<insert your key here>',
  'API_TOKEN=$(cat /run/token)',
  'TOKEN=xxxxxxxxxxxxxxxxxxxxxxxx',
  'postgres://postgres:postgres@localhost:5432/app',
  'postgres://user:password@db.example.com/app',
  'mysql://root:hunter22@mysql:3306/app',
  'https://github.com/owner/repo.git',
  'git@github.com:owner/repo.git',
  `if (text.startsWith('${'-----BEGIN'} PRIVATE KEY-----')) return parse(text);`,
  'sha512-9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08==',
  'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'type Secret = { kind: string };',
  'const token: string = generateToken32(user, 3600);',
  'password: req.body.password1,',
  'secret = crypto.randomBytes(32).toString("hex")',
  'token = await this.auth.createToken2(account)',
  'tokens: inputTokens4o + outputTokens4o',
  'WWW-Authenticate: Bearer realm="acme-2026-internal"',
  'the token file /home/me/.local/state/volley/x-12ab34cd/server/token',
  'secret: secrets.MY_DEPLOY_KEY_V2_PROD',
  '',
];

for (const text of HARMLESS) {
  test(`this is no secret: ${text.slice(0, 50)}`, () => {
    assert.deepEqual(findSecrets(text), []);
    assert.equal(redact(text), text);
  });
}

test('several secrets of a text are found in order, each with its line', () => {
  const text = `a\n${'gh'}p_${mixed(36)}\nb\n${'np'}m_${mixed(36)}\r\n${'gh'}o_${mixed(36)}`;
  assert.deepEqual(
    findSecrets(text).map(({ kind, line }) => [kind, line]),
    [
      ['GitHub token', 2],
      ['npm token', 4],
      ['GitHub token', 5],
    ],
  );
});

test('a private key is redacted from its first to its last line', () => {
  const key = `${'-----BEGIN'} OPENSSH PRIVATE KEY-----\n${mixed(70)}\n${mixed(30)}\n${'-----END'} OPENSSH PRIVATE KEY-----`;
  assert.equal(redact(`x\n${key}\ny`), 'x\n[secret: private key]\ny');
});

test('a secret in code is found in JSON too, and in JSON that is a text of JSON', () => {
  const code = [
    `const api${'Key'} = "${mixed(24)}";`,
    `x\nSESSION_${'SECRET'}=${mixed(32)}\ny`,
    `+export API_${'TOKEN'}=${mixed(32)}`,
    `pass${'word'}: 'kL9#${mixed(9)}'`,
  ];
  for (const text of code) {
    const once = JSON.stringify({ text });
    for (const written of [text, once, JSON.stringify([once])]) {
      assert.ok(!redact(written).includes(mixed(9)), written);
      if (written !== text) JSON.parse(redact(written));
    }
  }
});

test('long lines without a secret are read in time that grows with their length only', () => {
  for (const piece of [
    'a',
    'secret=',
    'eyJ',
    '-----BEGIN PRIVATE KEY-----',
    'aws',
    'http://a:',
    'password:"',
    'TOKEN',
    '"TOKEN=',
    '\\\\',
    ' ',
  ]) {
    const text = piece.repeat(Math.ceil(300_000 / piece.length));
    assert.ok(findSecrets(text).length <= 1);
  }
});

test('a tag that points at a secret is told from one about how secrets are made', () => {
  for (const tag of ['secret', 'hardcoded-secret', 'js-literal-secret', 'Secrets in code', 'leaked credential'])
    assert.ok(isSecretTag(tag), tag);
  for (const tag of [null, 'js-random-secret', 'go-weak-secret', 'secret-compare', 'secretary', 'logic'])
    assert.ok(!isSecretTag(tag), String(tag));
});
