import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseValue } from './parse-value.ts';

const VALUES: readonly (readonly [path: string, typed: string, value: unknown])[] = [
  ['policy.maxRounds', '5', 5],
  ['policy.ceiling.loop', '2.50', 2.5],
  ['policy.ceiling.loop', 'none', 'none'],
  ['policy.timeouts.fix', '30m', '30m'],
  ['review.enabled', 'false', false],
  ['agents.claude.model', '4', '4'],
  ['commit.message', 'fix: {n}', 'fix: {n}'],
  ['pullRequest.label', '', ''],
  ['roles.reviewer', 'codex', 'codex'],
  ['roles.reviewer', 'codex, claude', ['codex', 'claude']],
  ['roles.reviewer', '[codex, claude]', ['codex', 'claude']],
  ['checkout.copy', '.env,.npmrc', ['.env', '.npmrc']],
  ['checkout.copy', '[]', []],
  ['gates', 'pytest -k "a,b"', ['pytest -k "a,b"']],
  ['gates', '[npm test, { name: lint, run: make lint }]', ['npm test', { name: 'lint', run: 'make lint' }]],
  ['agents.mine.run', '["bash", "a b.sh"]', ['bash', 'a b.sh']],
  ['policy.ceiling', '{ loop: 5, day: 9 }', { loop: 5, day: 9 }],
];

for (const [path, typed, value] of VALUES) {
  test(`${JSON.stringify(typed)} for ${path} is read as what it needs`, () => {
    assert.deepEqual(parseValue(path.split('.'), typed), value);
  });
}

const MISTAKES: readonly (readonly [path: string, typed: string, message: string])[] = [
  ['policy.maxRounds', '0', 'policy.maxRounds must be a whole number of at least 1'],
  ['policy.maxRounds', '', 'policy.maxRounds must be a whole number of at least 1'],
  ['review.enabled', 'yes', 'review.enabled must be true or false, not text'],
  ['policy.blockAt', 'hihg', 'policy.blockAt must be one of critical, high, medium, low, suggestion; did you mean high?'],
  ['notify.channels', 'github,slak', 'notify.channels[1] must be one of github, slack, email, webhook; did you mean slack?'],
  ['policy', 'x', 'policy must be a group of settings, not text'],
  ['policy.ceiling', '{ lop: 5 }', 'policy.ceiling.lop is not a setting; did you mean loop?'],
  ['policy.timeouts.fix', '30', 'policy.timeouts.fix must be a duration like 90s, 60m or 2h, at most 500h'],
  [
    'notify.slack.webhook',
    'https://example.invalid',
    'notify.slack.webhook must name an environment variable, like env:SLACK_WEBHOOK; secrets are never written in the file',
  ],
];

for (const [path, typed, message] of MISTAKES) {
  test(`${JSON.stringify(typed)} is no value for ${path}`, () => {
    assert.throws(() => parseValue(path.split('.'), typed), { code: 'bad-config', message });
  });
}

test('a secret is refused without being repeated, wherever it stands', () => {
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  for (const [path, typed] of [
    ['agents.mine.run', `[tool, --token=${token}]`],
    ['commit.message', token],
  ] as const) {
    assert.throws(
      () => parseValue(path.split('.'), typed),
      (error: Error) => /looks like a secret \(GitHub token\)/.test(error.message) && !JSON.stringify(error).includes(token),
    );
  }
});
