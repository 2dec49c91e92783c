/** Where a program wants to go; the name in small letters, without brackets and without a dot at its end. */
export type Target = { readonly host: string; readonly port: number };

/** A host without a port is meant for https. */
const DEFAULT_PORT = 443;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Reads `host`, `host:port` or `[address]:port`; null for what is none of these. */
export function parseTarget(text: string, defaultPort: number | null = DEFAULT_PORT): Target | null {
  const match = /^(?:\[([0-9a-f:.]+)\]|((?:\*\.)?[\w.-]+))(?::(\d{1,5}))?$/i.exec(text);
  const host = (match?.[1] ?? match?.[2] ?? '').toLowerCase().replace(/\.$/, '');
  const port = match?.[3] === undefined ? defaultPort : Number(match[3]);
  return host === '' || port === null || port < 1 || port > 65_535 ? null : { host, port };
}

/** Whether a list names this host with this port, as it is written; `*.` stands for whatever lies below. */
export function isListed(target: Target, hosts: readonly string[]): boolean {
  return hosts.some((entry) => {
    const listed = parseTarget(entry);
    if (listed === null || listed.port !== target.port) return false;
    return listed.host.startsWith('*.') ? isBelow(target.host, listed.host.slice(1)) : target.host === listed.host;
  });
}

/** The listed hosts that are this very machine, as `host:port`. */
export function loopbackHosts(hosts: readonly string[]): string[] {
  const targets = hosts.flatMap((host) => parseTarget(host) ?? []).filter(({ host }) => LOOPBACK.test(host));
  return [...new Set(targets.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`))];
}

function isBelow(host: string, suffix: string): boolean {
  return host.length > suffix.length && host.endsWith(suffix);
}
