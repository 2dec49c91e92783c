import { redact } from '../core/secrets.ts';
import type { FailureReason } from './agent.ts';
import type { Result } from './claude-lines.ts';

/** Why a session of Claude Code counts for nothing, in words. */
export type ClaudeFailure = { readonly reason: FailureReason; readonly message: string };

/** The kinds of errors by which Claude Code says that its account does not serve. */
const LOGGED_OUT = new Set(['authentication_failed', 'oauth_org_not_allowed', 'account_on_hold', 'verification_required']);
/** A balance that is used up passes too, once somebody pays. */
const LIMITED = new Set(['rate_limit', 'billing_error']);
const LONGEST = 300;

/** Says why a turn failed; `errorKind` is what the stream called the last error. */
export function claudeFailure(result: Result, { errorKind, howToLogIn }: { errorKind: string | null; howToLogIn: string }): ClaudeFailure {
  const words = wordsOf(result);
  if (isLoggedOut(result, errorKind)) return { reason: 'logged-out', message: `It is not logged in: ${howToLogIn}${said(words)}.` };
  if (result.api_error_status === 429 || LIMITED.has(errorKind ?? ''))
    return { reason: 'limited', message: `It is limited${said(words)}.` };
  switch (result.subtype) {
    case 'error_max_budget_usd':
      return { reason: 'crashed', message: 'It has spent what it was allowed.' };
    case 'error_max_structured_output_retries':
      return { reason: 'bad-result', message: 'It gave no result that fits its form.' };
    default:
      return { reason: 'crashed', message: `It gave up${said(words)}.` };
  }
}

function isLoggedOut({ api_error_status: status, result }: Result, errorKind: string | null): boolean {
  if (status === 401 || /^not logged in|please run \/login|token (?:has been )?revoked/i.test(result ?? '')) return true;
  // It calls everything so that is forbidden; a proxy may forbid it too, or the model's own terms, and no login helps then.
  if (status === 403 && errorKind === 'authentication_failed') return false;
  return LOGGED_OUT.has(errorKind ?? '');
}

/** What Claude Code says about it, without the marks that are meant for its own screen. */
function wordsOf({ result, errors }: Result): string {
  const text = (result ?? '') === '' ? (errors ?? []).join('; ') : (result ?? '');
  return redact(text)
    .replaceAll(/\s+/g, ' ')
    .replace(/ · Please run \/login/i, '')
    .replace(/^(?:Failed to authenticate\. )?API Error: /, '')
    .trim()
    .slice(0, LONGEST)
    .replace(/\.+$/, '');
}

function said(words: string): string {
  return words === '' || /^not logged in$/i.test(words) ? '' : `: ${words}`;
}
