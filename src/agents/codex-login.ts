import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import type { AgentSpec } from '../core/settings.ts';
import type { Login } from './agent.ts';
import type { StoredLogin } from './config-home.ts';
import { readResultFile } from './result-file.ts';

/** The file in which Codex keeps its login, below its home. */
export const AUTH_FILE = 'auth.json';

/** The variables that may hold a key; Codex itself looks at the first one alone. */
export const KEY_VARIABLES = ['CODEX_API_KEY', 'OPENAI_API_KEY'] as const;

/** The variable that may name another endpoint, which Codex itself does not look at. */
export const URL_VARIABLE = 'OPENAI_BASE_URL';

type Variables = Readonly<Record<string, string | undefined>>;

/** The account that the environment brings: a key, another endpoint, or both. */
export type OwnAccess = { readonly key: string | null; readonly keyName: string | null; readonly baseUrl: string | null };

/** What the configuration's variables say about the account; a variable that is not named there counts for nothing. */
export function accessOf(spec: Pick<AgentSpec, 'env'>, variables: Variables): OwnAccess {
  const named = (name: string): string | null => (spec.env.includes(name) ? variables[name] || null : null);
  const keyName = KEY_VARIABLES.find((name) => named(name) !== null) ?? null;
  return { keyName, key: keyName === null ? null : named(keyName), baseUrl: named(URL_VARIABLE) };
}

/** The login that works here; `isRenewed`: Codex exchanges the stored tokens for new ones from time to time. */
export type CodexLogin = Login & { readonly isRenewed: boolean };

/** With whose account Codex works: that of the environment, else that of Volley's own login. */
export async function loginOf(spec: Pick<AgentSpec, 'name' | 'billing'>, access: OwnAccess, home: string): Promise<CodexLogin> {
  const { keyName, baseUrl } = access;
  const text = keyName ?? (baseUrl === null ? null : `the endpoint of ${URL_VARIABLE}`);
  if (text !== null) return { by: 'key', billing: spec.billing ?? 'api', text, isRenewed: false };
  const stored = storedLogin((await readResultFile(join(home, AUTH_FILE))).text);
  if (stored !== null) return { by: 'login', ...stored, billing: spec.billing ?? stored.billing };
  return { by: 'none', billing: null, text: `not logged in: ${howToLogIn(spec)}`, isRenewed: false };
}

/** What a person can do about a login that is missing. */
export function howToLogIn({ name }: Pick<AgentSpec, 'name'>): string {
  return `run volley login codex, or name OPENAI_API_KEY under agents.${name}.env`;
}

/** The login of Volley's own, which Codex refreshes by itself five minutes before it expires. */
export function renewableLogin(home: string): StoredLogin {
  return { dir: home, file: AUTH_FILE, isStale: (text) => isExpiring(text, Date.now()) };
}

const AuthFile = z.object({
  auth_mode: z.string().nullish(),
  OPENAI_API_KEY: z.string().nullish(),
  tokens: z.object({ id_token: z.string().nullish(), access_token: z.string().nullish() }).nullish(),
});
const Claims = z.object({
  exp: z.number().nullish(),
  'https://api.openai.com/auth': z.object({ chatgpt_plan_type: z.string().nullish() }).nullish(),
});

function storedLogin(text: string | null): Omit<CodexLogin, 'by'> | null {
  const file = readAuthFile(text);
  if (file?.OPENAI_API_KEY && (file.auth_mode ?? 'apikey') === 'apikey') {
    return { billing: 'api', text: 'OpenAI Platform, logged in with volley login codex', isRenewed: false };
  }
  const token = file?.tokens?.id_token || file?.tokens?.access_token;
  if (!token) return null;
  const plan = claimsOf(token)?.['https://api.openai.com/auth']?.chatgpt_plan_type;
  const name = plan ? `ChatGPT ${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}` : 'ChatGPT';
  return { billing: 'subscription', text: `${name}, logged in with volley login codex`, isRenewed: true };
}

/** A little more than the five minutes, since sessions start at different moments. */
const MARGIN_MS = 6 * 60_000;

function isExpiring(text: string | null, nowMs: number): boolean {
  const token = readAuthFile(text)?.tokens?.access_token;
  const expiresAt = token ? claimsOf(token)?.exp : null;
  return typeof expiresAt === 'number' && expiresAt * 1000 - nowMs < MARGIN_MS;
}

function readAuthFile(text: string | null): z.infer<typeof AuthFile> | null {
  const parsed = parseJson(text ?? '');
  return parsed.ok ? (AuthFile.safeParse(parsed.value).data ?? null) : null;
}

/** What a token says of itself; nobody checks its signature, since nothing is decided by it. */
function claimsOf(token: string): z.infer<typeof Claims> | null {
  const parsed = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return parsed.ok ? (Claims.safeParse(parsed.value).data ?? null) : null;
}
