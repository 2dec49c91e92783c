import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFailure, untilOf } from './codex-failure.ts';

const NOW = Date.parse('2026-11-15T23:10:00Z');

test('what Codex says when it gives up tells why', () => {
  const cases: readonly (readonly [said: string, reason: string])[] = [
    ['unexpected status 401 Unauthorized: Incorrect API key provided, url: https://api.example.invalid/v1/responses', 'logged-out'],
    ['workspace routing discovery unauthorized (401)', 'logged-out'],
    ['Your access token could not be refreshed because your refresh token was revoked. Please log out and sign in again.', 'logged-out'],
    ['Failed to refresh token: 400 Bad Request', 'logged-out'],
    ['Failed to refresh token: 503 Service Unavailable', 'crashed'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'limited'],
    ['You’ve hit your usage limit. Upgrade to Pro or try again later.', 'limited'],
    ['Quota exceeded. Check your plan and billing details.', 'limited'],
    ['exceeded retry limit, last status: 503 Service Unavailable', 'crashed'],
    ['stream disconnected before completion: 401 lines were read', 'crashed'],
    ['', 'crashed'],
  ];
  for (const [said, reason] of cases) assert.equal(readFailure(said, NOW).reason, reason, said);
});

test('words are kept, and what is noise in them is not', () => {
  const said = JSON.stringify({ error: { message: 'Invalid schema\nfor response_format', type: 'x', code: null } });
  assert.equal(readFailure(said, NOW).message, 'It gave up: Invalid schema for response_format.');
  const refused = 'unexpected status 401 Unauthorized: Wrong key., url: https://api.example.invalid/v1, cf-ray: 1, request id: 2';
  assert.equal(readFailure(refused, NOW).message, '401 Unauthorized: Wrong key.');
  assert.equal(readFailure(' ', NOW).message, 'It gave up: It gave no reason.');
});

test('no key is repeated', () => {
  const key = `sk-proj-${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xYzaB3dE5fG7hI9'}`;
  assert.doesNotMatch(readFailure(`401 Unauthorized: Incorrect API key provided: ${key}`, NOW).message, /aB3dE5/);
});

test('a limit’s end is read as Codex writes it', () => {
  const cases: readonly (readonly [words: string, until: string | null])[] = [
    ['or try again at Nov 18th, 2026 11:00 AM.', '2026-11-18T11:00:00.000Z'],
    ['or try again at Nov 21st, 2026 12:05 AM.', '2026-11-21T00:05:00.000Z'],
    ['or try again at Dec 2nd, 2026 12:05 PM.', '2026-12-02T12:05:00.000Z'],
    ['Try again at 11:25 PM.', '2026-11-15T23:25:00.000Z'],
    ['Try again at 11:10 PM.', '2026-11-15T23:10:00.000Z'],
    ['Try again at 1:30 AM.', '2026-11-16T01:30:00.000Z'],
    ['Please try again in 11.5s.', '2026-11-15T23:10:11.500Z'],
    ['Please try again in 900ms.', '2026-11-15T23:10:00.900Z'],
    ['Try again in 1 day 2 hours 3 minutes.', '2026-11-17T01:13:00.000Z'],
    ['or try again later.', null],
    ['try again at Foo 99th, 2026 1:00 AM.', null],
    ['try again at Nov 18th, 2027 1:00 AM.', null],
    ['try again in 999999999999 days.', null],
    [`try again in ${'9'.repeat(400)} days.`, null],
  ];
  for (const [words, until] of cases) assert.equal(untilOf(words, NOW), until, words);
});
