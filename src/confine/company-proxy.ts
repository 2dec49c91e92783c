import { BlockList, isIP } from 'node:net';
import type { Variables } from './variables.ts';
import { parseTarget } from './host-list.ts';
import type { Target } from './host-list.ts';

/** A proxy that the user's own programs have to go through. */
export type CompanyProxy = {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly authorization: string | null;
};

/** Which proxy of the user's environment leads to a target; null for none. One that we cannot use is an error. */
export function companyProxy(user: Variables, target: Target, scheme: 'http' | 'https'): CompanyProxy | null {
  const value = firstOf(user, `${scheme}_proxy`, 'all_proxy');
  if (value === null || isExempt(target, firstOf(user, 'no_proxy') ?? '')) return null;
  const url = URL.parse(/^[a-z\d+.-]+:\/\//i.test(value) ? value : `http://${value}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Error('The proxy of your environment is neither http nor https, and no other kind is understood');
  }
  const secure = url.protocol === 'https:';
  const account = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    authorization: account === ':' ? null : `Basic ${Buffer.from(account).toString('base64')}`,
  };
}

/** People write these names in small letters or capitals. */
function firstOf(user: Variables, ...names: readonly string[]): string | null {
  const values = names.flatMap((name) => [user[name], user[name.toUpperCase()]]);
  return values.find((value) => value !== undefined && value !== '') ?? null;
}

function isExempt(target: Target, list: string): boolean {
  if (target.host === 'localhost' || target.host === '::1' || target.host.startsWith('127.')) return true;
  return list.split(/[\s,]+/).some((entry) => entry === '*' || (entry !== '' && matches(target, entry)));
}

function matches({ host, port }: Target, entry: string): boolean {
  if (entry.includes('/')) return isInRange(host, entry);
  const exempt = parseTarget(entry.replace(/^\*?\./, ''), port);
  if (exempt === null || exempt.port !== port) return false;
  return host === exempt.host || (isIP(host) === 0 && host.endsWith(`.${exempt.host}`));
}

function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const version = isIP(network);
  if (version === 0 || isIP(host) !== version || !/^\d{1,3}$/.test(bits) || Number(bits) > (version === 4 ? 32 : 128)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list.check(host, family);
}
