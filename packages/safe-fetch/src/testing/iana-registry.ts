import { BlockList } from 'node:net';

/**
 * The special-purpose registries of IANA (RFC 6890 and its updates), retyped, so that tests compare the classifier with
 * code that does not share its table or its arithmetic. `private` ranges may be allowed for local development.
 */
export const specialRanges: readonly (readonly [network: string, prefix: number, kind: 'private' | 'special'])[] = [
  ['0.0.0.0', 8, 'special'],
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['127.0.0.0', 8, 'private'],
  ['169.254.0.0', 16, 'special'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'special'],
  ['192.0.2.0', 24, 'special'],
  ['192.31.196.0', 24, 'special'],
  ['192.52.193.0', 24, 'special'],
  ['192.88.99.0', 24, 'special'],
  ['192.168.0.0', 16, 'private'],
  ['192.175.48.0', 24, 'special'],
  ['198.18.0.0', 15, 'special'],
  ['198.51.100.0', 24, 'special'],
  ['203.0.113.0', 24, 'special'],
  ['224.0.0.0', 4, 'special'],
  ['240.0.0.0', 4, 'special'],
  ['::', 128, 'special'],
  ['::1', 128, 'private'],
  ['::', 96, 'special'],
  ['::ffff:0:0', 96, 'special'],
  ['::ffff:0:0:0', 96, 'special'],
  ['64:ff9b::', 96, 'special'],
  ['64:ff9b:1::', 48, 'special'],
  ['100::', 64, 'special'],
  ['100:0:0:1::', 64, 'special'],
  ['2001::', 23, 'special'],
  ['2001:db8::', 32, 'special'],
  ['2002::', 16, 'special'],
  ['2620:4f:8000::', 48, 'special'],
  ['3fff::', 20, 'special'],
  ['5f00::', 16, 'special'],
  ['fc00::', 7, 'private'],
  ['fe80::', 10, 'special'],
  ['fec0::', 10, 'special'],
  ['ff00::', 8, 'special'],
];

/** Separate by family, because a BlockList also treats every IPv4 address as a mapped one. */
const lists = {
  ipv4: { private: new BlockList(), special: new BlockList() },
  ipv6: { private: new BlockList(), special: new BlockList() },
};
for (const [network, prefix, kind] of specialRanges) {
  lists[detectFamily(network)][kind].addSubnet(network, prefix, detectFamily(network));
}

/** Only this part of IPv6 has been allocated. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Returns the registries' entry for an address in its canonical form. */
export function registryClass(address: string): 'public' | 'private' | 'special' {
  const family = detectFamily(address);
  // It would classify a mapped address by the IPv4 address in it; we treat it as a separate kind.
  if (family === 'ipv6' && isMapped(address)) return 'special';
  if (lists[family].private.check(address, family)) return 'private';
  if (lists[family].special.check(address, family)) return 'special';
  return family === 'ipv4' || globalUnicast.check(address, family) ? 'public' : 'special';
}

function isMapped(address: string): boolean {
  const host = new URL(`http://[${address}]/`).hostname;
  return /^\[::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/.test(host);
}

function detectFamily(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
