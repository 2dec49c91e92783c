import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Network } from './confinement.ts';
import { isListed } from './host-list.ts';
import type { Target } from './host-list.ts';
import { isPublicAddress } from './public-addresses.ts';

/** A network with a way out that somebody watches. */
export type WatchedNetwork = Extract<Network, { mode: 'provider' | 'public' }>;

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Whether a program may go somewhere, and by which addresses alone; null leaves that to the system, or to the next proxy. */
export type Reach =
  | { readonly kind: 'allowed'; readonly addresses: readonly LookupAddress[] | null }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

/** What the system's own resolver says. */
export const resolveName: Resolve = async (host) => await lookUp(host, { all: true });

/** Names that mean something only in the network that somebody stands in. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/** Decides where a program may go. A public name is resolved here, once, so that nobody can answer differently the second time. */
export async function judgeTarget(
  target: Target,
  network: WatchedNetwork,
  { resolve, byCompany }: { readonly resolve: Resolve; readonly byCompany: boolean },
): Promise<Reach> {
  if (isListed(target, network.hosts ?? [])) return { kind: 'allowed', addresses: null };
  if (network.mode === 'provider') {
    const remedy = 'name it in agents.NAME.hosts or confine.hosts, or set confine.network to open';
    return { kind: 'refused', why: `${target.host}:${target.port} is no host of this agent's provider; ${remedy}.` };
  }
  const addresses = await addressesOf(target.host, resolve);
  const closed = addresses.find(({ address }) => !isPublicAddress(address));
  if (closed !== undefined) {
    const remedy = 'name it with its port in confine.hosts, or set confine.network to open';
    return { kind: 'refused', why: `${target.host} (${closed.address}) is this machine or in a private network; ${remedy}.` };
  }
  if (addresses.length > 0) return { kind: 'allowed', addresses: byCompany ? null : addresses };
  // Behind a company's proxy public names are often unknown to the machine itself.
  if (byCompany && target.host.includes('.') && !LOCAL_NAME.test(target.host)) return { kind: 'allowed', addresses: null };
  return { kind: 'unknown', why: `${target.host} is not known to the resolver of this machine.` };
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  try {
    return await resolve(host);
  } catch {
    // There is no such name, or nobody who could be asked; either way it leads nowhere.
    return [];
  }
}
