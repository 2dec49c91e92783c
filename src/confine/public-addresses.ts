import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Ranges of IPv4 that are no part of the public network: this machine, private and link-local networks, multicast, reserved ones. */
const NOT_PUBLIC_4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** The part of IPv6 that is handed out to the public, and what in it is not: tunnels to any IPv4 address, examples. */
const GLOBAL_6 = ['2000::', 3] as const;
const NOT_PUBLIC_6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Networks without IPv4 reach it by these addresses, which end in one of IPv4. */
const NAT64 = '64:ff9b::';
const NAT64_BITS = 96;

const notPublic = new BlockList();
const global6 = new BlockList();
for (const [address, bits] of NOT_PUBLIC_4) {
  notPublic.addSubnet(address, bits, 'ipv4');
  notPublic.addSubnet(`${NAT64}${address}`, NAT64_BITS + bits, 'ipv6');
}
for (const [address, bits] of NOT_PUBLIC_6) notPublic.addSubnet(address, bits, 'ipv6');
global6.addSubnet(...GLOBAL_6, 'ipv6');
global6.addSubnet(NAT64, NAT64_BITS, 'ipv6');

/** Whether an address belongs to the public network, and not to this machine. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (notPublic.check(address, family) || (family === 'ipv6' && !global6.check(address, family))) return false;
  return !ownAddresses().check(address, family);
}

/** A server may have public addresses, behind which its own services listen. */
function ownAddresses(): BlockList {
  const own = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((found) => found ?? [])) {
    own.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
    if (family === 'IPv4') own.addAddress(`${NAT64}${address}`, 'ipv6');
  }
  return own;
}
