import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The class of an IP address. `public`: may be called. `private`: may be called where private endpoints are allowed (loopback,
 * RFC 1918, unique local, carrier-grade NAT). `metadata`: never called, because it serves a cloud machine's credentials.
 * `forbidden`: never called; every other address that is not an ordinary host of the internet.
 */
export type AddressClass = 'public' | 'private' | 'metadata' | 'forbidden';

/** Addresses at which clouds serve instance metadata and credentials. Some lie in ordinary public or private ranges. */
const metadataAddresses = new Set(
  [
    '169.254.169.254', // AWS, Google, Azure, Oracle, DigitalOcean …
    '169.254.169.253', // AWS: resolver
    '169.254.169.123', // AWS: time
    '169.254.170.2', // AWS: container credentials
    '169.254.170.23', // AWS: pod identity
    '169.254.0.23', // Tencent
    '100.100.100.200', // Alibaba
    '168.63.129.16', // Azure: wire server
    '192.0.0.192', // Oracle, older
    'fd00:ec2::254', // AWS
    'fd00:ec2::253',
    'fd00:ec2::123',
    'fd00:ec2::23',
    'fd20:ce::254', // Google
    'fd00:42::42', // Scaleway
    '169.254.42.42', // Scaleway
  ].map(canonical),
);

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Classifies the text form of an address. Text that is not an address is `forbidden`. IPv6 forms that carry an IPv4 address
 * (mapped, NAT64, 6to4, Teredo, …) are never called: which host they reach depends on the network in between.
 */
export function classifyAddress(address: string): AddressClass {
  // Only the spelling that all parsers agree on: no octal or short forms, no zones.
  if (isIP(address) === 0 || address.includes('%')) return 'forbidden';
  const parsed = ipaddr.parse(address);
  if (metadataAddresses.has(parsed.toString()) || isEmbeddedMetadata(parsed)) return 'metadata';
  const range = parsed.range() as string;
  if (privateRanges.has(range)) return 'private';
  if (range !== 'unicast') return 'forbidden';
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast) ? 'public' : 'forbidden';
}

/** Whether an address may be called. */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const kind = classifyAddress(address);
  return kind === 'public' || (allowPrivate && kind === 'private');
}

/** Whether two texts are the same address. */
export function isSameAddress(a: string, b: string): boolean {
  return ipaddr.isValid(a) && ipaddr.isValid(b) && canonical(a) === canonical(b);
}

function canonical(address: string): string {
  return ipaddr.parse(address).toString();
}

/**
 * Whether the last or the 6to4 quad of an IPv6 address is a metadata address. It has its own class so that logs show
 * the attempt.
 */
function isEmbeddedMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!('parts' in address) || address.range() === 'unicast' || address.range() === 'uniqueLocal') return false;
  const { parts } = address;
  return [parts.slice(6), parts.slice(1, 3)].some(([high = 0, low = 0]) =>
    metadataAddresses.has(`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`),
  );
}
