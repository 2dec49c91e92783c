import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../core/readers/coerce.ts';
import type { AgentSpec, Billing } from '../core/settings.ts';
import type { Login } from './agent.ts';
import type { GuardedLogin, StoredLogin } from './config-home.ts';
import { readResultFile } from './result-file.ts';

/** The login of Claude Code that works here; `isRenewed`: its program exchanges the stored tokens for new ones from time to time. */
export type ClaudeLogin = Login & { readonly isRenewed: boolean };

type Key = { readonly variable: string; readonly billing: Billing };

/** What can take the place of a login. Claude Code asks a cloud's own variables for the rest where one of those is set. */
const KEYS: readonly Key[] = [
  { variable: 'CLAUDE_CODE_USE_BEDROCK', billing: 'api' },
  { variable: 'CLAUDE_CODE_USE_VERTEX', billing: 'api' },
  { variable: 'CLAUDE_CODE_USE_FOUNDRY', billing: 'api' },
  { variable: 'CLAUDE_CODE_USE_ANTHROPIC_AWS', billing: 'api' },
  { variable: 'CLAUDE_CODE_USE_MANTLE', billing: 'api' },
  { variable: 'ANTHROPIC_AUTH_TOKEN', billing: 'api' },
  { variable: 'ANTHROPIC_API_KEY', billing: 'api' },
  { variable: 'CLAUDE_CODE_OAUTH_TOKEN', billing: 'subscription' },
];

/** The file in which Claude Code keeps its tokens, below the folder that it is told. */
const TOKENS = '.credentials.json';
/** Claude Code exchanges a token in the last five minutes of its life; a session may start a little later than it is asked about. */
const STALE_MS = 10 * 60_000;
/** Tokens live for eight hours; a session that outlives them must be able to exchange them, and few last longer than this. */
const SESSION_MS = 2 * 60 * 60_000;

const Tokens = z.object({
  accessToken: z.string().min(1),
  /** Empty: its server has ended the login. */
  refreshToken: z.string().nullish(),
  expiresAt: z.number().nullish(),
  subscriptionType: z.string().nullish(),
});
type Tokens = z.infer<typeof Tokens>;
const TokenFile = z.object({ claudeAiOauth: Tokens });

/** What is taken over from the settings that Claude Code's own login wrote: all else in there could be somebody else's. */
const Account = z.object({ primaryApiKey: z.string().min(1).optional(), oauthAccount: z.record(z.string(), z.json()).optional() });
export type Account = z.infer<typeof Account>;

/** Asks for the plan of a login that lies elsewhere than in the home. */
export type AskPlan = () => Promise<{ readonly plan: string | null } | null>;

/** With whose account Claude Code works: a key that the configuration names comes first, then the login in Volley's home. */
export async function claudeLogin(spec: AgentSpec, home: string, askPlan: AskPlan | null = null): Promise<ClaudeLogin> {
  const key = KEYS.find(({ variable }) => spec.env.includes(variable) && isSet(variable));
  if (key !== undefined) return { by: 'key', billing: spec.billing ?? key.billing, text: key.variable, isRenewed: false };
  const [tokens, account] = await Promise.all([readTokens(home), readAccount(home)]);
  if (tokens !== null) return subscription(spec, tokens.subscriptionType ?? null, true);
  if (account?.primaryApiKey !== undefined) {
    const text = 'Anthropic Console, logged in with volley login claude';
    return { by: 'login', billing: spec.billing ?? 'api', text, isRenewed: false };
  }
  const asked = (await askPlan?.()) ?? null;
  if (asked !== null) return subscription(spec, asked.plan, false);
  return { by: 'none', billing: null, text: `not logged in: ${howToLogIn(spec)}`, isRenewed: false };
}

/** What a person can do about a login that is missing. */
export function howToLogIn({ name }: Pick<AgentSpec, 'name'>): string {
  return `run volley login claude, or name ANTHROPIC_API_KEY under agents.${name}.env`;
}

/** The account that a person logged in with; null where nobody did. */
export async function readAccount(home: string): Promise<Account | null> {
  const { text } = await readResultFile(join(home, '.claude.json'));
  return parsed(Account, text);
}

/** The stored tokens, and whether the next session will exchange them. */
export function storedLogin(home: string): StoredLogin & GuardedLogin {
  return { dir: home, file: TOKENS, isStale: (text) => expiresWithin(STALE_MS, tokensIn(text)), mayFollow };
}

/** Whether a session that starts now may have to exchange the stored tokens before it ends. */
export async function isRefreshDue(home: string): Promise<boolean> {
  return expiresWithin(SESSION_MS, await readTokens(home));
}

/**
 * Tokens do not say whose they are; but those that an exchange brings are whole, and live longer. What Claude Code learns of the plan it
 * writes beside the tokens that are there.
 */
function mayFollow(before: string, after: string): boolean {
  const [old, fresh] = [tokensIn(before), tokensIn(after)];
  if (old === null || fresh === null || !fresh.refreshToken) return false;
  const isSame = fresh.accessToken === old.accessToken && fresh.refreshToken === old.refreshToken;
  return isSame ? fresh.expiresAt === old.expiresAt : (fresh.expiresAt ?? 0) > (old.expiresAt ?? 0);
}

async function readTokens(home: string): Promise<Tokens | null> {
  const tokens = tokensIn((await readResultFile(join(home, TOKENS))).text);
  return tokens?.refreshToken === '' ? null : tokens;
}

function tokensIn(text: string | null): Tokens | null {
  return parsed(TokenFile, text)?.claudeAiOauth ?? null;
}

function expiresWithin(spanMs: number, tokens: Tokens | null): boolean {
  const expiresAt = tokens?.expiresAt ?? null;
  return expiresAt !== null && expiresAt < Date.now() + spanMs;
}

function subscription(spec: AgentSpec, plan: string | null, isRenewed: boolean): ClaudeLogin {
  const name = plan === null || plan === '' ? 'Claude' : `Claude ${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;
  return { by: 'login', billing: spec.billing ?? 'subscription', text: `${name}, logged in with volley login claude`, isRenewed };
}

function isSet(variable: string): boolean {
  const value = process.env[variable] ?? '';
  // The variables of clouds are switches.
  return value !== '' && !(variable.startsWith('CLAUDE_CODE_USE_') && /^(?:0|false|no|off)$/i.test(value));
}

function parsed<T>(schema: z.ZodType<T>, text: string | null): T | null {
  const read = parseJson(text ?? '');
  return read.ok ? (schema.safeParse(read.value).data ?? null) : null;
}
