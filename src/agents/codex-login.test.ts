import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { plainAgent } from '../core/settings.ts';
import type { AgentSpec } from '../core/settings.ts';
import { accessOf, loginOf, renewableLogin } from './codex-login.ts';
import type { CodexLogin } from './codex-login.ts';

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'volley-codex-login-'));
});
after(async () => await rm(home, { recursive: true, force: true }));

const HOUR_S = 60 * 60;

function spec(change: Partial<AgentSpec> = {}): AgentSpec {
  return plainAgent({ name: 'codex', driver: 'codex', ...change });
}

/** A token as the provider makes them, which nobody has signed. */
function token(claims: object): string {
  return `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
}

async function stored(file: unknown, change: Partial<AgentSpec> = {}): Promise<CodexLogin> {
  await writeFile(join(home, 'auth.json'), typeof file === 'string' ? file : JSON.stringify(file));
  return await loginOf(spec(change), accessOf(spec(), {}), home);
}

test('a key counts only where the configuration names it', () => {
  const variables = { OPENAI_API_KEY: 'one', CODEX_API_KEY: 'two', OPENAI_BASE_URL: 'http://x' };
  assert.deepEqual(accessOf(spec(), variables), { key: null, keyName: null, baseUrl: null });
  assert.equal(accessOf(spec({ env: ['OPENAI_API_KEY'] }), variables).key, 'one');
  assert.equal(accessOf(spec({ env: ['OPENAI_API_KEY', 'CODEX_API_KEY'] }), variables).key, 'two');
  assert.equal(accessOf(spec({ env: ['OPENAI_API_KEY'] }), { OPENAI_API_KEY: '' }).key, null);
  assert.equal(accessOf(spec({ env: ['OPENAI_BASE_URL'] }), variables).baseUrl, 'http://x');
});

test('a key comes before the login of Volley’s own', async () => {
  await writeFile(join(home, 'auth.json'), JSON.stringify({ OPENAI_API_KEY: 'stored' }));
  const access = accessOf(spec({ env: ['OPENAI_API_KEY'] }), { OPENAI_API_KEY: 'one' });
  assert.deepEqual(await loginOf(spec(), access, home), { by: 'key', billing: 'api', text: 'OPENAI_API_KEY', isRenewed: false });
});

test('a login with ChatGPT is a subscription, and names its plan', async () => {
  const auth = { chatgpt_plan_type: 'pro' };
  const tokens = { id_token: token({ 'https://api.openai.com/auth': auth }), access_token: 'x', refresh_token: 'r' };
  const login = await stored({ auth_mode: 'chatgpt', OPENAI_API_KEY: null, tokens });
  const text = 'ChatGPT Pro, logged in with volley login codex';
  assert.deepEqual(login, { by: 'login', billing: 'subscription', text, isRenewed: true });
  assert.equal((await stored({ tokens: { access_token: 'unreadable' } })).text, 'ChatGPT, logged in with volley login codex');
  assert.equal((await stored({ tokens }, { billing: 'api' })).billing, 'api');
});

test('a login with a key of the platform is paid by use', async () => {
  const login = await stored({ auth_mode: 'apikey', OPENAI_API_KEY: 'stored' });
  assert.deepEqual([login.by, login.billing, login.isRenewed], ['login', 'api', false]);
});

test('whoever is not logged in is told how to', async () => {
  for (const file of ['', '{}', 'no JSON', { OPENAI_API_KEY: '' }, { tokens: {} }]) {
    const { by, billing, text } = await stored(file, { name: 'coder' });
    assert.deepEqual([by, billing], ['none', null]);
    assert.match(text, /volley login codex.*OPENAI_API_KEY under agents\.coder\.env/);
  }
});

test('a login is stale shortly before it expires', () => {
  const login = renewableLogin(home);
  const isStale = (text: string | null): boolean => login.isStale(text);
  const file = (seconds: number): string =>
    JSON.stringify({ tokens: { access_token: token({ exp: Math.floor(Date.now() / 1000) + seconds }) } });
  assert.deepEqual([file(HOUR_S), file(4 * 60), file(-1)].map(isStale), [false, true, true]);
  assert.deepEqual([null, '', '{"OPENAI_API_KEY":"x"}'].map(isStale), [false, false, false]);
});
