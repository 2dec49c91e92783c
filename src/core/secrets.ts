/** A place in a text that looks like a secret; `index` and `length` cover the value alone, `line` starts at 1. */
export type FoundSecret = { readonly kind: string; readonly index: number; readonly length: number; readonly line: number };

type Pattern = {
  readonly kind: string;
  /** One of these must stand in the text, or the expression is not tried: most texts hold none of them. */
  readonly hints: readonly string[];
  /** Group 1, where there is one, is the value; otherwise it is the whole match. */
  readonly expression: RegExp;
  readonly isReal: (value: string, match: RegExpExecArray) => boolean;
};

/** A token that its provider marks with a prefix, so its shape alone tells what it is. */
function token(kind: string, hints: readonly string[], expression: RegExp): Pattern {
  return { kind, hints, expression, isReal: (value) => !isStub(value) && entropyOf(value) >= 3 };
}

/** What such values are called, and what they are made of. */
const SECRET_NAMES = 'secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|credential';
const RANDOM = '[A-Za-z0-9+/=_.~-]{16,256}';
const GAP = '["\'`\\\\ \\t]{0,8}';

const PATTERNS: readonly Pattern[] = [
  { kind: 'private key', hints: ['PRIVATE KEY'], expression: privateKeyExpression(), isReal: (value) => !isStub(value) },
  token('AWS access key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/g),
  token(
    'AWS secret key',
    ['ecret', 'ECRET'],
    /aws.{0,20}?secret.{0,20}?["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  ),
  token('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g),
  token('GitHub token', ['github_pat_'], /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/g),
  token('GitLab token', ['glpat-', 'glptt-', 'gldt-', 'glrt-'], /\bgl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{20,64}/g),
  token('Slack token', ['xox', 'xapp-'], /\b(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{20,255}/g),
  token('Slack webhook', ['hooks.slack.com'], /hooks\.slack\.com\/(?:services|workflows)\/([A-Za-z0-9_/]{30,90})/g),
  token('Stripe key', ['k_live_', 'whsec_'], /\b(?:(?:sk|rk)_live_[A-Za-z0-9]{20,200}|whsec_[A-Za-z0-9]{32,64})\b/g),
  token('Anthropic key', ['sk-ant-'], /\bsk-ant-[a-z0-9]{2,10}-[A-Za-z0-9_-]{32,200}/g),
  token('OpenAI key', ['sk-'], /\bsk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{40,200}|[A-Za-z0-9]{48})(?![A-Za-z0-9_-])/g),
  token('Google API key', ['AIza'], /\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g),
  token('Google OAuth secret', ['GOCSPX-'], /\bGOCSPX-[A-Za-z0-9_-]{28}/g),
  token('Azure storage key', ['AccountKey='], /\bAccountKey=([A-Za-z0-9+/]{86}==)/g),
  token('npm token', ['npm_'], /\bnpm_[A-Za-z0-9]{36}\b/g),
  token('PyPI token', ['pypi-'], /\bpypi-AgE[A-Za-z0-9_-]{50,255}/g),
  token('Hugging Face token', ['hf_'], /\bhf_[A-Za-z0-9]{34,40}\b/g),
  token('DigitalOcean token', ['_v1_'], /\bdo[opr]_v1_[a-f0-9]{64}\b/g),
  token('SendGrid key', ['SG.'], /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g),
  token('Shopify token', ['shp'], /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g),
  token('Databricks token', ['dapi'], /\bdapi[a-f0-9]{32}\b/g),
  token('Vault token', ['hvs.', 'hvb.'], /\bhv[sb]\.[A-Za-z0-9_-]{24,200}/g),
  token('Telegram bot token', [':AA'], /\b\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/g),
  token('Linear key', ['lin_api_'], /\blin_api_[A-Za-z0-9]{40}\b/g),
  token('age key', ['AGE-SECRET-KEY-1'], /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g),
  token('JSON web token', ['eyJ'], /\beyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{20,1000}/g),
  {
    kind: 'password in a URL',
    hints: ['://'],
    expression: /\b[a-z][a-z0-9+]{1,15}:\/\/([^\s:@/"'`<>]{0,64}):([^\s:@/"'`<>]{4,128})@([A-Za-z0-9.[\]:_-]{1,255})/dg,
    isReal: (value, match) => isRealUrlPassword(value, match[1] ?? '', match[3] ?? ''),
  },
  {
    kind: 'password',
    hints: [''],
    expression: assigned('passw(?:or)?d|passwd|pwd|passphrase', '(?:[^"\'`\\s\\\\]|\\\\[^"\'`\\s]){8,128}'),
    isReal: (value) => !isPlaceholder(value) && entropyOf(value) >= 2.75 && classes(value) >= 3,
  },
  {
    kind: 'secret',
    hints: [''],
    expression: assigned(`(?:${SECRET_NAMES})s?`, RANDOM),
    isReal: isRandom,
  },
  {
    kind: 'secret',
    hints: ['='],
    expression:
      // What stands before the word is looked at last, because the word itself is rare.
      /(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)(?<=(?:^|\\n|["'`])[+-]?[ \t]{0,8}(?:export[ \t]{1,4})?[A-Z0-9_]{0,51})[A-Z0-9_]{0,20}=([^\s"'`#$<>()\\]{12,256})(?=[ \t]{0,8}(?:\r?$|\\{1,7}[nr]|\\{0,7}["'`]))/gm,
    isReal: isRandom,
  },
  {
    kind: 'secret',
    hints: [''],
    // As people write it down, pass it to a program or put it into an address: without quotes.
    expression: new RegExp(`(?:${SECRET_NAMES}|passw(?:or)?d)s?${GAP}(?:[:=]${GAP}|[ \\t]{1,2})(${RANDOM})(?![A-Za-z0-9([{])`, 'gi'),
    isReal: isRandom,
  },
  {
    kind: 'authorization',
    hints: ['earer', 'EARER', 'asic', 'BASIC'],
    expression: new RegExp(`\\b(?:bearer|authorization["'\`\\\\]{0,8}\\s{0,2}[:=]${GAP}basic)[ \\t]{1,4}(${RANDOM})`, 'gi'),
    isReal: (value) => !isPlaceholder(value) && entropyOf(value) >= 3.2,
  },
  token('code of Volley', ['#code='], /#code=([A-Za-z0-9_-]{32})(?![A-Za-z0-9_-])/g),
  token('cookie of Volley', ['volley-'], /\bvolley-\d{1,5}=([A-Za-z0-9_.-]{40,200})/g),
];

/** A value in quotes behind a name; inside of JSON, or of JSON in JSON, there are backslashes before the quotes. */
function assigned(name: string, value: string): RegExp {
  const quote = '\\\\{0,7}["\'`]';
  return new RegExp(`(?:${name})(?:${quote})?\\s{0,8}(?::=|=>|[:=])\\s{0,8}${quote}(${value})${quote}`, 'gi');
}

/** Finds what looks like a real secret; examples and placeholders do not count. */
export function findSecrets(text: string): FoundSecret[] {
  const found: Omit<FoundSecret, 'line'>[] = [];
  for (const pattern of PATTERNS) {
    if (!pattern.hints.some((hint) => text.includes(hint))) continue;
    for (const match of text.matchAll(pattern.expression)) {
      const { index, value } = valueOf(match);
      if (!pattern.isReal(value, match)) continue;
      const length = pattern.kind === 'private key' ? keyLength(text, index, value.length) : value.length;
      if (!found.some((other) => index < other.index + other.length && other.index < index + length)) {
        found.push({ kind: pattern.kind, index, length });
      }
    }
  }
  return withLines(
    text,
    found.toSorted((a, b) => a.index - b.index),
  );
}

/** The text with each secret's value replaced by its kind. */
export function redact(text: string): string {
  let out = '';
  let from = 0;
  for (const { kind, index, length } of findSecrets(text)) {
    out += `${text.slice(from, index)}[secret: ${kind}]`;
    from = index + length;
  }
  return out + text.slice(from);
}

/** Whether a finding of this tag points at a secret; agents have words of their own for it, `hardcoded-secret` and the like. How one is made or compared is none. */
export function isSecretTag(tag: string | null): boolean {
  return tag !== null && /\bsecrets?\b|credential/i.test(tag) && !/random|weak|timing|compare/i.test(tag);
}

/** The header alone is no secret (code that reads keys names it); a header followed by base64 is. */
function privateKeyExpression(): RegExp {
  const header = '-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----';
  const gap = '(?:\\\\[rn]|[\\s"\'`+,;]){0,64}';
  const fields = '(?:[A-Za-z-]{3,20}: [^\\n]{0,80}\\n[ \\t]{0,8}){0,4}';
  return new RegExp(`${header}${gap}${fields}[A-Za-z0-9+/=]{32,}`, 'g');
}

/** A key reaches to its END line if that is near. */
function keyLength(text: string, index: number, matched: number): number {
  const near = text.slice(index, index + 16_384);
  const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/.exec(near);
  return end === null ? matched : Math.max(matched, end.index + end[0].length);
}

function valueOf(match: RegExpExecArray): { readonly index: number; readonly value: string } {
  const password = match.indices?.[2];
  if (password !== undefined) return { index: password[0], value: match[2] ?? '' };
  const value = match[1];
  return value === undefined ? { index: match.index, value: match[0] } : { index: match.index + match[0].lastIndexOf(value), value };
}

function withLines(text: string, found: readonly Omit<FoundSecret, 'line'>[]): FoundSecret[] {
  let line = 1;
  let at = 0;
  return found.map((secret) => {
    for (let next = text.indexOf('\n', at); next !== -1 && next < secret.index; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return { ...secret, line };
  });
}

function isRealUrlPassword(password: string, user: string, host: string): boolean {
  const name = host.replace(/:\d*$/, '');
  const isLocal = !name.includes('.') || /^(?:127\.|0\.0\.0\.0$)|(?:^|\.)(?:local|localhost|internal|test|invalid)$/i.test(name);
  return !isLocal && !/(?:^|\.)example(?:\.|$)/i.test(name) && password !== user && !isPlaceholder(password);
}

/** Long, mixed and without words: such a value comes from a generator, not from a person naming something. */
function isRandom(value: string): boolean {
  if (isPlaceholder(value) || /^(?:[a-z]+:\/\/|\.{0,2}\/)/i.test(value)) return false;
  const words = value
    .split(/[-_.]/)
    .filter((part) => /^(?:[a-z]{2,}|[A-Z][a-z]+|[A-Z]{2,})$/.test(part))
    .join('').length;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && words * 2 < value.length && entropyOf(value) >= 3.2;
}

/** What stands in documentation in the place of a token. */
function isStub(value: string): boolean {
  return /example|placeholder|your[-_]|xxxx|\*\*\*|\.\.\.|redacted|0123456789|1234567890|abcdefghij/i.test(value);
}

function isPlaceholder(value: string): boolean {
  return (
    isStub(value) ||
    /change.?me|dummy|sample|test|fake|mock|insert|replace|secret|passw|token|default|<|>|\$\{|\{\{|%[sd]|^\$|env[.[(]|process\.|^(.)\1+$/i.test(
      value,
    )
  );
}

function classes(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(value)).length;
}

/** Shannon entropy in bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
