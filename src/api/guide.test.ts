import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ClientFrame, LiveTopic, ServerFrame } from './contract/live.ts';
import type { Route } from './contract/route.ts';
import { ROUTES } from './contract.ts';
import { STATUS } from './http-error.ts';
import { LIVE_LIMITS } from './live-limits.ts';

const API_FILE = new URL('../../docs/api.md', import.meta.url);
const API = readFileSync(API_FILE, 'utf8');
const LIVE = readFileSync(new URL('../../docs/live.md', import.meta.url), 'utf8');

/** The rows below a heading that begin like this, up to the next heading of the same level. */
function rows(guide: string, heading: string, start: RegExp): readonly string[] {
  const [, part = ''] = guide.split(`\n${heading}\n`);
  const [level = ''] = heading.split(' ');
  return (part.split(`\n${level} `)[0] ?? '').split('\n').filter((line) => start.test(line));
}

function jsonLines(guide: string): readonly string[] {
  return guide.split('\n').filter((line) => line.startsWith('{"type":') && !line.includes('…'));
}

test('the guide lists every route, by its part of the API, with its name and what it does', async () => {
  const at = API.indexOf('\n### review-loop\n') + 1;
  const current = `${API.slice(0, at)}${routeTables()}`;
  if (process.env['VOLLEY_UPDATE'] === '1') await writeFile(API_FILE, current);
  assert.equal(API, current);
});

/** Made anew with VOLLEY_UPDATE=1. */
function routeTables(): string {
  const routes = Object.entries<Route>(ROUTES);
  const tags = [...new Set(routes.map(([, { tag }]) => tag))];
  const row = (name: string, { method, path, summary }: Route): string => `| \`${method} ${path}\` | \`${name}\` | ${summary} |\n`;
  const table = (tag: string): string => routes.flatMap(([name, route]) => (route.tag === tag ? [row(name, route)] : [])).join('');
  return tags.map((tag) => `### ${tag}\n\n| route | name | what |\n|---|---|---|\n${table(tag)}`).join('\n');
}

test('the guide lists every code with its status', () => {
  const told = rows(API, '## Errors', /^\| `/).map((row) =>
    row
      .split('|')
      .slice(1, 3)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  assert.deepEqual(
    told.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    Object.entries(STATUS)
      .map(([code, status]) => [code, String(status)])
      .toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
  );
});

/** Every one of them: the compiler misses the others. */
const TYPES: Record<ServerFrame['type'], true> = {
  hello: true,
  subscribed: true,
  event: true,
  unreadable: true,
  output: true,
  snapshot: true,
  pong: true,
  error: true,
  'review-loop:state-changed': true,
  'review-loop:review-completed': true,
  'review-loop:refinement-completed': true,
  'review-loop:pr-feedback-received': true,
  'review-loop:ready-for-human': true,
  'review-loop:error': true,
};

test('every kind of frame and every topic is in the guide, and its examples are frames', () => {
  for (const type of Object.keys(TYPES)) assert.match(LIVE, new RegExp(`["\`]${type}["\`]`));
  for (const topic of LiveTopic.options) assert.ok(LIVE.includes(`\`${topic}\``), topic);
  const examples = [...LIVE.matchAll(/^← (.*)$/gm)].map(([, text = '']) => text);
  assert.ok(jsonLines(LIVE).length > 6);
  for (const text of [...jsonLines(LIVE), ...examples]) ServerFrame.parse(JSON.parse(text));
  for (const [, text = ''] of LIVE.matchAll(/^→ (.*)$/gm)) ClientFrame.parse(JSON.parse(text));
});

test('the guide tells the limits of the live channel as they are', () => {
  const { clients, entriesBehind, snapshotLoops, badFrames, waitingFrames, pendingBytes, deadMs } = LIVE_LIMITS;
  const told = rows(LIVE, '## Limits', /^\| /).map((row) => row.split('|')[2]?.trim() ?? '');
  assert.deepEqual(
    told.slice(1).map((cell) => Number.parseInt(cell.replace(/^is closed after a minute$/, '60'), 10)),
    [clients, pendingBytes / 1024 / 1024, entriesBehind, snapshotLoops, 256, badFrames, waitingFrames, deadMs / 1000],
  );
});
