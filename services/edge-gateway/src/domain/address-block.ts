import { isIPv6 } from 'node:net';

/**
 * Returns the block that per-address limits count: the /64 of an IPv6 address, because a client usually controls a
 * whole /64. An IPv4 address in IPv6 form counts as the IPv4 address.
 */
export function addressBlock(address: string): string {
  const [bare = ''] = address.split('%');
  if (!isIPv6(bare)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped) return mapped;
  const [head = '', tail] = bare.split('::');
  const first = parseGroups(head);
  const last = parseGroups(tail ?? '');
  const groups = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** A dotted quad at the end counts as two groups; their values lie beyond the first 64 bits. */
function parseGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}
